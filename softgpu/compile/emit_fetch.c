/**
 * @file emit_fetch.c
 * Rows that are fetched into the processor's caches before they are read: those of a later turn of the loop, or of the next block. Between two rows of a loop stand some
 * 60 instructions and more, so that a processor, which looks some hundred ahead, by itself has few rows on their way and waits for each.
 */
#include "compile/emit_access.h"

#include "execute/warp.h"

#define ROWS_AHEAD 16 /* on their way at once: more lines than a processor has room for, so that none of it is idle */
#define MOST_TURNS 8
#define FETCHED_SITES 16

/** Does the instruction stand in a loop? `loads`: how many loads of global memory the innermost one has. */
static bool goes_round(const struct emit *e, int i, int *loads)
{
    const struct insn *code = e->p->f->entry, *begin = NULL, *end = code;
    for (int at = i; at < e->p->count; at++)
        if (e->p->way[at] == WAY_BRANCH && code[at].target <= code + i && (!begin || code[at].target > begin))
            begin = code[at].target, end = code + at;
    *loads = 0;
    for (const struct insn *in = begin; in && in < end; in++)
        *loads += insn_class(in) == INSN_LOAD && in->mem.space == SPACE_GLOBAL;
    return begin != NULL;
}

void access_fetch(struct emit *e, const char *place, bool store)
{
    T(e, "  call void @llvm.prefetch.p0(ptr %s, i32 %d, i32 3, i32 1)\n", place, store);
}

void emit_fetch_variables(struct emit *e)
{
    for (int n = 0; n < FETCHED_SITES; n++)
        T(e, "  %%Fl%d = alloca i64\n  store i64 0, ptr %%Fl%d\n", n, n);
}

void access_fetch_turns_ahead(struct emit *e, const struct access *a)
{
    int id = a->id, loads, n = e->fetched;
    if (!a->load || !a->counted || n == FETCHED_SITES || !goes_round(e, emit_index(e, a->in), &loads))
        return;
    int turns = (ROWS_AHEAD + loads - 1) / loads;
    e->fetched++;
    T(e, "  %%Fa%d = ptrtoint ptr %%h%d to i64\n  %%Fb%d = load i64, ptr %%Fl%d\n  store i64 %%Fa%d, ptr %%Fl%d\n", id, id, id, n, id, n);
    T(e, "  %%Fc%d = sub i64 %%Fa%d, %%Fb%d\n  %%Fd%d = mul i64 %%Fc%d, %d\n", id, id, id, id, id, turns < MOST_TURNS ? turns : MOST_TURNS);
    for (unsigned on = 0; on < WARP_LANES * a->bytes; on += CACHE_LINE_BYTES) {
        char place[32];
        snprintf(place, sizeof place, "%%Fp%d_%u", id, on);
        T(e, "  %%Fo%d_%u = add i64 %%Fd%d, %u\n  %s = getelementptr i8, ptr %%h%d, i64 %%Fo%d_%u\n", id, on, id, on, place, id, id, on);
        access_fetch(e, place, false);
    }
}

void access_fetch_next_block(struct emit *e, const struct access *a, const struct value at[2])
{
    int loads;
    if (!a->counted || goes_round(e, emit_index(e, a->in), &loads))
        return;
    int id = e->next++, field = FIELD(warp, stream) + (int)(access_recent(e, a->in) % WARP_STREAMS * sizeof(uint8_t *));
    struct value last = emit_load(e, "i64", "%w", field);
    T(e, "  %%na%d = ptrtoint ptr %s to i64\n  %%nb%d = sub i64 %%na%d, %s\n", id, at[0].text, id, id, last.text);
    for (int h = 0; h < 2; h++) {
        char place[32];
        snprintf(place, sizeof place, "%%nc%d_%d", id, h);
        T(e, "  %s = getelementptr i8, ptr %s, i64 %%nb%d\n", place, at[h].text, id);
        access_fetch(e, place, !a->load);
    }
    emit_store(e, "ptr", at[0].text, "%w", field);
}
