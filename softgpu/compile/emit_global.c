/**
 * @file emit_global.c
 * Loads and stores of global memory, with their traffic, counted as execute/traffic.h counts it.
 */
#include "compile/emit_access.h"
#include "execute/traffic.h"
#include "execute/worker.h"

void access_count_traffic(struct emit *e, const struct access *a, const char *sectors)
{
    struct value moved = emit_new(e, false);
    if (!a->counted)
        return;
    if (a->load)
        emit_add(e, "1", "%k", FIELD(worker, loads));
    T(e, "  %s = shl i64 %s, %d\n", moved.text, sectors, SECTOR_BITS);
    emit_add(e, moved.text, "%k", FIELD(worker, moved));
    if (a->quiet)
        emit_quiet_count(e, a);
}

/** Sectors that the lanes touch which run, lying one after another from %hID on. */
static void count_consecutive(struct emit *e, const struct access *a, bool all)
{
    int id = e->next++;
    if (!a->counted)
        return;
    T(e, "  %%ca%d = ptrtoint ptr %%h%d to i64\n", id, a->id);
    if (all) {
        T(e, "  %%cb%d = add i64 %%ca%d, %u\n  %%cc%d = lshr i64 %%ca%d, 5\n  %%cd%d = lshr i64 %%cb%d, 5\n", id, id,
          32 * a->bytes - 1, id, id, id, id);
        T(e, "  %%ce%d = sub i64 %%cd%d, %%cc%d\n  %%cs%d = add i64 %%ce%d, 1\n", id, id, id, id, id);
    } else { /* a bit for each element from the first sector's begin; then one for each sector */
        int group = a->bytes == 4 ? 4 : 2;
        T(e, "  %%cb%d = and i64 %%ca%d, 31\n  %%cc%d = lshr i64 %%cb%d, %d\n", id, id, id, id, a->bytes == 4 ? 2 : 3);
        T(e, "  %%cd%d = zext i32 %s to i64\n  %%ce%d = shl i64 %%cd%d, %%cc%d\n", id, a->active.text, id, id, id);
        T(e, "  %%cf%d = lshr i64 %%ce%d, %d\n  %%cg%d = or i64 %%ce%d, %%cf%d\n", id, id, group, id, id, id);
        T(e, "  %%ch%d = lshr i64 %%cg%d, %d\n  %%ci%d = or i64 %%cg%d, %%ch%d\n", id, id, group / 2, id, id, id);
        T(e, "  %%cj%d = lshr i64 %%ci%d, %d\n  %%ck%d = or i64 %%ci%d, %%cj%d\n", id, id, group == 4 ? 1 : 0, id, id, id);
        T(e, "  %%cl%d = and i64 %%ck%d, %lld\n  %%cs%d = call i64 @llvm.ctpop.i64(i64 %%cl%d)\n", id, id,
          group == 4 ? 0x0101010101010101ll : 0x1111111111111111ll, id, id);
    }
    char name[24];
    snprintf(name, sizeof name, "%%cs%d", id);
    access_count_traffic(e, a, name);
}

unsigned access_recent(const struct emit *e, const struct insn *in)
{
    unsigned before = 0;
    for (int i = emit_index(e, in) - 1; i >= 0; i--)
        before += e->p->way[i] == WAY_GLOBAL || e->p->way[i] == WAY_WATCHED || e->p->way[i] == WAY_QUIET;
    return before % RECENT_RANGES;
}

void access_recent_range(struct emit *e, const struct access *a, struct value *base, struct value *size, struct value *host)
{
    int at = FIELD(worker, recent) + (int)(access_recent(e, a->in) * sizeof(struct recent_range));
    *base = emit_load(e, "i64", "%k", at + FIELD(recent_range, base));
    *size = emit_load(e, "i64", "%k", at + FIELD(recent_range, bytes));
    *host = emit_load(e, "ptr", "%k", at + FIELD(recent_range, host));
}

/** The host's place of `bytes` bytes at a device address, in %hID at label gID; `otherwise`ID where there is none at once. */
static void find_host(struct emit *e, const struct access *a, const char *address, unsigned bytes, const char *otherwise)
{
    int id = a->id;
    struct value base, size, host;
    T(e, "  br label %%from%d\nfrom%d:\n", id, id);
    access_recent_range(e, a, &base, &size, &host);
    T(e, "  %%ga%d = sub i64 %s, %s\n  %%gb%d = icmp ult i64 %%ga%d, %s\n", id, address, base.text, id, id, size.text);
    T(e, "  %%gc%d = sub i64 %s, %%ga%d\n  %%gd%d = icmp uge i64 %%gc%d, %u\n", id, size.text, id, id, id, bytes);
    T(e, "  %%ge%d = and i64 %s, %u\n  %%gf%d = icmp eq i64 %%ge%d, 0\n", id, address, a->bytes - 1, id, id);
    T(e, "  %%gg%d = and i1 %%gb%d, %%gd%d\n  %%gh%d = and i1 %%gg%d, %%gf%d\n", id, id, id, id, id, id);
    T(e, "  %%gi%d = getelementptr i8, ptr %s, i64 %%ga%d\n  br i1 %%gh%d, label %%g%d, label %%m%d, !prof !0\n", id, host.text, id,
      id, id, id);
    if (a->quiet) {
        T(e, "m%d:\n  br label %%x%d\ng%d:\n  %%h%d = phi ptr [ %%gi%d, %%from%d ]\n", id, id, id, id, id, id);
        return;
    }
    T(e, "m%d:\n  br i1 %%gf%d, label %%y%d, label %%%s%d\n", id, id, id, otherwise, id);
    T(e, "y%d:\n  %%gj%d = call ptr @compiled_host(ptr %%k, i64 %s, i64 %u, i32 %u)\n", id, id,
      address, bytes, access_recent(e, a->in));
    T(e, "  %%gk%d = icmp eq ptr %%gj%d, null\n  br i1 %%gk%d, label %%%s%d, label %%g%d\n", id, id, id, otherwise, id, id);
    T(e, "g%d:\n  %%h%d = phi ptr [ %%gi%d, %%from%d ], [ %%gj%d, %%y%d ]\n", id, id, id, id, id, id);
}

/** The sectors of lanes that all run, %secID by lane: one for each that is not its neighbour's. */
static void count_neighbours(struct emit *e, int id)
{
    T(e, "  %%sl%d = shufflevector <32 x i32> %%sec%d, <32 x i32> poison, <32 x i32> <i32 0", id, id);
    for (int i = 0; i < WARP_LANES - 1; i++)
        T(e, ", i32 %d", i);
    T(e, ">\n  %%sm%d = icmp eq <32 x i32> %%sec%d, %%sl%d\n  %%sn%d = bitcast <32 x i1> %%sm%d to i32\n", id, id, id, id, id);
    T(e, "  %%so%d = call i32 @llvm.ctpop.i32(i32 %%sn%d)\n  %%sp%d = sub i32 %d, %%so%d\n", id, id, id, WARP_LANES + 1, id);
}

struct value access_sectors_of(struct emit *e, const char *units, unsigned bits)
{
    struct value sectors = emit_new(e, false);
    int id = e->next++;
    T(e, "  %%sec%d = lshr <32 x i32> %s, splat (i32 %u)\n", id, units, bits);
    count_neighbours(e, id);
    T(e, "  %s = zext i32 %%sp%d to i64\n", sectors.text, id);
    return sectors;
}

struct value access_sectors(struct emit *e, const char *places)
{
    return access_sectors_of(e, places, SECTOR_BITS);
}

void access_count_sectors(struct emit *e, const struct access *a, const char *places)
{
    access_count_traffic(e, a, access_sectors(e, places).text);
}

static void list(struct emit *e, int from, int count)
{
    for (int i = 0; i < count; i++)
        T(e, "%si32 %d", i ? ", " : "<", from + i);
    T(e, ">");
}

/** The same of some lanes: each is compared with the last one before it that runs. */
static void count_running_neighbours(struct emit *e, int id, struct value active)
{
    struct value all = emit_spread(e, active, 32);
    T(e, "  %%ra%d = and <32 x i32> %s, <", id, all.text);
    for (int i = 0; i < WARP_LANES; i++)
        T(e, "%si32 %u", i ? ", " : "", (1u << i) - 1);
    T(e, ">\n  %%rb%d = call <32 x i32> @llvm.ctlz.v32i32(<32 x i32> %%ra%d, i1 false)\n", id, id);
    T(e, "  %%rc%d = sub <32 x i32> splat (i32 31), %%rb%d\n", id, id);
    for (int half = 0; half < 2; half++) {
        const char *name = half ? "h" : "l";
        T(e, "  %%rs%s%d = shufflevector <32 x i32> %%sec%d, <32 x i32> poison, <16 x i32> ", name, id, id);
        list(e, 16 * half, 16);
        T(e, "\n  %%ri%s%d = shufflevector <32 x i32> %%rc%d, <32 x i32> poison, <16 x i32> ", name, id, id);
        list(e, 16 * half, 16);
        T(e, "\n");
    }
    for (int half = 0; half < 2; half++)
        T(e, "  %%rp%s%d = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(<16 x i32> %%rsl%d, <16 x i32> %%ri%s%d, <16 x i32> "
             "%%rsh%d)\n", half ? "h" : "l", id, id, half ? "h" : "l", id, id);
    T(e, "  %%rq%d = shufflevector <16 x i32> %%rpl%d, <16 x i32> %%rph%d, <32 x i32> ", id, id, id);
    list(e, 0, 32);
    T(e, "\n  %%rd%d = icmp ne <32 x i32> %%rq%d, %%sec%d\n  %%re%d = icmp eq <32 x i32> %%ra%d, zeroinitializer\n", id, id, id, id, id);
    T(e, "  %%rf%d = or <32 x i1> %%rd%d, %%re%d\n  %%rg%d = bitcast <32 x i1> %%rf%d to i32\n", id, id, id, id, id);
    T(e, "  %%rh%d = and i32 %%rg%d, %s\n  %%rr%d = call i32 @llvm.ctpop.i32(i32 %%rh%d)\n", id, id, active.text, id, id);
}

struct value access_running_sectors(struct emit *e, const char *places, struct value active)
{
    struct value sectors = emit_new(e, false);
    int id = e->next++;
    T(e, "  %%sec%d = lshr <32 x i32> %s, splat (i32 %d)\n", id, places, SECTOR_BITS);
    T(e, "  %%kf%d = icmp eq i32 %s, -1\n  br i1 %%kf%d, label %%ka%d, label %%kb%d\nka%d:\n", id, active.text, id, id, id, id);
    count_neighbours(e, id);
    T(e, "  br label %%kc%d\nkb%d:\n", id, id);
    count_running_neighbours(e, id, active);
    T(e, "  br label %%kc%d\nkc%d:\n  %%kd%d = phi i32 [ %%sp%d, %%ka%d ], [ %%rr%d, %%kb%d ]\n", id, id, id, id, id, id, id);
    T(e, "  %s = zext i32 %%kd%d to i64\n", sectors.text, id);
    return sectors;
}

/** %syID: the address of some lane that runs. */
static void some_address(struct emit *e, const struct access *a)
{
    int id = a->id;
    if (e->wide)
        access_split_by_mask(e, a, "ja", "jb");
    else /* another question than before, or LLVM would take the answer from there, and need the addresses there */
        T(e, "  %%jd%d = and i32 %s, 1\n  %%je%d = icmp ne i32 %%jd%d, 0\n  br i1 %%je%d, label %%ja%d, label %%jb%d\n", id, a->active.text, id, id, id, id, id);
    T(e, "ja%d:\n  %%sua%d = extractelement <32 x i64> %s, i64 0\n  br label %%jc%d\n", id, id, a->address.text, id);
    T(e, "jb%d:\n  %%sx%d = call i32 @llvm.cttz.i32(i32 %s, i1 true)\n  %%sub%d = extractelement <32 x i64> %s, i32 %%sx%d\n", id, id,
      a->active.text, id, a->address.text, id);
    T(e, "  br label %%jc%d\njc%d:\n  %%sy%d = phi i64 [ %%sua%d, %%ja%d ], [ %%sub%d, %%jb%d ]\n", id, id, id, id, id, id, id);
}

/** Where all lanes run, each one's element is loaded by itself, %sjID bytes from the host's place `host`: some processors
 *  do that sooner than they gather, and go on meanwhile. Ends at label dID; behind it stands what else there is. */
static void load_one_by_one(struct emit *e, const struct access *a, const char *host)
{
    int id = a->id;
    struct value v = {.text = "poison", .vector = true};
    access_split_by_mask(e, a, "za", "zb");
    T(e, "za%d:\n", id);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        struct value on = emit_new(e, false), wide = emit_new(e, false), at = emit_new(e, false), one = emit_new(e, false), next = emit_new(e, true);
        T(e, "  %s = extractelement <32 x i32> %%sj%d, i64 %d\n  %s = zext i32 %s to i64\n", on.text, id, lane, wide.text, on.text);
        T(e, "  %s = getelementptr i8, ptr %s, i64 %s\n  %s = load i%u, ptr %s, align %u\n", at.text, host, wide.text, one.text, a->bits,
          at.text, a->bytes);
        T(e, "  %s = insertelement %s %s, i%u %s, i64 %d\n", next.text, emit_type(a->bits, true), v.text, a->bits, one.text, lane);
        v = next;
    }
    emit_define(e, a->in, a->in->dst, v);
    T(e, "  br label %%d%d\nzb%d:\n", id, id);
}

/** At label nID: the allocation of some lane that runs has been found. */
static void find_some(struct emit *e, const struct access *a)
{
    int id = a->id;
    struct value base, size, host;
    some_address(e, a);
    access_recent_range(e, a, &base, &size, &host);
    T(e, "  %%sz%d = sub i64 %%sy%d, %s\n  %%st%d = icmp ult i64 %%sz%d, %s\n  br i1 %%st%d, label %%n%d, label %%j%d, !prof !0\n", id, id,
      base.text, id, id, size.text, id, id, id);
    if (a->quiet) {
        T(e, "j%d:\n  br label %%x%d\nn%d:\n", id, id, id);
        return;
    }
    T(e, "j%d:\n  %%su%d = call ptr @compiled_host(ptr %%k, i64 %%sy%d, i64 %u, i32 %u)\n", id, id,
      id, a->bytes, access_recent(e, a->in));
    T(e, "  %%sv%d = icmp eq ptr %%su%d, null\n  br i1 %%sv%d, label %%x%d, label %%n%d\nn%d:\n", id, id, id, id, id, id);
}

/** Each lane has its own place, all in one allocation of less than 2 GB, or the handler sees to it; without AVX-512. */
static void global_each(struct emit *e, struct access *a)
{
    int id = a->id;
    struct value base, size, host, last = emit_new(e, false), some = {.text = ""};
    find_some(e, a);
    access_recent_range(e, a, &base, &size, &host);
    snprintf(some.text, sizeof some.text, "%%sy%d", id);
    struct value safe = access_safe(e, a, a->address, 64, some), bases = emit_spread(e, base, 64);
    T(e, "  %s = sub i64 %s, %u\n  %%sa%d = sub <32 x i64> %s, %s\n", last.text, size.text, a->bytes, id, safe.text, bases.text);
    T(e, "  %%sb%d = call i64 @llvm.vector.reduce.or.v32i64(<32 x i64> %%sa%d)\n  %%sc%d = or i64 %%sb%d, %s\n", id, id, id, id, base.text);
    T(e, "  %%pl%d = trunc <32 x i64> %%sa%d to <32 x i32>\n  %%sm%d = call i32 @llvm.vector.reduce.umax.v32i32(<32 x i32> %%pl%d)\n", id, id, id,
      id);
    T(e, "  %%sf%d = icmp ult i64 %%sb%d, 2147483648\n  %%sd%d = and i64 %%sc%d, %u\n  %%se%d = icmp eq i64 %%sd%d, 0\n", id, id, id, id,
      a->bytes - 1, id, id);
    T(e, "  %%sg%d = zext i32 %%sm%d to i64\n  %%sh%d = icmp ule i64 %%sg%d, %s\n  %%si%d = icmp ult i64 %s, 2147483647\n", id, id, id, id, last.text,
      id, last.text);
    T(e, "  %%sk%d = and i1 %%sf%d, %%se%d\n  %%sl%d = and i1 %%sh%d, %%si%d\n  %%sj%d = and i1 %%sk%d, %%sl%d\n", id, id, id, id, id, id, id, id,
      id);
    T(e, "  br i1 %%sj%d, label %%v%d, label %%x%d, !prof !0\nv%d:\n", id, id, id, id);
    access_each(e, a, host.text);
}

/** The same with AVX-512; `known`: access_known_tile() stands before it. All lanes that run are held against the allocation found last; if that is not theirs, some lane's is found, and they are once more. */
static void scattered_global(struct emit *e, struct access *a, bool known)
{
    int id = a->id;
    struct value base, size, host, last = emit_new(e, false), begin = emit_new(e, false), low = emit_new(e, false),
                 first = emit_new(e, false), even = emit_new(e, false), ptrs = emit_new(e, true), mask = emit_mask(e, a->active.text), none = {.text = "zeroinitializer"};
    T(e, "  br label %%sn%d\nsn%d:\n  br label %%n%d\nn%d:\n  %%sxt%d = phi i1 [ false, %%sn%d ], [ true, %%so%d ]\n", id, id, id, id, id, id, id);
    access_recent_range(e, a, &base, &size, &host);
    T(e, "  %s = sub i64 %s, %u\n", last.text, size.text, a->bytes);
    struct value bases = emit_spread(e, base, 64);
    T(e, "  %%sb%d = sub <32 x i64> %s, %s\n  %%sa%d = select <32 x i1> %s, <32 x i64> %%sb%d, <32 x i64> %s\n", id, a->address.text, bases.text, id, mask.text, id,
      none.text);
    access_low_words(e, id, "sa", "sj", "sc");
    struct value aligned = access_have_none(e, id, "sc", ~2147483647ll | (a->bytes - 1)), narrow = emit_new(e, false);
    T(e, "  %s = trunc i64 %s to i32\n", narrow.text, last.text);
    struct value lasts = emit_spread(e, narrow, 32);
    T(e, "  %%sd%d = icmp ugt <32 x i32> %%sj%d, %s\n  %%sf%d = bitcast <32 x i1> %%sd%d to i32\n  %%sw%d = icmp eq i32 %%sf%d, 0\n", id, id, lasts.text, id, id, id, id);
    T(e, "  %s = and i64 %s, %u\n  %%sg%d = icmp eq i64 %s, 0\n  %%sh%d = icmp ult i64 %s, 2147483647\n", even.text, base.text, a->bytes - 1,
      id, even.text, id, last.text);
    T(e, "  %%sn%dx = and i1 %%sw%d, %s\n  %%sn%dy = and i1 %%sn%dx, %%sg%d\n", id, id, aligned.text, id, id, id);
    T(e, "  %%si%d = and i1 %%sn%dy, %%sh%d\n  br i1 %%si%d, label %%v%d, label %%sm%d, !prof !0\n", id, id, id, id, id, id);
    T(e, "sm%d:\n  br i1 %%sxt%d, label %%x%d, label %%sl%d\nsl%d:\n", id, id, id, id, id);
    if (a->quiet)
        T(e, "  br label %%x%d\nso%d:\n  br label %%n%d\n", id, id, id);
    else {
        some_address(e, a);
        T(e, "  %%su%d = call ptr @compiled_host(ptr %%k, i64 %%sy%d, i64 %u, i32 %u)\n  %%sv%d = icmp eq ptr %%su%d, null\n", id, id, a->bytes,
          access_recent(e, a->in), id, id);
        T(e, "  br i1 %%sv%d, label %%x%d, label %%so%d\nso%d:\n  br label %%n%d\n", id, id, id, id, id);
    }
    T(e, "v%d:\n", id);
    T(e, "  %s = ptrtoint ptr %s to i64\n  %s = trunc i64 %s to i32\n  %s = and i32 %s, %d\n", begin.text, host.text, low.text, begin.text,
      first.text, low.text, (1 << SECTOR_BITS) - 1);
    char name[24];
    struct value firsts = emit_spread(e, first, 32);
    T(e, "  %%sk%d = add <32 x i32> %%sj%d, %s\n", id, id, firsts.text);
    snprintf(name, sizeof name, "%%sk%d", id);
    access_count_traffic(e, a, access_running_sectors(e, name, a->active).text);
    snprintf(name, sizeof name, "%%sj%d", id);
    if (!known)
        access_halves(e, a, name, 32, host.text);
    if (a->load && !a->gathered && !e->gathers && !access_is_even(e, a))
        load_one_by_one(e, a, host.text);
    T(e, "  %s = getelementptr i8, ptr %s, <32 x i32> %%sj%d\n", ptrs.text, host.text, id);
    access_lanes(e, a, ptrs);
}

void access_global(struct emit *e, struct access *a)
{
    int id = a->id;
    if (!a->address.vector) {
        find_host(e, a, a->address.text, a->bytes, "x");
        access_count_traffic(e, a, "1");
        access_one(e, a);
        T(e, "  br label %%d%d\n", id);
        return;
    }
    char first[24];
    struct indexed x;
    snprintf(first, sizeof first, "%%f%d", id);
    bool indexed = access_indexed(e, a->in, &x), lies_in_row = a->form.kind == FORM_EVEN && a->form.step == a->step;
    a->gathered = indexed && a->load && !a->quiet && !lies_in_row; /* quiet loads have their checked way beside them: fewer are written out */
    if (indexed && !e->wide)
        access_by_index(e, a, &x);
    if (a->gathered)
        access_gather(e, a, &x);
    access_split_by_order(e, a);
    T(e, "o%d:\n", id);
    find_host(e, a, first, WARP_LANES * a->bytes, e->wide ? "x" : "s"); /* so nobody needs lanes' addresses but behind label sID */
    access_split_by_mask(e, a, "w", "u");
    T(e, "w%d:\n", id);
    count_consecutive(e, a, true);
    access_fetch_turns_ahead(e, a);
    access_vector(e, a, true);
    T(e, "  br label %%d%d\nu%d:\n", id, id);
    count_consecutive(e, a, false);
    access_vector(e, a, false);
    T(e, "  br label %%d%d\ns%d:\n", id, id);
    if (e->wide) {
        bool known = !a->quiet && access_known_tile(e, a);
        scattered_global(e, a, known);
        T(e, "  br label %%d%d\n", id);
    } else {
        if (!a->quiet)
            access_tile(e, a);
        global_each(e, a);
    }
}

void emit_global_alone(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    access_skip_if_none(e, &a);
    access_global(e, &a);
    access_otherwise(e, &a);
}
