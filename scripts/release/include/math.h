// For kernels that the release compiles without a C compiler: what device code may use of it is built in.
#pragma once
