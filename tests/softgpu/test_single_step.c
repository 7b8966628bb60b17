/* Which traps are steps of ours. */
#include "unit.h"

#include <signal.h>
#include <string.h>

#include "host/single_step.h"

#if defined __x86_64__

#define STEPS 0x100

static int has_come(int code, greg_t flags)
{
    siginfo_t info = {.si_signo = SIGTRAP, .si_code = code};
    ucontext_t context;
    memset(&context, 0, sizeof context);
    context.uc_mcontext.gregs[REG_EFL] = flags;
    return step_has_come(&info, &context);
}

static void test_steps(void)
{
    CU_ASSERT(has_come(TRAP_TRACE, STEPS | 0x246));
    CU_ASSERT(has_come(TRAP_BRKPT, STEPS | 0x246)); /* a virtual processor may not say that it was a step */
}

static void test_others(void)
{
    CU_ASSERT(!has_come(TRAP_BRKPT, 0x246));            /* int1 in the program */
    CU_ASSERT(!has_come(SI_KERNEL, STEPS | 0x246));     /* int3 */
    CU_ASSERT(!has_come(SI_TKILL, STEPS | 0x246));      /* raise() */
    CU_ASSERT(!has_come(SI_USER, STEPS | 0x246));       /* kill() */
}

#else

static void test_steps(void) {}
static void test_others(void) {}

#endif

UNIT_MAIN("single steps", {"steps", test_steps}, {"other traps", test_others})
