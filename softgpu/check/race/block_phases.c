/**
 * @file block_phases.c
 * See block_phases.h. A round of colouring, of labels that go from node to node, of an independent set: how far it gets hangs on who comes first, and what it leaves
 * undone is done in the next one, if somebody is told.
 */
#include "check/race/block_phases.h"

#include <string.h>

#include "analyse/acts.h"
#include "analyse/tells.h"
#include "analyse/varies.h"
#include "base/mix.h"
#include "check/race/race.h"
#include "execute/lane_ahead.h"

/** What has been found so often for two instructions is taken to be so; once is enough where it is to be told. */
#define MOST_ASKED 1024

bool sites_of_one_place(const struct image *im, uint32_t a, uint32_t b)
{
    const struct site *s = &im->sites[a], *t = &im->sites[b];
    bool same = s->file && t->file && !strcmp(s->file, t->file) && s->line == t->line && s->column == t->column && s->inside.line == t->inside.line &&
                s->caller_count == t->caller_count;
    for (int i = 0; same && i < s->caller_count; i++)
        same = s->callers[i].line == t->callers[i].line;
    return a == b || same;
}

/** Does a thread come from the read to the write, or to another turn's, with nothing between that ends a phase? */
static bool leads_on(const struct image *im, const struct function *f, const struct insn *write, const struct insn *read)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == insn_class(write) && sites_of_one_place(im, in->site, write->site) && phase_leads_on(f, in, read))
            return true;
    return false;
}

/** How the write of a site stands to the actor's access. @return NULL: that cannot be told */
static struct known_phase *phase_known(const struct actor *me, uint32_t site)
{
    const struct image *im = actor_image(me);
    const struct insn *write = image_site_insn(im, site);
    struct known_phase *phases = me->race->phases;
    struct known_phase *known = &phases[mix64((uintptr_t)write ^ me->insn->site) % (sizeof me->race->phases / sizeof *phases)];
    if (!write)
        return NULL;
    if (known->write != write || known->read != me->insn) {
        const struct function *f = image_function_at(im, me->insn);
        *known = (struct known_phase){.write = write, .read = me->insn, .phase = f ? phase_between(f, write, me->insn) : PHASE_APART,
                                      .once = f && phase_ends_between(f, me->insn), .leads_on = f && leads_on(im, f, write, me->insn)};
    }
    return known;
}

enum phase phase_of_write(const struct actor *me, uint32_t site)
{
    const struct known_phase *known = phase_known(me, site);
    return known ? known->phase : PHASE_APART;
}

bool phase_read_is_once(const struct actor *me, uint32_t site)
{
    const struct known_phase *known = phase_known(me, site);
    return known && known->once;
}

/** What the thread does up to its phase's end. */
struct course {
    struct lane_ahead ahead;
    bool says;                          /**< it says something to others: a number, where all threads of the block would put it */
    bool stores[AHEAD_CHANGES];         /**< by change: it is none that says something, or leaves what is there */
};

static bool follow(const struct actor *me, const struct conflict_info *info, uint64_t value, struct course *c)
{
    const struct function *f = image_function_at(actor_image(me), me->insn);
    if (!lane_goes_ahead(me->warp, me->insn, me->lane, value, &c->ahead))
        return false;
    c->says = c->ahead.brings;
    for (int i = 0; i < c->ahead.count; i++) {
        const struct ahead_change *change = &c->ahead.change[i];
        bool says = insn_writes_number(f, change->in) && !address_varies(f, change->in) && (change->leaves || change->address != info->address);
        c->says |= says;
        c->stores[i] = !says && !change->leaves;
    }
    return true;
}

/** Is it a relaxed minimum (maximum)? By an older value, which nobody has improved yet, it improves less, and spoils nothing. */
static bool only_improves(const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_MIN || in->mem.atom == ATOM_MAX);
}

/** What is the same of two courses? */
enum alike {
    ALIKE_WHOLLY,       /**< what they change with the same values, but for what is said */
    ALIKE_COUNTING,     /**< … and what is counted as often: who says so by a count says how often */
    ALIKE_IMPROVING     /**< the same, but minima of other values are alike */
};

/** How often does the course make such a change? */
static int times_in(const struct course *c, const struct ahead_change *change, enum alike alike)
{
    int n = 0;
    for (int i = 0; i < c->ahead.count; i++) {
        const struct ahead_change *one = &c->ahead.change[i];
        n += one->in == change->in && one->address == change->address && (one->operand == change->operand || (alike == ALIKE_IMPROVING && only_improves(one->in)));
    }
    return n;
}

/** Has it changes that the other course does not have, or not as often where that matters? Not those that it says so of, if it does. */
static bool does_more(const struct actor *me, const struct course *c, const struct course *other, enum alike alike)
{
    const struct function *f = image_function_at(actor_image(me), me->insn);
    for (int i = 0; i < c->ahead.count; i++) {
        const struct ahead_change *change = &c->ahead.change[i];
        bool step = insn_is_step(change->in), counts = alike != ALIKE_WHOLLY && step && !change->leaves;
        bool both = (!c->stores[i] && !counts) || (c->says && store_is_told(f, change->in));
        int times = times_in(other, change, alike);
        if (!both && (step ? times < times_in(c, change, alike) : !times))
            return true;
    }
    return false;
}

/** Does it find, where the other course does not look, that somebody has said what it would say? */
static bool finds_said(const struct actor *me, const struct course *c, const struct course *other)
{
    const struct function *f = image_function_at(actor_image(me), me->insn);
    for (int i = 0; i < c->ahead.looks; i++) {
        const struct ahead_look *look = &c->ahead.look[i];
        bool both = false;
        for (int j = 0; j < other->ahead.looks; j++)
            both |= other->ahead.look[j].in == look->in;
        if (!both && !address_varies(f, look->in) && look_finds_said(f, look->in, look->value))
            return true;
    }
    return false;
}

/** Does it come by the write that is looked at, or by another turn's? */
static bool comes_by(const struct actor *me, const struct course *c, uint32_t site)
{
    bool comes = false;
    for (int i = 0; i < c->ahead.count; i++)
        comes |= sites_of_one_place(actor_image(me), c->ahead.change[i].in->site, site);
    return comes;
}

static bool waits(const struct actor *me, const struct conflict_info *info)
{
    struct course older, newest;
    if (!follow(me, info, info->old, &older) || !follow(me, info, info->now, &newest) || older.ahead.carries || does_more(me, &older, &newest, ALIKE_WHOLLY))
        return false;
    return older.says || finds_said(me, &older, &newest) || (newest.says && comes_by(me, &newest, info->other->site)) || (info->phase && !newest.ahead.carries && !newest.says && !does_more(me, &newest, &older, ALIKE_WHOLLY));
}

bool phase_look_waits(const struct actor *me, const struct conflict_info *info)
{
    struct known_phase *known = phase_known(me, info->other->site);
    if (!known || !known->leads_on || me->as_agent)
        return false;
    if (!info->has_old) /* the same, as these data are */
        return info->phase;
    if (!known->acts && known->waits < MOST_ASKED) {
        known->acts = !waits(me, info);
        known->waits++;
    }
    return !known->acts;
}

/** Does the course store anew what was missed, and leaves it as it is? */
static bool makes_again(const struct actor *me, const struct conflict_info *info, const struct course *c)
{
    bool again = false;
    for (int i = 0; i < c->ahead.count; i++)
        again |= c->ahead.change[i].address == info->address && c->ahead.change[i].leaves &&
                 sites_of_one_place(actor_image(me), c->ahead.change[i].in->site, info->other->site);
    return again;
}

/** signal_look_waits(), of this look. */
static bool waits_for_round(const struct actor *me, const struct conflict_info *info)
{
    struct course older, newest;
    if (!follow(me, info, info->old, &older) || !follow(me, info, info->now, &newest) || older.ahead.carries || newest.ahead.carries ||
        does_more(me, &older, &newest, ALIKE_IMPROVING))
        return false;
    bool comes = comes_by(me, &newest, info->other->site), as_far = older.ahead.looked == newest.ahead.looked;
    bool same = as_far && !does_more(me, &newest, &older, ALIKE_COUNTING), again = as_far && !does_more(me, &newest, &older, ALIKE_IMPROVING) && makes_again(me, info, &older);
    return again || (comes && newest.says) || (same && (comes || only_improves(image_site_insn(actor_image(me), info->other->site))));
}

bool signal_look_waits(const struct actor *me, const struct conflict_info *info)
{
    struct known_phase *known = phase_known(me, info->other->site);
    if (!known || !known->leads_on || me->as_agent || !info->has_old || info->space != SPACE_GLOBAL)
        return false;
    if (!known->acts_by_signal && known->waits_by_signal < MOST_ASKED) {
        known->acts_by_signal = !waits_for_round(me, info);
        known->waits_by_signal++;
    }
    return !known->acts_by_signal;
}
