/* Linked into the harnesses of `make sanitize`. In the grader's sandbox no variable reaches them, and nobody may look for
 * leaks there. The options are those of tests/sanitize.sh. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "exitcode=99:handle_segv=0:handle_sigill=0:handle_sigfpe=0:allocator_may_return_null=1:"
           "detect_stack_use_after_return=0:detect_leaks=0";
}
