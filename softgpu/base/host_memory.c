/**
 * @file host_memory.c
 * See host_memory.h.
 */
#include "base/host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LEAST (128ull << 20)
#define MOST (32ull << 30) /* of which a part is kept, on a large machine */

static unsigned kept_part = 32;
static uint64_t short_at;

/** The number behind `key` in a file of lines "key number …"; `key` "": the file's first word. */
static bool read_number_of(const char *path, const char *key, uint64_t *number)
{
    char line[256];
    FILE *f = fopen(path, "re");
    bool found = false;
    size_t n = strlen(key);
    while (f && !found && fgets(line, sizeof line, f))
        found = !strncmp(line, key, n) && sscanf(line + n, "%" SCNu64, number) == 1;
    if (f)
        fclose(f);
    return found;
}

static bool too_little(uint64_t left, uint64_t whole, unsigned part)
{
    uint64_t keep = (whole < MOST ? whole : MOST) / part;
    return left < (keep < LEAST ? LEAST : keep);
}

/** What a version of control groups calls a group's limit, what it uses, and which part of that are files that can be read again. */
struct group_files {
    const char *folder, *limit, *used, *cache;
};
static const struct group_files versions[] = {
    {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file "},
    {"/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
};

static bool group_is_short(const char *root, const struct group_files *v, const char *group, unsigned part)
{
    char path[3][1024];
    uint64_t limit, used, cache = 0;
    const char *file[3] = {v->limit, v->used, "memory.stat"};
    for (int i = 0; i < 3; i++)
        if (snprintf(path[i], sizeof path[i], "%s%s%s/%s", root, v->folder, group, file[i]) >= (int)sizeof path[i])
            return false;
    if (!read_number_of(path[0], "", &limit) || !read_number_of(path[1], "", &used)) /* "max" is no number */
        return false;
    read_number_of(path[2], v->cache, &cache);
    used -= cache < used ? cache : used;
    return too_little(used < limit ? limit - used : 0, limit, part);
}

/** It, or one that it is in. Changes `group`. In a container the uppermost is the one that the container has. */
static bool one_is_short(const char *root, const struct group_files *v, char *group, unsigned part)
{
    bool is_short = group_is_short(root, v, "", part);
    for (; !is_short && group[0] && group[1]; *strrchr(group, '/') = 0)
        is_short = group_is_short(root, v, group, part);
    return is_short;
}

/** Of the groups that `root`/proc/self/cgroup names, a line "number:controllers:/group" each; those of version 2 name no controller. */
static bool groups_are_short(const char *root, unsigned part)
{
    char line[900], path[512];
    bool is_short = false;
    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *f = fopen(path, "re");
    while (f && !is_short && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group || group[1] != '/')
            continue;
        *group++ = 0;
        int version = controllers[1] == 0 ? 0 : strcmp(controllers + 1, "memory") == 0 ? 1 : -1;
        is_short = version >= 0 && one_is_short(root, &versions[version], group, part);
    }
    if (f)
        fclose(f);
    return is_short;
}

bool host_memory_look(const char *root, unsigned part)
{
    char path[512];
    uint64_t left, whole;
    snprintf(path, sizeof path, "%s/proc/meminfo", root);
    bool known = read_number_of(path, "MemAvailable:", &left) && read_number_of(path, "MemTotal:", &whole);
    return (known && too_little(left << 10, whole << 10, part)) || groups_are_short(root, part);
}

uint64_t host_memory_whole(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), each = sysconf(_SC_PAGESIZE);
    return pages > 0 && each > 0 ? (uint64_t)pages * (uint64_t)each : UINT64_MAX;
}

unsigned host_memory_part(void)
{
    return kept_part;
}

void host_memory_keep(unsigned part)
{
    kept_part = part;
}

void host_memory_set_short(uint64_t used)
{
    __atomic_store_n(&short_at, used, __ATOMIC_RELAXED);
}

uint64_t host_memory_short(void)
{
    return __atomic_load_n(&short_at, __ATOMIC_RELAXED);
}
