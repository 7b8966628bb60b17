/* A program without CUDA of its own: the library with the kernel, which carries its CUDA runtime, is opened or linked to. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LINKED
int program(int argc, char **argv) __asm__("_Z7programiPPc");
#endif

int main(int argc, char **argv)
{
#ifdef LINKED
    return program(argc, argv);
#else
    void *library = dlopen(LIBRARY, RTLD_NOW);
    int (*program)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "_Z7programiPPc") : NULL;
    if (!program)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    return program(argc, argv);
#endif
}
