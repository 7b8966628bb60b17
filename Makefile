# Fencepost: build, grade and test. `make help` lists the targets.
#
# Everything is found by wildcard: a source file in its folder, a lab in labs/, a test in tests/.
# Built things lie under build/; a second `make` with nothing changed does nothing.

BUILD := build
CC ?= gcc
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes
# A GPU rounds a product before it adds; and lanes are computed under a mask, where traps mean nothing.
MATH := -ffp-contract=off -fno-math-errno -fno-trapping-math
ALL_CFLAGS = -std=gnu11 $(WARNINGS) $(MATH) -D_GNU_SOURCE -pthread -fPIC -MMD -MP $(CFLAGS)

VERSION := $(shell cat VERSION)

# What make setup unpacked without root: headers and libraries for the compiler, and the way to the libraries in
# what it makes.
DEPS := $(wildcard $(CURDIR)/.deps/root)
ifneq ($(DEPS),)
DEPS_LIB := $(wildcard $(DEPS)/usr/lib/*-linux-gnu)
export C_INCLUDE_PATH := $(DEPS)/usr/include:$(wildcard $(DEPS)/usr/include/*-linux-gnu)
export LIBRARY_PATH := $(DEPS_LIB)
export LD_RUN_PATH := $(DEPS_LIB)
export PATH := $(DEPS)/usr/bin:$(PATH)
# The way holds for the libraries' own libraries, too.
override CC += -Wl,--disable-new-dtags
endif

# Where make release puts the libraries that a machine may lack: beside ours. The way holds for their own libraries, too.
empty :=
found_in = -Wl,--disable-new-dtags,-rpath,'$(subst $(empty) $(empty),:,$(strip $(1) $(DEPS_LIB)))'

# The compiler for kernels: FENCEPOST_CUDA's, the kit's own (make setup installs it only where no other serves), on PATH,
# or where the toolkit usually lies.
NVCC := $(firstword $(if $(FENCEPOST_CUDA),$(wildcard $(FENCEPOST_CUDA)/bin/nvcc)) $(wildcard $(CURDIR)/.cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null) \
                    $(wildcard /usr/local/cuda/bin/nvcc))
CUDA := $(patsubst %/bin/nvcc,%,$(if $(NVCC),$(shell readlink -f $(NVCC))))
# softgpu's runtime library is written against the whole of CUDA's interface, of which clang/include has what programs use.
CUDA_HEADERS := $(if $(filter $(realpath $(CURDIR))/clang,$(CUDA)),$(patsubst %/cuda.h,%,$(firstword $(wildcard \
                    $(addsuffix /include/cuda.h,$(CURDIR)/.cuda.nvidia /usr/local/cuda /usr)))),$(CUDA)/include)
need_headers = $(if $(CUDA_HEADERS),,$(error softgpu itself is built with CUDA's headers, and none are here: \
                   take the archive of a release, which has it built, or run 'make setup CC_CUDA=clang HEADERS=nvidia', which fetches them))
need_nvcc = $(if $(NVCC),,$(error no nvcc found: run 'make setup'))

# All cores, unless the command line says otherwise; each target's output stays together.
ifeq ($(filter -j%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc)
endif
MAKEFLAGS += --output-sync=target --no-builtin-rules
# One short line a step; `make V=1` shows the commands.
ifndef V
.SILENT:
endif
start = @mkdir -p $(@D); printf '  %-5s %s\n' $(1) $@

LABS := $(notdir $(wildcard labs/lab*_*))
# Labs in which the student writes host code, too: a program a student, not one harness for all.
HOST_LABS := $(patsubst labs/%/lab.yaml,%,$(shell grep -sl '^code: *host' labs/lab*_*/lab.yaml))
KERNEL_LABS := $(filter-out $(HOST_LABS),$(LABS))
harness_of = $(BUILD)/$(1)/$(if $(filter $(1),$(HOST_LABS)),harness.o,harness)
skeleton_of = $(BUILD)/$(1)/$(if $(filter $(1),$(HOST_LABS)),program,kernel.ptx)
# The program that a lab asks about, where it has one.
original_of = $(if $(wildcard labs/$(1)/original.cu),$(BUILD)/$(1)/original$(if $(filter $(1),$(HOST_LABS)),,.ptx))
SOFTGPU_SRC := $(filter-out softgpu/cli/% softgpu/libcuda/% softgpu/libnvjitlink/% softgpu/libaudit/% softgpu/remote/client/% softgpu/remote/server/% softgpu/debug/session/% softgpu/debug/terminal/% softgpu/debug/dap/%,$(wildcard softgpu/*/*.c softgpu/*/*/*.c softgpu/*/*/*/*.c))
SOFTGPU_OBJ := $(SOFTGPU_SRC:%.c=$(BUILD)/obj/%.o)
CLI_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard softgpu/cli/*.c softgpu/remote/server/*.c softgpu/debug/session/*.c softgpu/debug/terminal/*.c softgpu/debug/dap/*.c))
# The same library for a program that is not trusted with a device: it asks a server. It has the
# entry points of runtime/forms, too; of the rest of softgpu the linker takes what is used, which must need no
# library (-z defs).
REMOTE_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard softgpu/remote/*.c softgpu/remote/client/*.c \
                softgpu/runtime/forms/*.c))
SOFTGPU_LIBS := -ljansson -lzstd -llz4 -ldw -lelf -lm -ldl
GRADER_SRC := $(filter-out grader/main.c,$(wildcard grader/*.c grader/*/*.c))
GRADER_OBJ := $(GRADER_SRC:%.c=$(BUILD)/obj/%.o)
# The grader draws timelines with softgpu's pens.
GRADER_LIB := $(BUILD)/lib/libgrader.a $(BUILD)/lib/libsoftgpu.a
GRADER_LIBS := -lcyaml -lyaml -ljansson -lseccomp -lm
# What harnesses of make sanitize link, too.
SANITIZER_OBJ := $(if $(findstring -fsanitize=address,$(CC)),$(BUILD)/obj/tests/sanitizer.o)
COMMON_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard common/*.c))

.PHONY: all softgpu grader harnesses kernels
all: softgpu grader harnesses kernels  ## build everything
softgpu: $(foreach d,lib lib/remote,$(BUILD)/$(d)/libcudart.so.13 $(BUILD)/$(d)/libcuda.so.1 $(BUILD)/$(d)/libsoftgpu_audit.so) $(BUILD)/lib/libnvJitLink.so.13 $(BUILD)/lib/triton_ptxas $(BUILD)/bin/softgpu  ## the software GPU
grader: $(BUILD)/bin/grade  ## the grader behind ./grade
harnesses: $(foreach lab,$(LABS),$(call harness_of,$(lab)))
kernels: $(foreach lab,$(LABS),$(call skeleton_of,$(lab)) $(call original_of,$(lab)))

# labNN: what ./grade needs to judge that lab. The student's file is not among it: the grader compiles that itself, and the
# compiler is most of a verdict's time. By hand it is made by its name (make build/lab05_streams/program), or with all others.
define lab_rule
.PHONY: $(firstword $(subst _, ,$(1)))
$(firstword $(subst _, ,$(1))): softgpu grader $(call harness_of,$(1)) $(BUILD)/lib/libharness.a $(call original_of,$(1))
endef
$(foreach lab,$(LABS),$(eval $(call lab_rule,$(lab))))

# The runtime's entry points have the prototypes of CUDA's own headers.
$(BUILD)/obj/softgpu/runtime/%.o $(BUILD)/obj/softgpu/libnvjitlink/%.o $(BUILD)/obj/softgpu/remote/%.o $(BUILD)/tests/softgpu/test_runtime%: ALL_CFLAGS += $(need_nvcc)$(need_headers)-isystem $(CUDA_HEADERS)
# The two programs that tell the kit's version.
$(BUILD)/obj/softgpu/cli/arguments.o $(BUILD)/obj/softgpu/compile/cache.o $(BUILD)/obj/grader/base/kit_version.o: ALL_CFLAGS += -DFENCEPOST_VERSION='"$(VERSION)"'
$(BUILD)/obj/softgpu/cli/arguments.o $(BUILD)/obj/grader/base/kit_version.o: VERSION
# Its signal handlers use thread-local state, which must be there before the first call.
$(BUILD)/obj/softgpu/remote/client/%.o: ALL_CFLAGS += -ftls-model=initial-exec
# Two neighbouring counters that were stored one by one and are added to as one vector: the processor waits for its stores to reach the cache.
$(BUILD)/obj/softgpu/%.o: ALL_CFLAGS += -fno-tree-slp-vectorize
# Arithmetic loops, compiled once for each instruction set level; softgpu chooses at start-up.
ALU := $(BUILD)/obj/softgpu/execute/alu
ALU_CFLAGS := -O3 -ftree-slp-vectorize
$(ALU)/%.o: ALL_CFLAGS += $(ALU_CFLAGS)
TENSOR := $(BUILD)/obj/softgpu/execute/tensor
$(TENSOR)/fused%.o $(TENSOR)/tile%.o: ALL_CFLAGS += $(ALU_CFLAGS)
ifneq ($(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),)
$(ALU)/vector_avx2.o $(TENSOR)/tile_avx2.o: ALL_CFLAGS += -mavx2 -mfma
$(ALU)/vector_avx512.o $(TENSOR)/tile_avx512.o: ALL_CFLAGS += -mavx2 -mfma -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512
endif
$(BUILD)/obj/softgpu/%.o: softgpu/%.c
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -fvisibility=hidden -Isoftgpu -c $< -o $@

$(BUILD)/obj/grader/%.o: grader/%.c
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -Igrader -Isoftgpu -c $< -o $@

$(BUILD)/obj/common/%.o: common/%.c
	$(need_nvcc)$(call start,CC)
	$(CC) $(ALL_CFLAGS) -isystem $(CUDA)/include -Icommon -c $< -o $@

$(BUILD)/lib/libsoftgpu.a: $(SOFTGPU_OBJ)
$(BUILD)/lib/libgrader.a: $(GRADER_OBJ)
$(BUILD)/lib/libharness.a: $(COMMON_OBJ)
$(BUILD)/lib/%.a:
	$(call start,AR)
	rm -f $@ && $(AR) rcs $@ $^

# What programs see is what api.def has a row for: symbols, their version, and a check of both ways.
MAP := $(BUILD)/obj/softgpu/runtime/libcudart.map
$(MAP): softgpu/runtime/libcudart.map.h softgpu/runtime/api.def softgpu/runtime/api_rows.h
	$(call start,MAP)
	$(CC) -E -P -x c -Isoftgpu -o $@ $<
# Its own calls stay its own, even where the process has NVIDIA's runtime, too.
define link_cudart
$(call start,LINK)
softgpu/runtime/exports.sh $(MAP) $(1)
$(CC) -shared -pthread -Wl,-soname,libcudart.so.13 -Wl,-Bsymbolic-functions -Wl,--version-script=$(MAP) -o $@ $(1) $(2)
endef

$(BUILD)/lib/libcudart.so.13: $(SOFTGPU_OBJ) $(MAP) softgpu/runtime/exports.sh
	$(call link_cudart,$(SOFTGPU_OBJ),$(SOFTGPU_LIBS) $(call found_in,$$ORIGIN/needed))

$(BUILD)/lib/remote/libcudart.so.13: $(REMOTE_OBJ) $(BUILD)/lib/libsoftgpu.a $(MAP) softgpu/runtime/exports.sh
	$(call link_cudart,$(REMOTE_OBJ),-Wl$(comma)-z$(comma)defs $(BUILD)/lib/libsoftgpu.a)

# The Driver API's library is the same for both: it takes the functions from the libcudart.so.13 beside it. Some open
# libcuda.so (Taichi), as a driver's package has it.
$(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/remote/libcuda.so.1: $(BUILD)/obj/softgpu/libcuda/libcuda.o
	$(call start,LINK)
	$(CC) -shared -Wl,-soname,libcuda.so.1 -Wl,-z,defs -o $@ $< -ldl
	ln -sf $(@F) $(@D)/libcuda.so

$(BUILD)/bin/softgpu: $(CLI_OBJ) $(BUILD)/lib/libsoftgpu.a
	$(call start,LINK)
	$(CC) -pthread -o $@ $^ $(SOFTGPU_LIBS) $(call found_in,$$ORIGIN/../lib/needed)

$(BUILD)/bin/grade: $(BUILD)/obj/grader/main.o $(GRADER_LIB)
	$(call start,LINK)
	$(CC) -pthread -o $@ $^ $(GRADER_LIBS) $(call found_in,$$ORIGIN/../lib/needed)

# A harness has no rpath: whoever starts it picks the device by library path.
# And this one takes them from the libcuda.so.1 beside it.
$(BUILD)/lib/libnvJitLink.so.13: $(BUILD)/obj/softgpu/libnvjitlink/libnvjitlink.o
	$(call start,LINK)
	$(CC) -shared -Wl,-soname,libnvJitLink.so.13 -Wl,-z,defs -o $@ $< -ldl

$(BUILD)/lib/triton_ptxas: softgpu/cli/triton_ptxas.sh
	@mkdir -p $(@D)
	install $< $@

# The dynamic linker keeps it apart from the program, which may have one sanitizer and not two.
AUDIT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard softgpu/libaudit/*.c))
$(AUDIT_OBJ) $(BUILD)/lib/libsoftgpu_audit.so $(BUILD)/lib/remote/libsoftgpu_audit.so: override CC := $(filter-out -fsanitize=%,$(CC))
# Each takes the libcudart.so.13 beside it.
$(BUILD)/lib/libsoftgpu_audit.so $(BUILD)/lib/remote/libsoftgpu_audit.so: $(AUDIT_OBJ)
	$(call start,LINK)
	$(CC) -shared -Wl,-soname,libsoftgpu_audit.so -Wl,-z,defs -o $@ $^ -ldl

$(BUILD)/%/harness: labs/%/harness.c $(SANITIZER_OBJ) $(BUILD)/lib/libharness.a $(BUILD)/lib/libcudart.so.13
	$(need_nvcc)$(call start,CC)
	$(CC) $(ALL_CFLAGS) -MF $(BUILD)/obj/$*.d -isystem $(CUDA)/include -Icommon -o $@ $< $(SANITIZER_OBJ) \
	    $(BUILD)/lib/libharness.a $(BUILD)/lib/libcudart.so.13 -ldl -lm

# A host-code lab: the harness is linked with each student's file, as the grader does it.
HOST_HOOKS := -fsanitize=thread,--param=tsan-instrument-func-entry-exit=0,-Wno-tsan
$(BUILD)/%/harness.o: labs/%/harness.c
	$(need_nvcc)$(call start,CC)
	$(CC) $(ALL_CFLAGS) -MF $(BUILD)/obj/$*.d -isystem $(CUDA)/include -Icommon -c -o $@ $<

define program_of
$(BUILD)/%/$(1): labs/%/$(2).cu labs/%/lab.yaml $(BUILD)/%/harness.o $(BUILD)/lib/libharness.a \
                    $(BUILD)/lib/libcudart.so.13
	$$(need_nvcc)$$(call start,NVCC)
	$$(NVCC) -c -g -O2 -lineinfo -cudart shared -Xcompiler $$(HOST_HOOKS) -arch=$$(call arch_of,$$*) -o $$(@D)/$(2).o $$<
	$$(CXX) -pthread -o $$@ $$(@D)/$(2).o $$(filter %harness.o %.a %.13,$$^) -ldl -lm
endef
$(eval $(call program_of,program,kernel))
$(eval $(call program_of,original,original))

arch_of = $(or $(shell sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' labs/$(1)/lab.yaml),compute_75)
$(BUILD)/%.ptx: labs/%.cu
	$(need_nvcc)$(call start,NVCC)
	$(NVCC) -ptx -lineinfo -arch=$(call arch_of,$(*D)) -o $@ $<
$(foreach lab,$(KERNEL_LABS),$(eval $(call skeleton_of,$(lab)) $(call original_of,$(lab)): labs/$(lab)/lab.yaml))

# Tests: each tests/PART/test_*.c is a CUnit program linked with its part's library, and each
# tests/PART/test_*.sh a script; tests/run.sh runs them side by side and sums up.
UNIT_BIN := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/*/test_*.c))
TEST_SCRIPTS := $(wildcard tests/*/test_*.sh)

# What a real GPU computed (tests/gpu/record.sh), against the same program on softgpu.
ifeq ($(wildcard tests/gpu/h200.dat),)
UNIT_BIN := $(filter-out %/test_gpu_truth,$(UNIT_BIN))
endif
$(BUILD)/tests/softgpu/test_gpu_truth: | $(BUILD)/tests/gpu/record_numerics
$(BUILD)/tests/gpu/record_numerics: $(wildcard tests/gpu/record_numerics.cu tests/gpu/*.def tests/gpu/*.h)
	$(need_nvcc)$(call start,NVCC)
	$(NVCC) -O1 -arch=compute_90 -cudart shared -o $@ tests/gpu/record_numerics.cu

$(BUILD)/tests/softgpu/%: tests/softgpu/%.c $(BUILD)/lib/libsoftgpu.a
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -Isoftgpu -Itests -o $@ $< $(BUILD)/lib/libsoftgpu.a $(SOFTGPU_LIBS) -lcunit

$(BUILD)/tests/model/%: tests/model/%.c $(filter-out tests/model/test_%,$(wildcard tests/model/*.c)) $(BUILD)/lib/libsoftgpu.a
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -Isoftgpu -Itests -o $@ $(filter %.c,$^) $(BUILD)/lib/libsoftgpu.a $(SOFTGPU_LIBS) -lcunit

$(BUILD)/tests/gpu/litmus_programs: tests/gpu/litmus_programs.c $(filter-out tests/model/test_%,$(wildcard tests/model/*.c)) $(BUILD)/lib/libsoftgpu.a
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -Isoftgpu -Itests -Itests/model -o $@ $(filter %.c,$^) $(BUILD)/lib/libsoftgpu.a $(SOFTGPU_LIBS) -lcunit

$(BUILD)/tests/races/random_races: $(wildcard tests/races/*.[ch]) tests/random_findings.h softgpu/base/list.c $(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/libcudart.so.13
	$(need_headers)$(call start,CC)
	$(CC) $(ALL_CFLAGS) -isystem $(CUDA_HEADERS) -Isoftgpu -Itests -o $@ $(filter %.c,$^) $(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/libcudart.so.13 -ljansson

$(BUILD)/tests/orders/random_orders: $(wildcard tests/orders/*.[ch]) tests/random_findings.h $(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/libcudart.so.13
	$(need_headers)$(call start,CC)
	$(CC) $(ALL_CFLAGS) -isystem $(CUDA_HEADERS) -Isoftgpu -Itests -o $@ $(filter %.c,$^) $(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/libcudart.so.13 -ljansson

$(BUILD)/tests/grader/%: tests/grader/%.c $(GRADER_LIB)
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -Igrader -Isoftgpu -Itests -o $@ $< $(GRADER_LIB) $(GRADER_LIBS) -lcunit

$(BUILD)/tests/common/%: tests/common/%.c $(BUILD)/lib/libharness.a $(BUILD)/lib/libcudart.so.13
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -isystem $(CUDA)/include -Icommon -Itests -o $@ $< \
	    $(BUILD)/lib/libharness.a -Wl,--as-needed $(BUILD)/lib/libcudart.so.13 -ldl -lm -lcunit

# ONLY=judge, ONLY=race,uninit: the tests whose names hold one of these.
comma := ,
selected = $(if $(ONLY),$(sort $(foreach o,$(subst $(comma), ,$(ONLY)),$(foreach t,$(1),$(if $(findstring \
               $(o),$(t)),$(t))))),$(1))

.PHONY: test check format-check layers-check setup help clean
# The + keeps make from holding the output back until the end.
test: all $(call selected,$(UNIT_BIN))  ## build and run the tests; ONLY=pattern for those that match; PART=all: CI's, not everyday's; FULL=1 with every variant
	+@BUILD=$(BUILD) FULL=$(FULL) PART=$(PART) tests/run.sh $(call selected,$(UNIT_BIN) $(TEST_SCRIPTS))

# A build of its own: what is linked needs the sanitizers, too, so they go with the compilers' names.
.PHONY: sanitize sanitized
SANITIZERS := -fsanitize=address,undefined
sanitize:  ## the tests under the address and undefined-behaviour sanitizers, in build/sanitize; ONLY=pattern
	+@$(MAKE) BUILD=$(BUILD)/sanitize CC='$(CC) $(SANITIZERS)' CFLAGS='-O1 -g' ALU_CFLAGS=-O1 sanitized
$(BUILD)/obj/tests/sanitizer.o: tests/sanitizer.c
	$(call start,CC)
	$(CC) $(ALL_CFLAGS) -c $< -o $@
sanitized: softgpu grader $(foreach lab,$(KERNEL_LABS),$(call harness_of,$(lab))) $(call selected,$(UNIT_BIN))
	+@BUILD=$(BUILD) tests/sanitize.sh $(call selected,$(UNIT_BIN))

.PHONY: valgrind
valgrind: softgpu $(call selected,$(UNIT_BIN))  ## the C tests under valgrind, but for what it cannot do; ONLY=pattern
	+@BUILD=$(BUILD) tests/valgrind.sh $(call selected,$(UNIT_BIN))

check: format-check layers-check  ## before you commit: warnings are errors, format, includes, tests; PART=all: before you send
	$(MAKE) CFLAGS='$(CFLAGS) -Werror' test

layers-check:
	@scripts/check_layers.sh

FORMATTED := $(wildcard common/*.[ch] labs/*/harness.c tests/common/*.c grader/gpu/*.[ch])
format-check:
	@command -v clang-format >/dev/null || { echo 'clang-format is not here: not checked'; exit 0; } \
	    && clang-format --dry-run --Werror $(FORMATTED)

# The site, the pictures in the handouts (drawn by docs/draw/LAB/NAME.c, which may read a recorded run), the
# decks.
AWESOME := /usr/share/doxygen-awesome-css
need_tool = @command -v $(1) >/dev/null || { echo "$(1) is missing: run 'make setup DOCS=1'"; exit 1; }

.PHONY: docs slides pictures
docs: pictures  ## the site, in build/docs/html
	$(call need_tool,doxygen)
	docs/site.sh $(BUILD) $(AWESOME)

pictures: docs/course.svg $(patsubst docs/draw/debugger/%.c,docs/debugger_%.svg,$(wildcard docs/draw/debugger/*.c)) $(patsubst docs/draw/%.c,labs/%.svg,$(wildcard docs/draw/lab*/*.c))
docs/course.svg: docs/draw/course.c docs/draw/svg.h $(wildcard labs/lab*_*/lab.yaml)
	@mkdir -p $(BUILD)/docs/draw; echo "  DRAW  $@"
	$(CC) $(ALL_CFLAGS) -MF $(BUILD)/docs/draw/course.d -o $(BUILD)/docs/draw/course $<
	$(BUILD)/docs/draw/course >$@

docs/debugger_%.svg: docs/draw/debugger/%.c docs/draw/debugger/%.run docs/draw/svg.h
	@mkdir -p $(BUILD)/docs/draw; echo "  DRAW  $@"
	$(CC) $(ALL_CFLAGS) -MF $(BUILD)/docs/draw/debugger_$*.d -o $(BUILD)/docs/draw/debugger_$* $<
	$(BUILD)/docs/draw/debugger_$* <docs/draw/debugger/$*.run >$@

labs/%.svg: docs/draw/%.c docs/draw/svg.h
	@mkdir -p $(BUILD)/docs/draw/$(*D); echo "  DRAW  $@"
	$(CC) $(ALL_CFLAGS) -MF $(BUILD)/docs/draw/$*.d -o $(BUILD)/docs/draw/$* $<
	$(BUILD)/docs/draw/$* <$(or $(wildcard docs/draw/$*.run),/dev/null) >$@

$(foreach run,$(wildcard docs/draw/lab*/*.run),$(eval $(run:docs/draw/%.run=labs/%.svg): $(run)))

slides: $(patsubst slides/%.md,$(BUILD)/slides/%.html,$(wildcard slides/lab*.md))  ## one deck a lab, in build/slides: HTML, PDF, PDF with notes
$(BUILD)/slides/%.html: slides/%.md slides/deck.css slides/deck.html
	$(call need_tool,pandoc)
	$(call start,DECK)
	pandoc -s -f markdown-implicit_figures -t html5 --no-highlight --section-divs --self-contained \
	    --resource-path=slides --css slides/deck.css -A slides/deck.html -o $@ $<
	if command -v chromium >/dev/null; then for form in '' -notes; do chromium --headless --no-sandbox \
	    --disable-gpu --print-to-pdf=$(@:.html=)$$form.pdf --no-pdf-header-footer \
	    "file://$(abspath $@)#$${form#-}" >/dev/null 2>&1; done; fi

setup:  ## install what is needed: Debian packages, NVIDIA's compiler; CC_CUDA=clang: clang in its place
	@CC_CUDA='$(CC_CUDA)' DOCS='$(DOCS)' LLVM='$(LLVM)' NOTEBOOK='$(NOTEBOOK)' TESTS='$(TESTS)' HEADERS='$(HEADERS)' MIRROR='$(MIRROR)' WHEELS='$(WHEELS)' bash scripts/setup.sh

.PHONY: dist gradescope classroom50 prairielearn autolab
the_lab = $(or $(filter $(LAB)_%,$(LABS)),$(error LAB=$(LAB): no such lab, there are $(LABS)))
dist: all  ## the student bundle: build/dist/fencepost.tar.gz
	$(need_nvcc)@BUILD=$(BUILD) scripts/dist.sh $(NVCC)

gradescope: all  ## LAB=lab03: the zip for Gradescope's autograder
	$(need_nvcc)@BUILD=$(BUILD) scripts/gradescope.sh $(NVCC) $(the_lab)

classroom50: all  ## LAB=lab03: the autograder for Classroom 50
prairielearn: all  ## LAB=lab03: the question and the image for PrairieLearn
autolab: all  ## LAB=lab03: the lab and the image for Autolab
classroom50 prairielearn autolab:
	$(need_nvcc)@BUILD=$(BUILD) scripts/platform.sh $@ $(NVCC) $(the_lab)

.PHONY: release
release: all $(BUILD)/obj/release/nvcc  ## an archive that needs no compiler, with checksums and licences, in build/release
	$(need_nvcc)@BUILD=$(BUILD) scripts/release/release.sh $(VERSION) $(NVCC) $(LABS)
$(BUILD)/obj/release/nvcc: scripts/release/nvcc.c
	$(call start,CC)
	$(CC) -O2 -Wall -Wextra -D_GNU_SOURCE -o $@ $< -ldl $(call found_in,$$ORIGIN/../lib)

.PHONY: similar
similar:  ## LAB=lab03 SUBMISSIONS=DIR: which look alike, by Debian's similarity-tester
	@scripts/similar.sh '$(LAB)' '$(SUBMISSIONS)' $(PERCENT)

.PHONY: editor vsix
vsix: $(BUILD)/fencepost.vsix  ## the extension for VS Code: softgpu as a debugger, findings as problems
$(BUILD)/fencepost.vsix: $(wildcard editors/vscode/*) VERSION
	$(call start,VSIX)
	python3 editors/vscode/vsix.py $(VERSION) $@
editor:  ## compile_commands.json and .clangd for clangd, a task for VS Code that marks findings' lines
	$(need_nvcc)@python3 scripts/editor/editor.py $(CUDA)

# Jupyter: the package is built and tested by the kit's own Python (make setup NOTEBOOK=1), where there is one.
PYTHON := $(firstword $(wildcard $(CURDIR)/.venv/bin/python) python3)
.PHONY: notebook
notebook: $(LABS:%=$(BUILD)/notebook/%.ipynb) $(BUILD)/notebook/wheel.made  ## for Jupyter: a wheel, and a notebook of each lab
$(BUILD)/notebook/%.ipynb: labs/%/README.md labs/%/kernel.cu notebook/make_notebook.py $(wildcard labs/*/*.svg)
	$(call start,BOOK)
	$(PYTHON) notebook/make_notebook.py labs/$* $@
# The wheel's name has the version as Python writes it.
$(BUILD)/notebook/wheel.made: VERSION notebook/pyproject.toml notebook/README.md $(wildcard notebook/fencepost/*.py)
	$(call start,WHEEL)
	rm -rf $(BUILD)/notebook/package $(BUILD)/notebook/*.whl && cp -r notebook $(BUILD)/notebook/package && cp VERSION $(BUILD)/notebook/package
	SOURCE_DATE_EPOCH=315532800 $(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	    -w $(@D) $(BUILD)/notebook/package || { echo "needs pip, setuptools and wheel: run 'make setup NOTEBOOK=1'"; exit 1; }
	touch $@

PREFIX ?= /usr/local
.PHONY: install deb
deb: softgpu grader  ## the same as a Debian package, in build/deb
	@scripts/install/deb.sh $(BUILD) $(VERSION)
install: softgpu grader  ## PREFIX=/usr/local: softgpu, grade, their manual pages and completions
	@DESTDIR='$(DESTDIR)' scripts/install/install.sh $(BUILD) $(VERSION) '$(abspath $(PREFIX))'

.PHONY: mutants
mutants: all  ## would the cases notice a weakened solution? LAB=lab03 for one lab
	+@$(BUILD)/bin/grade dev mutants $(LAB)

.PHONY: bench
bench: softgpu $(BUILD)/bench/bench_cuda $(BUILD)/bench/bench_checked  ## speed beside PoCL and Oclgrind; RECORD=1 keeps the table
	+@BUILD=$(BUILD) bench/run.sh $(if $(RECORD),--record)
$(BUILD)/bench/bench_cuda: bench/bench.cu bench/bench.h bench/tasks.h bench/kernels.cl
	$(need_nvcc)$(call start,NVCC)
	$(NVCC) -O3 -arch=compute_75 -cudart shared -o $@ $<
$(BUILD)/bench/bench_checked: bench/checked.cu bench/bench.h
	$(need_nvcc)$(call start,NVCC)
	$(NVCC) -O3 -arch=compute_75 -cudart shared -o $@ $<

clean:  ## remove build/
	rm -rf $(BUILD)

help:  ## this list
	@sed -n 's/^\([a-z0-9]*\):.*## */\1\t/p' $(MAKEFILE_LIST) | expand -t 14
	@echo "$(firstword $(subst _, ,$(firstword $(LABS))))…        one lab: $(LABS)"

-include $(shell find $(BUILD) -name '*.d' -type f 2>/dev/null)
