/**
 * @file test_host_memory.c
 * When the host's memory counts as short: by /proc/meminfo, by a control group of version 2 and 1, and by one that this is in; never where nothing
 * says how much there is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/host_memory.h"
#include "unit.h"

static char root[] = "/tmp/host_memory.XXXXXX";

/** Writes a file below the root, and the folders that it is in. */
static void put(const char *path, const char *form, ...)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = strchr(full + sizeof root, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    va_list args;
    va_start(args, form);
    vfprintf(f, form, args);
    va_end(args);
    CU_ASSERT_EQUAL(fclose(f), 0);
}

static void gone(const char *path)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    CU_ASSERT_EQUAL(remove(full), 0);
}

static void meminfo(unsigned megabytes, unsigned available)
{
    put("/proc/meminfo", "MemTotal:       %u kB\nMemFree:          1 kB\nMemAvailable:   %u kB\n", megabytes << 10, available << 10);
}

static void test_host(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(root));
    CU_ASSERT_FALSE(host_memory_look(root, 32)); /* there is no file */
    meminfo(16384, 520);
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    CU_ASSERT_TRUE(host_memory_look(root, 8));
    meminfo(16384, 500);
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    meminfo(1024, 130); /* at least 128 MB */
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    meminfo(1024, 120);
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    meminfo(2u << 20, 1030); /* two terabytes: no more than of 32 GB */
    CU_ASSERT_FALSE(host_memory_look(root, 32));
}

static void group(const char *folder, const char *limit, const char *used, const char *cache, unsigned megabytes, unsigned use, unsigned files)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, limit);
    put(path, megabytes ? "%llu\n" : "max\n", (unsigned long long)megabytes << 20);
    snprintf(path, sizeof path, "%s/%s", folder, used);
    put(path, "%llu\n", (unsigned long long)use << 20);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    put(path, "anon 5\n%s %llu\n", cache, (unsigned long long)files << 20);
}
#define GROUP2(folder, ...) group("/sys/fs/cgroup" folder, "memory.max", "memory.current", "inactive_file", __VA_ARGS__)
#define GROUP1(folder, ...) group("/sys/fs/cgroup/memory" folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", __VA_ARGS__)

static void test_groups(void)
{
    meminfo(16384, 8000);
    put("/proc/self/cgroup", "0::/a/b\n");
    GROUP2("/a/b", 0, 7000, 0);
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    GROUP2("/a/b", 2048, 1900, 0); /* 148 left */
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    GROUP2("/a/b", 2048, 2000, 0);
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    GROUP2("/a/b", 2048, 2000, 1000); /* files that were read */
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    GROUP2("/a", 1024, 1000, 0); /* what it is in */
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    GROUP2("/a", 0, 1000, 0);
    GROUP2("", 1024, 1000, 0); /* a container's own */
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    gone("/sys/fs/cgroup/memory.max");
    CU_ASSERT_FALSE(host_memory_look(root, 32));

    put("/proc/self/cgroup", "9:name=systemd:/x\n4:memory:/x\n1:cpu:/\n");
    GROUP1("/x", 2048, 1000, 0);
    CU_ASSERT_FALSE(host_memory_look(root, 32));
    GROUP1("/x", 2048, 2040, 0);
    CU_ASSERT_TRUE(host_memory_look(root, 32));
    GROUP1("/x", 2048, 2040, 1000);
    CU_ASSERT_FALSE(host_memory_look(root, 32));

    char command[64];
    snprintf(command, sizeof command, "rm -r %s", root);
    CU_ASSERT_EQUAL(system(command), 0);
}

UNIT_MAIN("host memory", {"the host's", test_host}, {"control groups'", test_groups})
