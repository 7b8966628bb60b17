/**
 * @file host.c
 * The host among the actors of a play: what it does, and what that is to the model.
 */
#include "play.h"

static void insert_fence(struct play *p, int at)
{
    for (int i = p->count++; i > at; i--)
        p->event[i] = p->event[i - 1];
    p->event[at] = (struct event){.op = OP_FENCE, .actor = p->actors - 1, .scope = SYS, .sc = true};
}

void add_host_fences(struct play *p)
{
    for (int i = p->count - 1; i >= 0; i--) {
        enum op op = p->event[i].op;
        if (is_host(p, p->event[i].actor) && op != OP_FENCE)
            insert_fence(p, op == OP_STORE || op == OP_SIGNAL ? i : i + 1);
    }
}

static void store(unsigned char *at, uint32_t unit, uint64_t value)
{
    switch (unit) {
    case 1: *(volatile uint8_t *)at = (uint8_t)value; break;
    case 2: *(volatile uint16_t *)at = (uint16_t)value; break;
    case 4: *(volatile uint32_t *)at = (uint32_t)value; break;
    default: *(volatile uint64_t *)at = value;
    }
}

static uint64_t load(const unsigned char *at, uint32_t unit)
{
    switch (unit) {
    case 1: return *(const volatile uint8_t *)at;
    case 2: return *(const volatile uint16_t *)at;
    case 4: return *(const volatile uint32_t *)at;
    default: return *(const volatile uint64_t *)at;
    }
}

void play_host(const struct play *p, unsigned char *data, unsigned char *flags)
{
    for (int i = 0; i < p->count; i++) {
        const struct event *e = &p->event[i];
        if (!is_host(p, e->actor))
            continue;
        if (e->op == OP_LOAD)
            load(data + e->from, e->unit);
        else if (e->op == OP_STORE)
            store(data + e->from, e->unit, e->byte * 0x0101010101010101ull);
        else if (e->op == OP_SIGNAL)
            store(flags + 4 * e->flag, 4, (uint64_t)e->value);
        else
            while (load(flags + 4 * e->flag, 4) < (uint64_t)e->value)
                ;
    }
}
