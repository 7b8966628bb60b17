/**
 * @file emit_lanes.c
 * Lanes anywhere, for processors without AVX-512: each one's element is loaded or stored by itself, one after another, with nothing asked
 * in between; where not all run, those that do not load some word that is there, too, and stores are a loop over those that do. What does so for
 * all lanes are functions of the module: written out at each access they would be a third of the text, and half of the time that LLVM takes.
 */
#include "compile/emit_access.h"

#include "execute/traffic.h"

struct value access_safe(struct emit *e, const struct access *a, struct value addresses, unsigned bits, struct value otherwise)
{
    struct value mask = emit_mask(e, a->active.text), others = emit_spread(e, otherwise, bits), v = emit_new(e, true);
    const char *type = emit_type(bits, true);
    T(e, "  %s = select <32 x i1> %s, %s %s, %s %s\n", v.text, mask.text, type, addresses.text, type, others.text);
    return v;
}

/** A lane's place on the host. */
static struct value place_of(struct emit *e, const char *host, const char *place)
{
    struct value wide = emit_new(e, false), at = emit_new(e, false);
    T(e, "  %s = zext i32 %s to i64\n  %s = getelementptr i8, ptr %s, i64 %s\n", wide.text, place, at.text, host, wide.text);
    return at;
}

void access_take_two(struct emit *e, const char *places, int lane, struct value out[2])
{
    struct value two = emit_new(e, true), both = emit_new(e, false), same = emit_new(e, false);
    out[0] = emit_new(e, false), out[1] = emit_new(e, false);
    T(e, "  %s = bitcast <32 x i32> %s to <16 x i64>\n  %s = extractelement <16 x i64> %s, i64 %d\n", two.text, places, both.text, two.text, lane / 2);
    T(e, "  %s = call i64 asm \"\", \"=r,0\"(i64 %s)\n", same.text, both.text);
    T(e, "  %s = and i64 %s, 4294967295\n  %s = lshr i64 %s, 32\n", out[0].text, same.text, out[1].text, same.text);
}

/** The function each_loadBITS or each_storeBITS: where several lanes store to one place, the highest one's value stays. */
static void each_lane(struct emit *e, bool load, unsigned bits)
{
    const char *type = emit_type(bits, true);
    struct value v = {.text = "poison", .vector = true};
    if (load)
        T(e, "define internal %s @each_load%u(ptr %%host, <32 x i32> %%at) #1 {\n", type, bits);
    else
        T(e, "define internal void @each_store%u(ptr %%host, <32 x i32> %%at, %s %%v) #1 {\n", bits, type);
    struct value place[2];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct value one = emit_new(e, false), next = emit_new(e, true);
        if (lane % 2 == 0)
            access_take_two(e, "%at", lane, place);
        T(e, "  %%a%d = getelementptr i8, ptr %%host, i64 %s\n", lane, place[lane % 2].text);
        if (load) {
            T(e, "  %s = load i%u, ptr %%a%d, align %u\n", one.text, bits, lane, bits / 8);
            T(e, "  %s = insertelement %s %s, i%u %s, i64 %d\n", next.text, type, v.text, bits, one.text, lane);
            v = next;
        } else
            T(e, "  %s = extractelement %s %%v, i64 %d\n  store i%u %s, ptr %%a%d, align %u\n", one.text, type, lane, bits, one.text, lane, bits / 8);
    }
    if (load)
        T(e, "  ret %s %s\n}\n", type, v.text);
    else
        T(e, "  ret void\n}\n");
}

void access_functions(struct emit *e)
{
    for (int load = 0; load < 2; load++)
        for (int wide = 0; wide < 2; wide++)
            if (e->each[load][wide])
                each_lane(e, load, wide ? 64 : 32);
}

struct value access_load_all(struct emit *e, const struct access *a, const char *host, const char *places)
{
    struct value v = emit_new(e, true);
    T(e, "  %s = call %s @each_load%u(ptr %s, <32 x i32> %s)\n", v.text, emit_type(a->bits, true), a->bits, host, places);
    e->each[1][a->bits == 64] = true;
    return v;
}

static void store_all(struct emit *e, const struct access *a, const char *host, const char *places)
{
    struct value v = emit_spread(e, a->stored, a->bits);
    T(e, "  call void @each_store%u(ptr %s, <32 x i32> %s, %s %s)\n", a->bits, host, places, emit_type(a->bits, true), v.text);
    e->each[0][a->bits == 64] = true;
}

/** The next lane that runs: %plnID its number, of those %plmID that are left. */
static void begin_loop(struct emit *e, const struct access *a)
{
    int id = a->id;
    T(e, "  br label %%plf%d\nplf%d:\n  br label %%plo%d\nplo%d:\n  %%plm%d = phi i32 [ %s, %%plf%d ], [ %%plr%d, %%plo%d ]\n", id, id, id, id, id, a->active.text,
      id, id, id);
    if (a->counted)
        T(e, "  %%pls%d = phi i32 [ 0, %%plf%d ], [ %%plt%d, %%plo%d ]\n  %%ple%d = phi i32 [ -1, %%plf%d ], [ %%plc%d, %%plo%d ]\n", id, id, id, id, id, id,
          id, id);
    T(e, "  %%pln%d = call i32 @llvm.cttz.i32(i32 %%plm%d, i1 true)\n", id, id);
}

static void end_loop(struct emit *e, const struct access *a)
{
    int id = a->id;
    char sectors[24];
    T(e, "  %%pld%d = sub i32 %%plm%d, 1\n  %%plr%d = and i32 %%plm%d, %%pld%d\n  %%plz%d = icmp eq i32 %%plr%d, 0\n", id, id, id, id, id, id, id);
    T(e, "  br i1 %%plz%d, label %%plx%d, label %%plo%d\nplx%d:\n", id, id, id, id);
    if (!a->counted)
        return;
    T(e, "  %%ply%d = zext i32 %%plt%d to i64\n", id, id);
    snprintf(sectors, sizeof sectors, "%%ply%d", id);
    access_count_traffic(e, a, sectors);
}

/** A loop over some lanes: they store, or their sectors are counted, one more where it is not that of the lane before. */
static void go_through(struct emit *e, const struct access *a, const char *host)
{
    int id = a->id;
    struct value at = emit_new(e, false), place = emit_new(e, false), one = emit_new(e, false), own = emit_new(e, false);
    if (!a->load)
        T(e, "  store %s %s, ptr %%elements, align 64\n", emit_type(a->bits, true), emit_spread(e, a->stored, a->bits).text);
    begin_loop(e, a);
    T(e, "  %s = getelementptr i32, ptr %%places, i32 %%pln%d\n  %s = load i32, ptr %s\n", at.text, id, place.text, at.text);
    if (!a->load) {
        struct value to = place_of(e, host, place.text);
        T(e, "  %s = getelementptr i%u, ptr %%elements, i32 %%pln%d\n", own.text, a->bits, id);
        T(e, "  %s = load i%u, ptr %s, align %u\n  store i%u %s, ptr %s, align %u\n", one.text, a->bits, own.text, a->bytes, a->bits, one.text, to.text,
          a->bytes);
    }
    if (a->counted) {
        T(e, "  %%plq%d = add i32 %s, %%plw%d\n  %%plc%d = lshr i32 %%plq%d, %d\n  %%plg%d = icmp ne i32 %%plc%d, %%ple%d\n", id, place.text, id, id, id,
          SECTOR_BITS, id, id, id);
        T(e, "  %%plh%d = zext i1 %%plg%d to i32\n  %%plt%d = add i32 %%pls%d, %%plh%d\n", id, id, id, id, id);
    }
    end_loop(e, a);
}

/** %plwID: where the host's place lies in its sector. */
static void find_sector(struct emit *e, const struct access *a, const char *host)
{
    int id = a->id;
    T(e, "  %%plu%d = ptrtoint ptr %s to i64\n  %%plv%d = trunc i64 %%plu%d to i32\n  %%plw%d = and i32 %%plv%d, %d\n", id, host, id, id, id, id,
      (1 << SECTOR_BITS) - 1);
}

/** Sectors of all lanes, at once. */
static void count_all(struct emit *e, const struct access *a, const char *places)
{
    struct value first = {.text = ""}, from = emit_new(e, true);
    snprintf(first.text, sizeof first.text, "%%plw%d", a->id);
    first = emit_spread(e, first, 32);
    T(e, "  %s = add <32 x i32> %s, %s\n", from.text, places, first.text);
    access_count_sectors(e, a, from.text);
}

void access_each(struct emit *e, struct access *a, const char *host)
{
    int id = a->id;
    char places[24];
    snprintf(places, sizeof places, "%%pl%d", id);
    if (a->counted)
        find_sector(e, a, host);
    if (!a->load || a->counted) {
        access_split_by_mask(e, a, "pla", "plb");
        T(e, "plb%d:\n", id);
        access_put_down(e, places);
        go_through(e, a, host);
        T(e, "  br label %%%s%d\npla%d:\n", a->load ? "plk" : "d", id, id);
        if (a->counted)
            count_all(e, a, places);
        if (!a->load)
            store_all(e, a, host, places);
        else
            T(e, "  br label %%plk%d\nplk%d:\n", id, id);
    }
    for (unsigned i = 0; a->load && i < a->count; i++) {
        struct value on = emit_new(e, false);
        T(e, "  %s = getelementptr i8, ptr %s, i64 %u\n", on.text, host, i * a->bytes);
        emit_define(e, a->in, element_target(a->in, i), access_load_all(e, a, on.text, places));
    }
    T(e, "  br label %%d%d\n", id);
}
