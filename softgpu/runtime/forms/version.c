/**
 * @file version.c
 * By this symbol a program can tell softgpu from NVIDIA's runtime: `dlsym(RTLD_DEFAULT,
 * "softgpu_version")`. The course's harnesses leave guard zones and poison out when it is there,
 * since softgpu knows each allocation's end and which bytes were written.
 */
__attribute__((visibility("default"))) const char *softgpu_version(void);

const char *softgpu_version(void)
{
    return "1";
}
