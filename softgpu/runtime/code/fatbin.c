/**
 * @file fatbin.c
 * Reading fat binaries: header, entries, decompression.
 */
#include "runtime/code/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "runtime/code/register_bound.h"
#include "runtime/code/target.h"

/** No PTX that a program carries is larger; bounds what a forged length can make us allocate. */
#define MAX_PTX_BYTES (256u << 20)
#define MAX_ENTRIES 4096

#define KIND_PTX 1
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define FLAG_ONE_DEVICE 0x100000u /* .target sm_90a */
#define FLAG_FAMILY 0x200000u     /* .target sm_100f */

/* Offsets in an entry's header. */
enum {
    ENTRY_KIND = 0x00, ENTRY_HEADER = 0x04, ENTRY_PAYLOAD = 0x08, ENTRY_PACKED = 0x10, ENTRY_OPTIONS = 0x14,
    ENTRY_MINOR = 0x18, ENTRY_MAJOR = 0x1a, ENTRY_SM = 0x1c, ENTRY_FLAGS = 0x28,
    ENTRY_UNPACKED = 0x38, ENTRY_MIN_HEADER = 0x40
};

struct entry {
    const uint8_t *payload;
    uint64_t payload_bytes, unpacked_bytes, flags;
    uint32_t packed_bytes;
    uint16_t kind, major, minor;
    uint32_t sm;
    unsigned most_registers; /* of a kernel without a bound of its own; 0: as many as it likes */
};

static uint64_t get(const uint8_t *p, int bytes)
{
    uint64_t v = 0;
    memcpy(&v, p, (size_t)bytes);
    return v;
}

static enum fatbin_status broken(struct diag *d, const char *what)
{
    diag_at(d, DIAG_SYNTAX, NULL, 0, 0, "broken fat binary: %s", what);
    return FATBIN_BROKEN;
}

/* Of PTX: what nvcc told ptxas. The header has the place of a pair, the text's own place and its length; 0: there is none. */
static unsigned read_bound(const uint8_t *p, uint64_t header)
{
    uint64_t pair = get(p + ENTRY_OPTIONS, 4);
    if (!pair || pair > header - 8)
        return 0;
    uint64_t at = get(p + pair, 4), bytes = get(p + pair + 4, 4);
    char options[1024];
    if (at > header || bytes > header - at || bytes >= sizeof options)
        return 0;
    memcpy(options, p + at, bytes);
    options[bytes] = 0;
    return register_bound_of(options);
}

/* Reads the entry at `p`, of which `left` bytes are there. @return its bytes, 0 if it is broken */
static uint64_t read_entry(const uint8_t *p, uint64_t left, struct entry *e)
{
    if (left < ENTRY_MIN_HEADER)
        return 0;
    uint64_t header = get(p + ENTRY_HEADER, 4), payload = get(p + ENTRY_PAYLOAD, 8);
    if (header < ENTRY_MIN_HEADER || header > left || payload > left - header)
        return 0;
    *e = (struct entry){
        .payload = p + header, .payload_bytes = payload,
        .unpacked_bytes = get(p + ENTRY_UNPACKED, 8), .flags = get(p + ENTRY_FLAGS, 8),
        .packed_bytes = (uint32_t)get(p + ENTRY_PACKED, 4), .kind = (uint16_t)get(p + ENTRY_KIND, 2),
        .major = (uint16_t)get(p + ENTRY_MAJOR, 2), .minor = (uint16_t)get(p + ENTRY_MINOR, 2),
        .sm = (uint32_t)get(p + ENTRY_SM, 4), .most_registers = read_bound(p, header),
    };
    return header + payload;
}

static bool unpack(const struct entry *e, char *to, size_t bytes)
{
    if (e->flags & FLAG_ZSTD) {
        size_t n = ZSTD_decompress(to, bytes, e->payload, e->packed_bytes);
        return !ZSTD_isError(n) && n == bytes;
    }
    if (e->flags & FLAG_LZ4)
        return LZ4_decompress_safe((const char *)e->payload, to, (int)e->packed_bytes,
                                   (int)bytes) == (int)bytes;
    memcpy(to, e->payload, bytes);
    return true;
}

/* The entry's bytes, unpacked, with a NUL behind them; the caller's. NULL with `d` filled where it is broken. */
static char *contents(const struct entry *e, size_t *count, struct diag *d)
{
    bool packed = e->flags & (FLAG_LZ4 | FLAG_ZSTD);
    uint64_t bytes = packed ? e->unpacked_bytes : e->payload_bytes;
    if (bytes > MAX_PTX_BYTES) {
        broken(d, "its PTX claims more than 256 MiB");
        return NULL;
    }
    if (packed && (e->packed_bytes > e->payload_bytes || e->packed_bytes > MAX_PTX_BYTES)) {
        broken(d, "compressed PTX reaches past its entry");
        return NULL;
    }
    char *text = malloc(bytes + 1);
    if (!text)
        abort();
    if (!unpack(e, text, bytes)) {
        free(text);
        broken(d, "compressed PTX is damaged");
        return NULL;
    }
    text[*count = bytes] = 0;
    return text;
}

static enum fatbin_status extract(const struct entry *e, struct fatbin_ptx *out, struct diag *d)
{
    size_t bytes;
    char *text = contents(e, &bytes, d);
    if (!text)
        return FATBIN_BROKEN;
    /* Padding and the terminating NUL are not part of the text. */
    bytes = strnlen(text, bytes);
    if (e->most_registers) {
        char *bounded = register_bound_behind(text, bytes, e->most_registers);
        free(text);
        text = bounded;
        bytes = strlen(text);
    }
    *out = (struct fatbin_ptx){text, bytes, (int)e->sm, e->major, e->minor};
    return FATBIN_OK;
}

static char suffix_of(const struct entry *e)
{
    return e->flags & FLAG_ONE_DEVICE ? 'a' : e->flags & FLAG_FAMILY ? 'f' : 0;
}

/* Where the entries lie in a fat binary. */
static bool read_header(const uint8_t *p, size_t limit, uint64_t *at, uint64_t *end, struct diag *d)
{
    if (limit < 16 || get(p, 4) != FATBIN_MAGIC)
        return broken(d, "the header is missing"), false;
    uint64_t header = get(p + 6, 2), size = get(p + 8, 8);
    if (header < 16 || header > limit || size > limit - header)
        return broken(d, "it is shorter than its header says"), false;
    *at = header;
    *end = header + size;
    return true;
}

enum fatbin_status fatbin_find_ptx(const void *data, size_t limit, int sm, struct fatbin_ptx *out,
                                   struct diag *d)
{
    const uint8_t *p = data;
    struct entry best = {0}, e;
    bool found = false, later = false, other = false;
    uint64_t at, end;
    if (!read_header(p, limit, &at, &end, d))
        return FATBIN_BROKEN;
    for (int n = 0; at < end; n++) {
        uint64_t bytes = n < MAX_ENTRIES ? read_entry(p + at, end - at, &e) : 0;
        if (!bytes)
            return broken(d, "an entry reaches past its end");
        at += bytes;
        if (e.kind != KIND_PTX)
            continue;
        if (!target_runs_on((int64_t)e.sm, suffix_of(&e), sm)) {
            other |= (int64_t)e.sm <= sm;
            later = true;
        } else if (!found || e.sm >= best.sm) {
            found = true;
            best = e;
        }
    }
    if (found)
        return extract(&best, out, d);
    diag_at(d, DIAG_UNSUPPORTED, NULL, 0, 0,
            other ? "the program's PTX is for other devices than sm_%d alone (-arch with a suffix a or f): "
                    "compile without the suffix, or choose that --device"
            : later ? "the program's PTX is for newer devices than sm_%d: compile with a lower -arch, "
                      "or choose a newer --device (softgpu --devices lists them)"
                    : "no PTX in the program, only machine code (device sm_%d): compile with "
                    "-arch=compute_75 or -gencode arch=compute_75,code=compute_75",
            sm);
    return later ? FATBIN_TOO_NEW : FATBIN_NO_PTX;
}

bool fatbin_is_device_runtime(const void *data, size_t limit)
{
    static const char word[] = "_cuda_device_runtime_cu_"; /* in the names of what it keeps for itself */
    struct diag unused = {0};
    struct entry e;
    uint64_t at, end;
    size_t bytes;
    if (!read_header(data, limit, &at, &end, &unused) || at == end ||
        !read_entry((const uint8_t *)data + at, end - at, &e))
        return false;
    char *text = contents(&e, &bytes, &unused);
    bool is = text && memmem(text, bytes, word, sizeof word - 1);
    free(text);
    return is;
}
