// waits_for_ever.cu with -G.
//
// arch compute_75 compute_90
// nvcc: -G
//
// case latch_right expect=silent
// case latch_never expect=deadlock
// case latch_one expect=deadlock
// case pipe_never expect=deadlock
// case barrier_right expect=silent
// case barrier_never expect=deadlock
// case parity_right expect=silent
// case parity_never expect=deadlock
// case parity_other expect=deadlock
// case trywaitfor_right expect=silent
// case trywaitfor_never expect=deadlock
// case dbar_right expect=silent
// case dbar_never expect=deadlock
// case sem_right expect=silent
// case sem_never expect=deadlock
// case semtry_right expect=silent
// case semtry_never expect=deadlock
// case await_right expect=silent
// case await_never expect=deadlock
// case timeout_right expect=silent
// case timeout_long expect=silent
// case timeout_day expect=silent
// case backoff_never expect=deadlock
// case tries_right expect=silent
// case counts_right expect=silent
// case computes_right expect=silent
#include "waits_for_ever.cu"
