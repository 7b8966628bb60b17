/**
 * @file device.c
 * See device.h.
 */
#include "run/device.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_ABOUT 4096

static bool holds(const char *folder, const char *library)
{
    char *file = text_format("%s/%s", folder, library);
    bool there = access(file, R_OK) == 0;
    free(file);
    return there;
}

static void add(struct gpu *g, const char *folder)
{
    int n = 0;
    while (g->folders[n])
        if (!strcmp(g->folders[n++], folder))
            return;
    if (n == GPU_MAX_FOLDERS)
        return;
    g->folders[n] = text_dup(folder);
    char *search = text_format("%s%s%s", g->search ? g->search : "", n ? ":" : "", folder);
    free(g->search);
    g->search = search;
}

/** The folder of the toolkit's own libcudart.so.13; NULL if it is not there. */
static char *toolkit_library(const struct kit *k)
{
    static const char *const places[] = {"lib64", "targets/x86_64-linux/lib", "lib"};
    char *tools = k->nvcc ? kit_tools(k) : NULL, *found = NULL;
    for (size_t i = 0; tools && !found && i < sizeof places / sizeof places[0]; i++) {
        char *folder = text_format("%s/../%s", tools, places[i]);
        if (holds(folder, "libcudart.so.13"))
            found = folder;
        else
            free(folder);
    }
    free(tools);
    return found;
}

/** Where the driver's library lies, if not where the loader looks by itself. */
static void add_driver(struct gpu *g)
{
    const char *path = getenv("LD_LIBRARY_PATH");
    char *all = text_format("%s:/usr/local/nvidia/lib64:/usr/lib/wsl/lib", path ? path : "");
    char *save = NULL;
    for (char *f = strtok_r(all, ":", &save); f; f = strtok_r(NULL, ":", &save))
        if (*f == '/' && holds(f, "libcuda.so.1")) {
            add(g, f);
            break;
        }
    free(all);
}

struct gpu *gpu_find(const struct kit *k, enum device_choice choice, struct trouble *t)
{
    const char *stand_in = getenv("FENCEPOST_GPU_LIBRARY");
    bool there = stand_in || access("/dev/nvidiactl", F_OK) == 0;
    if (choice == DEVICE_SOFTGPU || (choice == DEVICE_AUTO && !there))
        return NULL;
    if (!there) {
        trouble_set(t, "there is no NVIDIA GPU here");
        trouble_todo(t, "leave --device gpu out: softgpu judges without one");
        return NULL;
    }
    char *runtime = !stand_in                            ? toolkit_library(k)
                    : holds(stand_in, "libcudart.so.13") ? realpath(stand_in, NULL)
                                                         : NULL;
    if (!runtime) {
        if (choice == DEVICE_GPU)
            trouble_set(t, "there is no libcudart.so.13 in %s",
                        stand_in ? stand_in : "the CUDA toolkit");
        return NULL;
    }
    struct gpu *g = text_zalloc(1, sizeof *g);
    g->stand_in = stand_in != NULL;
    add(g, runtime);
    add_driver(g);
    free(runtime);
    return g;
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    for (int i = 0; i < GPU_MAX_FOLDERS; i++)
        free(g->folders[i]);
    free(g->search);
    free(g);
}

bool gpu_read_about(struct gpu_about *a, const char *path)
{
    const char *why, *name = NULL;
    size_t len;
    int driver = 0, reachable = 0;
    char *text = text_read_file(path, MAX_ABOUT, &len, &why);
    json_t *j = text ? json_loadb(text, len, 0, NULL) : NULL;
    *a = (struct gpu_about){0};
    bool ok = j && json_unpack(j, "{s:s, s:i, s:F, s:i}", "device", &name, "driver", &driver,
                               "bandwidth", &a->bandwidth, "host_reachable", &reachable) == 0;
    if (ok) {
        a->name = text_format("%.60s, CUDA driver %d.%d", name, driver / 1000, driver % 1000 / 10);
        text_clean(a->name);
        a->host_reachable = reachable != 0;
    }
    json_decref(j);
    free(text);
    return ok;
}
