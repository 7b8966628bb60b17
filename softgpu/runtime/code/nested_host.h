/**
 * @file nested_host.h
 * What kernels that launch kernels are told by the runtime.
 */
#ifndef SOFTGPU_RUNTIME_CODE_NESTED_HOST_H
#define SOFTGPU_RUNTIME_CODE_NESTED_HOST_H

/** Tells the machine whom to ask. */
void nested_host_attach(void);

#endif
