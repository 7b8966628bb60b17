/**
 * @file emit_memory.c
 * Loads and stores of one element of 4 or 8 bytes a lane: parameters, global and shared memory. What is usual is written
 * out: one address for all lanes, lanes one after another, lanes anywhere in one allocation. All else (another allocation
 * that is not found at once, an address outside, a misaligned one) is the interpreter's handler's, which explains faults.
 *
 * Traffic is counted as execute/traffic.h counts it.
 */
#include "compile/emit.h"

#include "compile/support.h"
#include "execute/engine.h"
#include "execute/traffic.h"

/** One access on its way. */
struct access {
    const struct insn *in;
    int id;                    /**< of its labels */
    unsigned bytes, bits;
    bool load;
    struct value address;      /**< with the offset in it */
    unsigned address_bits;
    struct value active;
    struct value stored;       /**< a store's value */
    bool counted;              /**< global: traffic */
};

static struct access access_of(struct emit *e, const struct insn *in)
{
    struct access a = {.in = in, .id = e->next++, .bytes = in->mem.bytes, .bits = in->mem.bytes * 8u,
                       .load = insn_class(in) == INSN_LOAD, .counted = in->mem.space == SPACE_GLOBAL};
    a.address_bits = in->mem.address_bytes == 4 ? 32 : 64;
    if (in->mem.address_bytes == 0) {
        snprintf(a.address.text, sizeof a.address.text, "%lld", (long long)in->offset);
    } else {
        a.address = emit_use_as(e, in->src[0], a.address_bits);
        struct value sum = emit_new(e, a.address.vector);
        const char *type = emit_type(a.address_bits, a.address.vector);
        long long offset = a.address_bits == 32 ? (long long)(int32_t)in->offset : (long long)in->offset;
        if (a.address.vector)
            T(e, "  %s = add %s %s, splat (i%u %lld)\n", sum.text, type, a.address.text, a.address_bits, offset);
        else
            T(e, "  %s = add %s %s, %lld\n", sum.text, type, a.address.text, offset);
        a.address = sum;
    }
    if (!a.load)
        a.stored = emit_use_as(e, in->src[1], in->src[1] & CONST_BIT ? a.bits : emit_bits(e, in->src[1]));
    a.active = emit_active(e, in);
    return a;
}

/** Loads or stores at `%hID`, for all lanes or those that run. */
static void move_vector(struct emit *e, struct access *a, bool all)
{
    const char *type = emit_type(a->bits, true);
    struct value v = a->load ? emit_new(e, true) : emit_spread(e, a->stored, a->bits);
    struct value mask = all ? v : emit_mask(e, a->active.text);
    if (a->load && all)
        T(e, "  %s = load %s, ptr %%h%d, align %u\n", v.text, type, a->id, a->bytes);
    else if (a->load)
        T(e, "  %s = call %s @llvm.masked.load.v32i%u.p0(ptr %%h%d, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text, type,
          a->bits, a->id, a->bytes, mask.text, type);
    else if (all)
        T(e, "  store %s %s, ptr %%h%d, align %u\n", type, v.text, a->id, a->bytes);
    else
        T(e, "  call void @llvm.masked.store.v32i%u.p0(%s %s, ptr %%h%d, i32 %u, <32 x i1> %s)\n", a->bits, type, v.text, a->id,
          a->bytes, mask.text);
    if (a->load)
        emit_define(e, a->in, a->in->dst, v);
}

/** The same lane by lane, at the addresses `ptrs`. */
static void move_lanes(struct emit *e, struct access *a, struct value ptrs)
{
    const char *type = emit_type(a->bits, true);
    struct value v = a->load ? emit_new(e, true) : emit_spread(e, a->stored, a->bits), mask = emit_mask(e, a->active.text);
    if (a->load)
        T(e, "  %s = call %s @llvm.masked.gather.v32i%u.v32p0(<32 x ptr> %s, i32 %u, <32 x i1> %s, %s zeroinitializer)\n", v.text,
          type, a->bits, ptrs.text, a->bytes, mask.text, type);
    else
        T(e, "  call void @llvm.masked.scatter.v32i%u.v32p0(%s %s, <32 x ptr> %s, i32 %u, <32 x i1> %s)\n", a->bits, type, v.text,
          ptrs.text, a->bytes, mask.text);
    if (a->load)
        emit_define(e, a->in, a->in->dst, v);
}

/** One address for all lanes; the highest lane's value stays. */
static void move_one(struct emit *e, struct access *a)
{
    const char *type = emit_type(a->bits, false);
    struct value v = emit_new(e, false);
    if (a->load) {
        T(e, "  %s = load %s, ptr %%h%d, align %u\n", v.text, type, a->id, a->bytes);
        emit_define(e, a->in, a->in->dst, v);
        return;
    }
    if (a->stored.vector) {
        struct value zeros = emit_new(e, false), lane = emit_new(e, false);
        T(e, "  %s = call i32 @llvm.ctlz.i32(i32 %s, i1 true)\n  %s = sub i32 31, %s\n", zeros.text, a->active.text, lane.text,
          zeros.text);
        T(e, "  %s = extractelement %s %s, i32 %s\n", v.text, emit_type(a->bits, true), a->stored.text, lane.text);
    } else
        v = a->stored;
    T(e, "  store %s %s, ptr %%h%d, align %u\n", type, v.text, a->id, a->bytes);
}

static void count_traffic(struct emit *e, const struct access *a, const char *sectors)
{
    struct value moved = emit_new(e, false);
    if (!a->counted)
        return;
    if (a->load)
        emit_add(e, "1", "%k", FIELD(worker, loads));
    T(e, "  %s = shl i64 %s, %d\n", moved.text, sectors, SECTOR_BITS);
    emit_add(e, moved.text, "%k", FIELD(worker, moved));
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
    count_traffic(e, a, name);
}

/** The lanes' addresses (vector) are `first` + lane * bytes for those that run: to label oID, else to sID. */
static void split_by_order(struct emit *e, const struct access *a)
{
    struct value even = emit_new(e, true), spread, unlike = emit_new(e, true), bits = emit_new(e, false), some = emit_new(e, false),
                 order = emit_new(e, false);
    const char *type = emit_type(a->address_bits, true);
    T(e, "  %%f%d = extractelement %s %s, i64 0\n", a->id, type, a->address.text);
    struct value first = {.text = ""};
    snprintf(first.text, sizeof first.text, "%%f%d", a->id);
    spread = emit_spread(e, first, a->address_bits);
    T(e, "  %s = add %s %s, <", even.text, type, spread.text);
    for (unsigned i = 0; i < WARP_LANES; i++)
        T(e, "%si%u %u", i ? ", " : "", a->address_bits, i * a->bytes);
    T(e, ">\n  %s = icmp ne %s %s, %s\n  %s = bitcast <32 x i1> %s to i32\n", unlike.text, type, a->address.text, even.text,
      bits.text, unlike.text);
    T(e, "  %s = and i32 %s, %s\n  %s = icmp eq i32 %s, 0\n", some.text, bits.text, a->active.text, order.text, some.text);
    T(e, "  br i1 %s, label %%o%d, label %%s%d\n", order.text, a->id, a->id);
}

/** Goes to `yes` where all lanes run, else to `no`. */
static void split_by_mask(struct emit *e, const struct access *a, const char *yes, const char *no)
{
    struct value all = emit_new(e, false);
    T(e, "  %s = icmp eq i32 %s, -1\n  br i1 %s, label %%%s%d, label %%%s%d\n", all.text, a->active.text, all.text, yes, a->id, no,
      a->id);
}

/** The handler does it; ends at label dID. */
static void otherwise(struct emit *e, const struct access *a)
{
    T(e, "x%d:\n", a->id);
    emit_faulting(e, a->in);
    if (a->load)
        emit_reload(e, a->in, a->in->dst);
    T(e, "  br label %%d%d\nd%d:\n", a->id, a->id);
}

/** Nobody accesses anything where the guard lets no lane. */
static void skip_if_none(struct emit *e, const struct access *a)
{
    if (a->in->guard == REG_NONE)
        return;
    struct value any = emit_new(e, false);
    T(e, "  %s = icmp ne i32 %s, 0\n  br i1 %s, label %%a%d, label %%d%d\na%d:\n", any.text, a->active.text, any.text, a->id, a->id,
      a->id);
}

/* ---- Global memory */

/** The host's place of `bytes` bytes at a device address, in %hID at label gID; xID where there is none at once. */
static void find_host(struct emit *e, const struct access *a, const char *address, unsigned bytes)
{
    int id = a->id;
    struct value base = emit_load(e, "i64", "%k", FIELD(worker, cache_base));
    struct value size = emit_load(e, "i64", "%k", FIELD(worker, cache_bytes));
    struct value host = emit_load(e, "ptr", "%k", FIELD(worker, cache_host));
    T(e, "  %%ga%d = sub i64 %s, %s\n  %%gb%d = icmp ult i64 %%ga%d, %s\n", id, address, base.text, id, id, size.text);
    T(e, "  %%gc%d = sub i64 %s, %%ga%d\n  %%gd%d = icmp uge i64 %%gc%d, %u\n", id, size.text, id, id, id, bytes);
    T(e, "  %%ge%d = and i64 %s, %u\n  %%gf%d = icmp eq i64 %%ge%d, 0\n", id, address, a->bytes - 1, id, id);
    T(e, "  %%gg%d = and i1 %%gb%d, %%gd%d\n  %%gh%d = and i1 %%gg%d, %%gf%d\n", id, id, id, id, id, id);
    T(e, "  %%gi%d = getelementptr i8, ptr %s, i64 %%ga%d\n  br i1 %%gh%d, label %%g%d, label %%m%d, !prof !0\n", id, host.text, id,
      id, id, id);
    T(e, "m%d:\n  br i1 %%gf%d, label %%y%d, label %%x%d\n", id, id, id, id);
    T(e, "y%d:\n  %%gj%d = call ptr inttoptr (i64 %llu to ptr)(ptr %%k, i64 %s, i64 %u)\n", id, id,
      (unsigned long long)(uintptr_t)compiled_host, address, bytes);
    T(e, "  %%gk%d = icmp eq ptr %%gj%d, null\n  br i1 %%gk%d, label %%x%d, label %%z%d\nz%d:\n  br label %%g%d\n", id, id, id, id, id,
      id, id);
    T(e, "g%d:\n  %%h%d = phi ptr [ %%gi%d, %%%s%d ], [ %%gj%d, %%z%d ]\n", id, id, id, "from", id, id, id);
}

/** Begins the block that find_host() says its place comes from. */
static void begin_search(struct emit *e, const struct access *a)
{
    T(e, "  br label %%from%d\nfrom%d:\n", a->id, a->id);
}

/** All lanes run, each has its own place: in the allocation that was used last, or the handler sees to it. */
static void scattered_global(struct emit *e, struct access *a)
{
    int id = a->id;
    struct value base = emit_load(e, "i64", "%k", FIELD(worker, cache_base));
    struct value size = emit_load(e, "i64", "%k", FIELD(worker, cache_bytes));
    struct value host = emit_load(e, "ptr", "%k", FIELD(worker, cache_host));
    struct value bases = emit_spread(e, base, 64), last = emit_new(e, false);
    T(e, "  %s = sub i64 %s, %u\n", last.text, size.text, a->bytes);
    struct value lasts = emit_spread(e, last, 64);
    T(e, "  %%sa%d = sub <32 x i64> %s, %s\n  %%sb%d = icmp ugt <32 x i64> %%sa%d, %s\n", id, a->address.text, bases.text, id, id,
      lasts.text);
    T(e, "  %%sc%d = and <32 x i64> %s, splat (i64 %u)\n  %%sd%d = icmp ne <32 x i64> %%sc%d, zeroinitializer\n", id, a->address.text,
      a->bytes - 1, id, id);
    T(e, "  %%se%d = or <32 x i1> %%sb%d, %%sd%d\n  %%sf%d = bitcast <32 x i1> %%se%d to i32\n", id, id, id, id, id);
    T(e, "  %%sg%d = icmp eq i32 %%sf%d, 0\n  %%sh%d = icmp uge i64 %s, %u\n  %%si%d = and i1 %%sg%d, %%sh%d\n", id, id, id, size.text,
      a->bytes, id, id, id);
    T(e, "  br i1 %%si%d, label %%v%d, label %%x%d\nv%d:\n", id, id, id, id);
    struct value begin = emit_new(e, false);
    T(e, "  %s = ptrtoint ptr %s to i64\n", begin.text, host.text);
    struct value begins = emit_spread(e, begin, 64);
    T(e, "  %%sj%d = add <32 x i64> %%sa%d, %s\n  %%sk%d = lshr <32 x i64> %%sj%d, splat (i64 5)\n", id, id, begins.text, id, id);
    T(e, "  %%sl%d = shufflevector <32 x i64> %%sk%d, <32 x i64> poison, <32 x i32> <i32 0", id, id);
    for (int i = 0; i < WARP_LANES - 1; i++)
        T(e, ", i32 %d", i);
    T(e, ">\n  %%sm%d = icmp ne <32 x i64> %%sk%d, %%sl%d\n  %%sn%d = bitcast <32 x i1> %%sm%d to i32\n", id, id, id, id, id);
    T(e, "  %%so%d = call i32 @llvm.ctpop.i32(i32 %%sn%d)\n  %%sp%d = zext i32 %%so%d to i64\n  %%sq%d = add i64 %%sp%d, 1\n", id, id,
      id, id, id, id);
    char name[24];
    snprintf(name, sizeof name, "%%sq%d", id);
    count_traffic(e, a, name);
    struct value ptrs = emit_new(e, true);
    T(e, "  %s = inttoptr <32 x i64> %%sj%d to <32 x ptr>\n", ptrs.text, id);
    move_lanes(e, a, ptrs);
}

void emit_global(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    int id = a.id;
    skip_if_none(e, &a);
    if (!a.address.vector) {
        begin_search(e, &a);
        find_host(e, &a, a.address.text, a.bytes);
        count_traffic(e, &a, "1");
        move_one(e, &a);
        T(e, "  br label %%d%d\n", id);
        otherwise(e, &a);
        return;
    }
    char first[24];
    snprintf(first, sizeof first, "%%f%d", id);
    split_by_order(e, &a);
    T(e, "o%d:\n", id);
    begin_search(e, &a);
    find_host(e, &a, first, WARP_LANES * a.bytes);
    split_by_mask(e, &a, "w", "u");
    T(e, "w%d:\n", id);
    count_consecutive(e, &a, true);
    move_vector(e, &a, true);
    T(e, "  br label %%d%d\nu%d:\n", id, id);
    count_consecutive(e, &a, false);
    move_vector(e, &a, false);
    T(e, "  br label %%d%d\ns%d:\n", id, id);
    split_by_mask(e, &a, "q", "x");
    T(e, "q%d:\n", id);
    scattered_global(e, &a);
    T(e, "  br label %%d%d\n", id);
    otherwise(e, &a);
}

/* ---- Shared memory */

/** The address of one element lies in the block's shared memory: on to label gID with %hID, else to xID. */
static void shared_one(struct emit *e, struct access *a)
{
    int id = a->id;
    const char *type = emit_type(a->address_bits, false);
    if (a->address_bits == 64)
        T(e, "  %%ga%d = zext i32 %%size to i64\n", id);
    else
        T(e, "  %%ga%d = add i32 %%size, 0\n", id);
    T(e, "  %%gb%d = sub %s %%ga%d, %u\n  %%gc%d = icmp ule %s %s, %%gb%d\n", id, type, id, a->bytes, id, type, a->address.text, id);
    T(e, "  %%gd%d = icmp uge i32 %%size, %u\n  %%ge%d = and %s %s, %u\n  %%gf%d = icmp eq %s %%ge%d, 0\n", id, a->bytes, id, type,
      a->address.text, a->bytes - 1, id, type, id);
    T(e, "  %%gg%d = and i1 %%gc%d, %%gd%d\n  %%gh%d = and i1 %%gg%d, %%gf%d\n", id, id, id, id, id, id);
    T(e, "  br i1 %%gh%d, label %%g%d, label %%x%d, !prof !0\ng%d:\n", id, id, id, id);
    if (a->address_bits == 64)
        T(e, "  %%gi%d = add i64 %s, 0\n", id, a->address.text);
    else
        T(e, "  %%gi%d = zext i32 %s to i64\n", id, a->address.text);
    T(e, "  %%h%d = getelementptr i8, ptr %%shared, i64 %%gi%d\n", id, id);
}

/** All lanes' addresses lie there, or on to xID. */
static void shared_all(struct emit *e, struct access *a)
{
    int id = a->id;
    const char *type = emit_type(a->address_bits, true);
    struct value size = emit_new(e, false), last = emit_new(e, false);
    if (a->address_bits == 64)
        T(e, "  %s = zext i32 %%size to i64\n", size.text);
    else
        T(e, "  %s = add i32 %%size, 0\n", size.text);
    T(e, "  %s = sub i%u %s, %u\n", last.text, a->address_bits, size.text, a->bytes);
    struct value lasts = emit_spread(e, last, a->address_bits);
    T(e, "  %%sa%d = icmp ugt %s %s, %s\n", id, type, a->address.text, lasts.text);
    T(e, "  %%sb%d = and %s %s, splat (i%u %u)\n  %%sc%d = icmp ne %s %%sb%d, zeroinitializer\n", id, type, a->address.text,
      a->address_bits, a->bytes - 1, id, type, id);
    T(e, "  %%sd%d = or <32 x i1> %%sa%d, %%sc%d\n  %%se%d = bitcast <32 x i1> %%sd%d to i32\n", id, id, id, id, id);
    T(e, "  %%sf%d = and i32 %%se%d, %s\n  %%sg%d = icmp eq i32 %%sf%d, 0\n", id, id, a->active.text, id, id);
    T(e, "  %%sh%d = icmp uge i32 %%size, %u\n  %%si%d = and i1 %%sg%d, %%sh%d\n", id, a->bytes, id, id, id);
    T(e, "  br i1 %%si%d, label %%v%d, label %%x%d, !prof !0\nv%d:\n", id, id, id, id);
}

void emit_shared(struct emit *e, const struct insn *in)
{
    struct access a = access_of(e, in);
    int id = a.id;
    skip_if_none(e, &a);
    if (!a.address.vector) {
        shared_one(e, &a);
        move_one(e, &a);
        T(e, "  br label %%d%d\n", id);
        otherwise(e, &a);
        return;
    }
    shared_all(e, &a);
    split_by_order(e, &a);
    T(e, "o%d:\n", id);
    if (a.address_bits == 64)
        T(e, "  %%gi%d = add i64 %%f%d, 0\n", id, id);
    else /* lane 0 may not run and stand before the first element */
        T(e, "  %%gi%d = sext i32 %%f%d to i64\n", id, id);
    T(e, "  %%h%d = getelementptr i8, ptr %%shared, i64 %%gi%d\n", id, id);
    split_by_mask(e, &a, "w", "u");
    T(e, "w%d:\n", id);
    move_vector(e, &a, true);
    T(e, "  br label %%d%d\nu%d:\n", id, id);
    move_vector(e, &a, false);
    T(e, "  br label %%d%d\ns%d:\n", id, id);
    struct value ptrs = emit_new(e, true);
    T(e, "  %s = getelementptr i8, ptr %%shared, %s %s\n", ptrs.text, emit_type(a.address_bits, true), a.address.text);
    move_lanes(e, &a, ptrs);
    T(e, "  br label %%d%d\n", id);
    otherwise(e, &a);
}

void emit_param(struct emit *e, const struct insn *in)
{
    struct value at = emit_new(e, false), v = emit_new(e, false);
    T(e, "  %s = getelementptr i8, ptr %%params, i64 %lld\n  %s = load i%u, ptr %s, align 1\n", at.text, (long long)in->offset,
      v.text, in->mem.bytes * 8u, at.text);
    emit_define(e, in, in->dst, v);
}
