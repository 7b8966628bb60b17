# Fencepost: build, grade and test. `make help` lists the targets.

BUILD := build
CC ?= gcc
CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -D_GNU_SOURCE -pthread -fPIC \
              -MMD -MP $(CFLAGS)

SOFTGPU_SRC := $(filter-out softgpu/cli/%,$(wildcard softgpu/*/*.c))
SOFTGPU_OBJ := $(SOFTGPU_SRC:%.c=$(BUILD)/obj/%.o)
CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard softgpu/cli/*.c))
SOFTGPU_LIBS := -ljansson -lzstd -llz4 -lm -ldl

.PHONY: all
all: softgpu

.PHONY: softgpu
softgpu: $(BUILD)/lib/libcudart.so.13 $(BUILD)/bin/softgpu

$(BUILD)/obj/softgpu/%.o: softgpu/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -fvisibility=hidden -Isoftgpu -c $< -o $@

$(BUILD)/lib/libsoftgpu.a: $(SOFTGPU_OBJ)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/lib/libcudart.so.13: $(SOFTGPU_OBJ) softgpu/runtime/libcudart.map
	@mkdir -p $(@D)
	$(CC) -shared -pthread -Wl,-soname,libcudart.so.13 \
	    -Wl,--version-script=softgpu/runtime/libcudart.map -o $@ $(SOFTGPU_OBJ) $(SOFTGPU_LIBS)

$(BUILD)/bin/softgpu: $(CLI_OBJ) $(BUILD)/lib/libsoftgpu.a
	@mkdir -p $(@D)
	$(CC) -pthread -o $@ $^ $(SOFTGPU_LIBS)

# Tests: each tests/PART/test_*.c is a CUnit program; PART softgpu links libsoftgpu.a.
UNIT_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c))

$(BUILD)/tests/softgpu/%: tests/softgpu/%.c $(BUILD)/lib/libsoftgpu.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -Isoftgpu -Itests -o $@ $< $(BUILD)/lib/libsoftgpu.a $(SOFTGPU_LIBS) -lcunit

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
