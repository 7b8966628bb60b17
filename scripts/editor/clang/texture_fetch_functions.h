/* Empty: clang's CUDA wrapper includes it, and CUDA 13 has it no more. */
