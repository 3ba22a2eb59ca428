# perfold: build, test, install. `make help` lists the targets.

VERSION := 0.1.0
PREFIX  ?= /usr/local
bindir  ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir  ?= $(datadir)/man
CFLAGS  ?= -O2 -g
# Sanitizers, as for -fsanitize=: make SAN=address,undefined. Each CONFIG has its own build folder.
SAN     ?=
# Another machine, by Debian's name: make all ARCH=arm64. The libraries are unpacked into SYSROOT, and EMULATOR runs
# what was built. The kernel's build has such a variable, too: one that is exported is not meant.
ifeq ($(origin ARCH),environment)
ARCH :=
endif
CONFIG  ?= $(if $(SAN),san,$(or $(ARCH),release))
B       := build/$(CONFIG)
ifneq ($(ARCH),)
triplet_arm64 := aarch64-linux-gnu
triplet_s390x := s390x-linux-gnu
TRIPLET  := $(or $(triplet_$(ARCH)),$(error ARCH is one of arm64, s390x))
SYSROOT  := $(CURDIR)/build/sysroot/$(ARCH)
UNPACKED := $(SYSROOT)/packages
EMULATOR := qemu-$(firstword $(subst -, ,$(TRIPLET)))
CC := $(TRIPLET)-gcc --sysroot=$(SYSROOT)
AR := $(TRIPLET)-ar
# Tests run here: their dynamic linker and libraries are those of SYSROOT. (qemu -L would show them all of it as /.)
TEST_LDFLAGS = -Wl,--dynamic-linker=$$(echo $(SYSROOT)/lib/ld*.so.[0-9]) \
	-Wl,--disable-new-dtags,-rpath,$(SYSROOT)/usr/lib/$(TRIPLET)
endif

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
	-Werror=implicit-function-declaration
# As Debian builds its packages, and as scripts/check-hardened.sh reads from the program. FORTIFY needs an
# optimizing compiler, and sanitizers have their own versions of the functions that it replaces.
comma := ,
MACHINE := $(shell $(CC) -dumpmachine)
HARDEN := -fPIE -fstack-protector-strong -fstack-clash-protection \
	$(if $(findstring x86_64,$(MACHINE)),-fcf-protection) \
	$(if $(findstring aarch64,$(MACHINE)),-mbranch-protection=standard) \
	$(if $(SAN)$(filter -O0,$(CFLAGS)),,$(if $(filter -O%,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDEN_LINK := -Wl,-z,relro,-z,now -Wl,-z,noexecstack
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Isrc -I$(B) -pthread $(WARN) $(HARDEN) $(CFLAGS) \
	$(if $(SAN),-DPERFOLD_SANITIZED -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
ALL_LDFLAGS := -pthread $(if $(STATIC),-static-pie -Wl$(comma)--gc-sections,-pie) $(HARDEN_LINK) $(LDFLAGS) \
	$(if $(SAN),-fsanitize=$(SAN))
LIBRARIES := dw elf pcre2-8 yajl z deflate zstd lzma iberty traceevent m
LIBS := $(LIBRARIES:%=-l%)
# make static: all in one file, which runs where no library is. In this order: each needs those after it.
STATIC_LIBS := dw elf pcre2-8 yajl_s archive capstone ncursesw tinfo z deflate zstd lzma bz2 iberty traceevent m
TRY = ! scripts/archives.sh '$(CC)' $(STATIC_LIBS) >&2 || $(MAKE) --no-print-directory
ifdef STATIC
# The same bytes from any folder. What is linked in is read from the map: scripts/release/spdx.py.
ALL_CFLAGS += -DPERFOLD_STATIC -ffile-prefix-map=$(CURDIR)=.
LIBS := $(STATIC_LIBS:%=-l%)
endif
# What differs between installations: only src/cli/ and main.c are compiled anew when it changes.
DEFINES := -DPERFOLD_VERSION='"$(VERSION)"' -DPERFOLD_DATADIR='"$(datadir)/perfold"'

SOURCES  := $(sort $(shell find src -name '*.c'))
TESTS    := $(filter %_test.c,$(SOURCES))
FUZZERS  := $(filter %_fuzz.c,$(SOURCES))
LIB_OBJ  := $(patsubst %.c,$(B)/%.o,$(filter-out src/main.c $(TESTS) $(FUZZERS),$(SOURCES)))
TEST_BIN := $(TESTS:%.c=$(B)/%)
FUZZ_BIN := $(FUZZERS:%.c=$(B)/%)
ASSETS   := $(sort $(wildcard $(addprefix src/output/assets/,*.* */*.*)))
PAGES    := $(patsubst man/%.scd,$(B)/man/%,$(sort $(wildcard man/*.scd)))
RULES    := $(sort $(wildcard filters/*.rules))
SHELLS   := $(addprefix $(B)/completion/,bash zsh fish)

V ?= 0
Q := $(if $(filter 1,$(V)),,@)
# For targets that build and then run: all processors, unless the user has said -j.
PARALLEL = $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
SUBMAKE = +$(Q)$(MAKE) --no-print-directory $(PARALLEL)
FUZZING := CC=clang CONFIG=fuzz SAN=fuzzer-no-link,address,undefined \
	CFLAGS='-O1 -g -fprofile-instr-generate -fcoverage-mapping' LDFLAGS=-fprofile-instr-generate
SANITIZED := SAN=address,undefined CONFIG=san CFLAGS='-O1 -g'
RACES := SAN=thread CONFIG=tsan CFLAGS='-O1 -g'

all: $(B)/perfold ## build the program, build/release/perfold (SAN=address,undefined: build/san/)

# A stamp holds the text of a variable and is written only when that changes: what depends on it is
# made again when the flags are others, or when a source file has gone.
define stamp
ifneq ($$(file <$$(B)/$(1)),$$(strip $$($(2))))
$$(shell mkdir -p $$(B))$$(file >$$(B)/$(1),$$(strip $$($(2))))
endif
endef
FLAGS := $(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(LIBS)
$(eval $(call stamp,flags,FLAGS))
$(eval $(call stamp,defines,DEFINES))

$(B)/perfold: $(B)/src/main.o $(B)/libperfold.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(ALL_LDFLAGS) $(if $(STATIC),-Wl$(comma)-Map=$@.map) -o $@ $^ $(LIBS)

$(B)/%.o: %.c Makefile $(B)/flags | $(UNPACKED)
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(ALL_CFLAGS) $(DEFINES) -MMD -MP -c -o $@ $<

$(B)/src/main.o $(filter $(B)/src/cli/%,$(LIB_OBJ)): $(B)/defines

$(B)/src/%_test: $(B)/src/%_test.o $(B)/libperfold.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(ALL_LDFLAGS) $(TEST_LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

# A fuzzer proper is linked with libFuzzer, which is C++; elsewhere it replays files.
FUZZ_ENGINE ?= -fsanitize=fuzzer
FUZZ_LINK ?= $(CC)
FUZZ_MAIN := $(if $(filter fuzz,$(CONFIG)),,$(B)/scripts/fuzz/replay.o)
$(B)/src/%_fuzz: $(B)/src/%_fuzz.o $(FUZZ_MAIN) $(B)/libperfold.a
	@echo "  LINK  $@"
	$(Q)$(FUZZ_LINK) $(ALL_LDFLAGS) $(TEST_LDFLAGS) $(if $(FUZZ_MAIN),,$(FUZZ_ENGINE)) -o $@ $^ $(LIBS)

ifneq ($(ARCH),)
$(TEST_BIN:%=%.o): ALL_CFLAGS += -DPERFOLD_EMULATED

$(UNPACKED):
	@echo "  SYSROOT $(ARCH)"
	$(Q)scripts/cross/sysroot.sh $(ARCH) $(SYSROOT)

# As a program, for what runs one in a directory of its own. It is static: nothing has to be found.
$(B)/emulated: Makefile | $(UNPACKED)
	@printf '%s\n' '#!/bin/sh' 'exec $(EMULATOR) $(CURDIR)/build/static-$(ARCH)/perfold "$$@"' >$@
	@chmod +x $@
endif

# src/output/assets/flame/flame.css is asset_flame_css in C, of sizeof (and asset_flame_css_len) bytes,
# followed by a NUL: #include "assets/flame_css.h". Basenames are unique below assets/.
define asset
ASSET_OBJ += $(B)/assets/$(2).o
ASSET_H += $(B)/assets/$(2).h
$(B)/assets/$(2).h: $(1) Makefile
	@mkdir -p $$(@D)
	$$(Q)printf '%s\n' '/* Made from $(1). */' "enum { asset_$(2)_len = $$$$(($$$$(wc -c <$(1)))) };" \
		'extern const char asset_$(2)[asset_$(2)_len];' >$$@
$(B)/assets/$(2).o: $(1) src/output/asset.S $(B)/flags
	@mkdir -p $$(@D)
	$$(Q)$$(CC) -DASSET_NAME=asset_$(2) -DASSET_FILE='"$(1)"' -c -o $$@ src/output/asset.S
endef
$(foreach f,$(ASSETS),$(eval $(call asset,$(f),$(subst -,_,$(subst .,_,$(notdir $(f)))))))
$(SOURCES:%.c=$(B)/%.o): | $(ASSET_H)

MEMBERS := $(LIB_OBJ) $(ASSET_OBJ)
$(eval $(call stamp,members,MEMBERS))
$(B)/libperfold.a: $(MEMBERS) $(B)/members
	@echo "  AR    $@"
	$(Q)rm -f $@ && $(AR) rcs $@ $(MEMBERS)

-include $(SOURCES:%.c=$(B)/%.d)

assets: $(ASSET_H) ## make the headers of src/output/assets/, for building a file by hand
static: $(UNPACKED) ## a program that needs no library, build/static/perfold
	$(Q)missing=$$(scripts/archives.sh '$(CC)' $(STATIC_LIBS)) || { echo "make static: not here:$$missing" >&2; exit 1; }
	$(SUBMAKE) CONFIG=static$(ARCH:%=-%) STATIC=1 all

tests: $(B)/perfold $(TEST_BIN) $(FUZZ_BIN) ## build the program and all unit tests, run nothing

# What each check-NAME runs: commands that print TAP (scripts/prove). Unit tests run one for each CPU.
unit_of = -j $(patsubst %.c,'timeout $(or $2,300) $(EMULATOR) build/$1/%',$(filter $(ROOM)%,$(TESTS))) \
	$(foreach f,$(patsubst %.c,%,$(filter $(ROOM)%,$(FUZZERS))),'timeout $(or $2,300) $(EMULATOR) build/$1/$f testdata/fuzz/$(patsubst %_fuzz,%,$(notdir $f))') -j1
tests_unit         = $(call unit_of,$(CONFIG))
tests_golden       = 'scripts/golden.sh $(B)/perfold $(CASE)'
tests_truth        = 'scripts/truth/check.sh $(B)/perfold' 'scripts/truth/line-sums.pl $(B)/perfold' \
	'scripts/truth/line-outputs.pl $(B)/perfold'
tests_strip        = 'scripts/strip/check.sh $(B)/perfold'
tests_static       = 'scripts/static.sh $(B)'
tests_cross        = $(call unit_of,$(CONFIG),1200) 'scripts/golden.sh $(B)/emulated $(CASE)'
tests_san          = $(call unit_of,san) 'scripts/golden.sh build/san/perfold'
tests_chop         = 'scripts/chop.sh build/san/perfold $(N)'
tests_packs        = 'scripts/packs/check.sh $(B)/perfold build/static/perfold' 'scripts/packs/signals.sh $(B)/perfold' \
	'scripts/packs/sandbox.sh $(B)/perfold'
tests_view         = 'scripts/view/check.sh $(B)/perfold'
tests_ci           = 'scripts/ci/check.sh $(B)/perfold'
tests_browser      = 'scripts/browser/run.sh $(B)/perfold'
tests_peers        = 'scripts/peers/run.sh $(B)/perfold'
tests_readers      = 'scripts/readers/run.sh $(B)/perfold'
tests_pgo          = 'scripts/pgo/check.sh $(B)/perfold'
tests_fleet        = 'scripts/fleet/run.sh $(B)/perfold' 'scripts/fleet/run.sh $(B)/perfold partitions.py'
tests_tutorial     = 'scripts/tutorial/blocked-server.sh $(B)/perfold $(B)/tutorial' \
	'scripts/tutorial/slow-request.sh $(B)/perfold $(B)/tutorial/slow'
tests_recipes      = 'scripts/examples/record.sh $(B)/perfold'
tests_jit          = 'scripts/jit/check.sh $(B)/perfold'
tests_named        = 'scripts/named/check.sh $(B)/perfold'
tests_real         = 'scripts/real/check.sh $(B)/perfold $(REAL)'
tests_gates        = 'scripts/gates/check.sh $(B)/perfold'
tests_inject       = 'scripts/inject/run.sh $(B)/perfold $(or $(EVERY),1)'
tests_tsan         = $(call unit_of,tsan,1200) 'scripts/golden.sh --modes 4:4096 build/tsan/perfold'
tests_analyzer     = 'scripts/analyzer/check.sh $(B)'
tests_limits       = 'scripts/limits.sh $(B)/perfold'
tests_soak         = 'scripts/soak.sh $(B)/perfold $(RUNS)'
tests_signals      = 'scripts/packs/signals.sh $(B)/perfold'
tests_attack       = 'scripts/attack/run.py $(B)/perfold $(RUNS)'
tests_lines        = 'scripts/truth/lines.sh $(B)/perfold'
tests_cache        = 'scripts/cache/check.sh $(B)/perfold $(ROUNDS)'
tests_languages    = 'scripts/languages/go.sh $(B)/perfold $(GO)' 'scripts/languages/python.sh $(B)/perfold $(PYTHON)'
tests_oss-fuzz     = 'scripts/fuzz/oss-fuzz/check.sh'
tests_packages     = 'scripts/release/check.sh build/dist $(VERSION) build/static/perfold'
tests_release      = 'scripts/release/twice.sh release ARCHES="$(ARCHES)"' \
	'scripts/release/check.sh build/twice/1/build/dist $(VERSION) build/twice/1/build/static/perfold deb'
tests_debian       = 'scripts/release/debian.sh $(or $(SUITE),trixie) $(TARGET)'
tests_compilers    = 'scripts/compilers.sh $(B)'
tests_instructions = 'scripts/bench/instructions.sh $(B)/perfold'
CHECK     := unit golden truth named strip static san chop
CHECK_ALL := $(CHECK) view packs ci browser peers readers pgo tutorial recipes jit packages instructions
CHECK_WEEKLY := tsan analyzer inject limits soak signals attack lines cache oss-fuzz
PROVE = $(Q)scripts/prove $(foreach t,$(1),$(tests_$t))
export PYTHONDONTWRITEBYTECODE := 1
export CMOCKA_MESSAGE_OUTPUT := TAP
export ASAN_OPTIONS := exitcode=99:detect_leaks=1
export UBSAN_OPTIONS := exitcode=99:print_stacktrace=1

check: N ?= 10
check: tests-san ## all tests that need nothing but the build packages, about a minute
	$(SUBMAKE) tests
	$(call PROVE,$(CHECK))

check-all: tests-san ## check, then damaged inputs, browser, peers, readers, instructions: what CI runs
	$(SUBMAKE) tests
	+$(Q)$(TRY) static tarball npm wheel image
	$(call PROVE,$(CHECK_ALL))

check-unit: ## unit tests, and the seeds of the fuzzers (ROOM=src/unwind: those in that folder)
	$(SUBMAKE) tests
	$(call PROVE,unit)

check-golden: ## whole runs of the program against testdata/ (CASE=group/name: one of them)
	$(SUBMAKE) all
	$(call PROVE,golden)

check-truth: ## recordings of programs that say themselves what ran (testdata/truth/)
	$(SUBMAKE) all
	$(call PROVE,truth)

check-named: ## files that options name and that are missing, wrong, foreign or cut
	$(SUBMAKE) all
	$(call PROVE,named)

check-strip: ## secrets that are in recordings are in no copy of perfold strip, nor in an output
	$(SUBMAKE) all
	$(call PROVE,strip)

check-static: ## rules of the house: layers, names, sizes, globals, man pages, format
	$(SUBMAKE) all
	$(call PROVE,static)

check-san: tests-san ## unit and golden tests under AddressSanitizer and UBSan
	$(call PROVE,san)

check-chop: tests-san ## damaged copies of all golden inputs, under sanitizers (N=200: that many of each)
	$(call PROVE,chop)

check-browser: ## SVG and HTML in a headless browser
	$(SUBMAKE) all
	$(call PROVE,browser)

check-peers: ## against perf script and stackcollapse-perf.pl, where installed
	$(SUBMAKE) all
	$(call PROVE,peers)

check-readers: ## all formats in the programs they are for (READERS=1: install these, by npm)
	$(SUBMAKE) all
	$(call PROVE,readers)

check-pgo: ## profiles for compilers against llvm-profgen, perf2bolt, clang and GCC, where installed
	$(SUBMAKE) all
	$(call PROVE,pgo)

check-fleet: ## rows in DuckDB, ClickHouse, Polars and Spark (FLEET=1: install these, by pip)
	$(SUBMAKE) all
	$(call PROVE,fleet)

check-tutorial: ## servers that block are recorded, and the cause is found (needs root, perf, node)
	$(SUBMAKE) all
	$(call PROVE,tutorial)

check-recipes: ## printed commands that record run, in bash, dash and zsh (needs root, perf, node)
	$(SUBMAKE) all
	$(call PROVE,recipes)

check-jit: ## JIT code as perf inject --jit names it, and no file written for it (perf, node, strace)
	$(SUBMAKE) all
	$(call PROVE,jit)

check-packs: ## packs opened where nothing else is, by the program and by that of make static
	$(SUBMAKE) all
	+$(Q)$(TRY) static
	$(call PROVE,packs)

check-packages: ## packages of the static program, each installed where nothing else of perfold is
	+$(Q)$(TRY) tarball npm wheel image
	$(call PROVE,packages)

check-release: ## make release twice, compared, and what it made installed, the .deb on a new Debian (needs root, debootstrap)
	$(call PROVE,release)

check-debian: ## README's first command and make check on a new Debian (SUITE=trixie, TARGET=check; root, debootstrap)
	$(call PROVE,debian)

check-compilers: assets ## no warning of any gcc-N and clang-N that is installed, as C11 or C23 (COMPILERS='clang-19': of these)
	$(call PROVE,compilers)

check-view: ## perfold view in a terminal: every key, sizes, kinds of terminals, signals (tmux)
	$(SUBMAKE) all
	$(call PROVE,view)

check-ci: ## the steps of scripts/ci/, as they are, without those services
	$(SUBMAKE) all
	$(call PROVE,ci)

check-gates: ## --fail-if on recordings of one program, without and with a planted regression
	$(SUBMAKE) all
	$(call PROVE,gates)

check-real: ## every name against other tools, in recordings of installed software (REAL='go x264': of some)
	$(SUBMAKE) all
	$(call PROVE,real)

check-inject: ## every allocation, read, write, open, ... fails once (EVERY=50: one in 50; LIBRARIES=1: theirs too)
	$(SUBMAKE) all
	$(call PROVE,inject)

check-instructions: ## instructions that golden cases take, where valgrind is installed
	$(SUBMAKE) all
	$(call PROVE,instructions)

check-tsan: tests-tsan ## unit tests, and golden tests on four threads, under ThreadSanitizer
	$(call PROVE,tsan)

check-analyzer: ## gcc -fanalyzer finds nothing that scripts/analyzer/argued.txt does not answer
	$(SUBMAKE) all
	$(call PROVE,analyzer)

check-cross: ## unit and golden tests of programs for another machine, under qemu (ARCH=arm64, s390x; ROOM=, CASE=: some of them)
	$(Q)test -n "$(ARCH)" || { echo "make check-cross ARCH=arm64, or s390x" >&2; exit 2; }
	$(SUBMAKE) tests static $(B)/emulated
	$(call PROVE,cross)

check-limits: ## few descriptors, little memory, small files, a small stack (ulimit -n -v -d -f -s)
	$(SUBMAKE) all
	$(call PROVE,limits)

check-soak: ## RUNS=2000 runs, all as the first ones, and nothing is left behind
	$(SUBMAKE) all
	$(call PROVE,soak)

check-attack: ## 13,500 damaged recordings, binaries, texts and packs through every command (RUNS=: so many)
	$(SUBMAKE) all
	$(call PROVE,attack)

check-lines: ## what annotate says of lines of C, C++, Rust and JavaScript whose cost is known (2 minutes)
	$(SUBMAKE) all
	$(call PROVE,lines)

check-cache: ## --symbol-cache: the same bytes with it, damage, 400 killed processes (2 minutes; ROUNDS=10: fewer)
	$(SUBMAKE) all
	$(call PROVE,cache)

check-languages: ## Go without symbols, Python's trampolines (GO='go1.18.10 go1.21.0', PYTHON=FILE: by these)
	$(SUBMAKE) all
	$(call PROVE,languages)

check-oss-fuzz: ## scripts/fuzz/oss-fuzz/build.sh as OSS-Fuzz calls it, where clang is installed
	$(call PROVE,oss-fuzz)

check-weekly: tests-tsan ## what is too slow for each change: tsan, analyzer, inject, limits, soak, signals, attack, lines, cache, oss-fuzz, fuzz-all (hours)
	$(SUBMAKE) all
	$(call PROVE,$(CHECK_WEEKLY))
	$(SUBMAKE) fuzz-all

tests-tsan:
	$(SUBMAKE) $(RACES) tests

tests-san:
	$(SUBMAKE) $(SANITIZED) tests

bench: ## time and memory, against peers (BENCH='fp dwarf': some of scripts/bench/cases.py)
	$(SUBMAKE) all
	+$(Q)$(TRY) static
	$(Q)scripts/bench/run.py $(B)/perfold $(BENCH)

bench-growth: ## time, instructions and memory as one thing in a recording grows (7 minutes; needs valgrind)
	$(SUBMAKE) all
	$(Q)scripts/bench/growth.py $(B)/perfold

bench-lookups: ## random addresses, against symbolizers (binaries: scripts/bench/binaries.sh; LOOKUPS=rust: some)
	$(SUBMAKE) all
	$(Q)scripts/bench/lookups.py $(B)/perfold $(LOOKUPS)

bench-check: ## two rows of scripts/bench/RESULTS.md again, chosen at random
	$(SUBMAKE) all
	$(Q)scripts/bench/run.py --check $(B)/perfold

fuzzers: $(FUZZ_BIN)

fuzz: ## libFuzzer: make fuzz T=src/base/span_fuzz TIME=600
	$(Q)test -n "$(T)" || { echo "make fuzz T=NAME, one of:" $(FUZZERS:%.c=%); exit 2; }
	$(SUBMAKE) $(FUZZING) build/fuzz/$(T)
	$(Q)scripts/fuzz/run.sh $(T) $(or $(TIME),60)

fuzz-all: ## every fuzzer for TIME=60 seconds: runs, coverage and what was found (T='NAME ...': of these)
	$(SUBMAKE) $(FUZZING) $(or $(T:%=build/fuzz/%),fuzzers)
	$(Q)scripts/fuzz/all.sh $(or $(TIME),60) $(or $(T),$(FUZZERS:%.c=%))

fuzz-seed: ## what a fuzzer found becomes a seed: make fuzz-seed T=src/base/span_fuzz NAME=what-it-is
	$(Q)test -n "$(T)" -a -n "$(NAME)" || { echo "make fuzz-seed T=FUZZER NAME=SEED [INPUT=FILE]"; exit 2; }
	$(SUBMAKE) $(FUZZING) build/fuzz/$(T)
	$(Q)scripts/fuzz/seed.sh $(T) $(NAME) $(INPUT)

mutate: ## change the code in N=100 places, one by one: which changes no test notices (SEED=, ONLY=FILE:LINE, SANITIZERS=1, WITHIN=)
	$(Q)WITHIN='$(WITHIN)' SANITIZERS='$(SANITIZERS)' ONLY='$(ONLY)' scripts/mutate/mutate.py $(or $(N),100) $(or $(SEED),1)

bless: ## rewrite the expectations of one golden case: make bless CASE=group/name
	$(Q)test -n "$(CASE)" || { echo "make bless CASE=group/name" >&2; exit 2; }
	$(SUBMAKE) all
	$(Q)scripts/golden.sh --bless $(B)/perfold $(CASE)

man: $(PAGES) ## the man pages, in build/release/man/

$(B)/man/%: man/%.scd
	@mkdir -p $(@D)
	@echo "  MAN   $@"
	$(Q)scdoc <$< >$@.new && mv $@.new $@

$(B)/completion/%: $(B)/perfold
	@mkdir -p $(@D)
	$(Q)$(B)/perfold --completion $* >$@.new && mv $@.new $@

# Where each shell looks for the completion of a command.
completion_bash := $(datadir)/bash-completion/completions/perfold
completion_zsh  := $(datadir)/zsh/vendor-completions/_perfold
completion_fish := $(datadir)/fish/vendor_completions.d/perfold.fish

install: $(B)/perfold $(PAGES) $(SHELLS) ## program, filters, man pages, completions, below $(DESTDIR)$(PREFIX)
	install -D -m 755 $(B)/perfold $(DESTDIR)$(bindir)/perfold
	$(foreach f,$(RULES),install -D -m 644 $(f) $(DESTDIR)$(datadir)/perfold/$(f) &&) :
	$(foreach p,$(PAGES),install -D -m 644 $(p) $(DESTDIR)$(call page_path,$(p)) &&) :
	$(foreach s,$(SHELLS),install -D -m 644 $(s) $(DESTDIR)$(completion_$(notdir $(s))) &&) :

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(bindir)/perfold $(RULES:%=$(DESTDIR)$(datadir)/perfold/%)
	rm -f $(foreach p,$(PAGES),$(DESTDIR)$(call page_path,$(p)))
	rm -f $(foreach s,$(SHELLS),$(DESTDIR)$(completion_$(notdir $(s))))
	-rmdir $(DESTDIR)$(datadir)/perfold/filters $(DESTDIR)$(datadir)/perfold

deb: ## Debian packages, build/deb/perfold_VERSION_ARCH.deb, one for each of ARCHES
	+$(Q)scripts/deb/build.sh build/deb $(VERSION) $(ARCHES)

# Packages of the static program, in build/dist. ARCHES are the machines that they are for, by Debian's names;
# those that this one is not are built as ARCH is.
NATIVE := $(patsubst x86_64,amd64,$(patsubst aarch64,arm64,$(firstword $(subst -, ,$(MACHINE)))))
ARCHES ?= $(NATIVE)
STAGE  := build/dist/stage
PACK    = $(Q)scripts/release/$@.py $(VERSION) $(STAGE) build/dist $(ARCHES)
stage: static
	+$(Q)$(foreach a,$(filter-out $(NATIVE),$(ARCHES)),$(MAKE) --no-print-directory ARCH=$(a) static &&) :
	$(Q)rm -rf $(STAGE)
	+$(Q)$(MAKE) --no-print-directory CONFIG=static STATIC=1 PREFIX=/usr/local DESTDIR=$(CURDIR)/$(STAGE)/installed \
		install >/dev/null
	$(Q)scripts/release/stage.py $(VERSION) $(STAGE) $(ARCHES)

tarball: stage ## the static program and its files, build/dist/perfold-VERSION-linux-MACHINE.tar.gz
	$(PACK)
npm: stage ## packages for npm, build/dist/perfold-VERSION.tgz and one for each of ARCHES
	$(PACK)
wheel: stage ## a wheel for pip, build/dist/perfold-VERSION-py3-none-PLATFORMS.whl
	$(PACK)
image: stage ## an image for containers, build/dist/perfold-VERSION-oci.tar
	$(PACK)

release: ## all packages and SHA256SUMS, in build/dist (ARCHES='amd64 arm64': for both)
	$(Q)rm -rf build/dist
	+$(Q)$(MAKE) --no-print-directory tarball npm wheel image deb
	$(Q)cp $(ARCHES:%=build/deb/perfold_$(VERSION)_%.deb) build/dist
	$(Q)cd build/dist && sha256sum perfold[-_]* >SHA256SUMS

page_path = $(mandir)/man$(subst .,,$(suffix $(1)))/$(notdir $(1))

format: ## clang-format all sources
	$(Q)clang-format -i $(shell find src scripts -name '*.[ch]')

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | awk -F '\t' '{ printf "%-14s %s\n", $$1, $$2 }'

.SECONDARY: $(FUZZ_MAIN)
.DELETE_ON_ERROR:
.PHONY: all static assets tests tests-san check check-all check-unit check-golden check-truth check-named check-strip check-static check-san check-chop \
	check-packs check-packages check-release check-debian check-compilers check-view check-ci check-browser check-peers check-readers check-pgo check-fleet check-tutorial check-recipes check-jit check-gates check-real check-inject check-instructions check-cross \
	check-tsan check-analyzer check-limits check-soak check-attack check-lines check-cache check-languages check-oss-fuzz check-weekly tests-tsan \
	bench bench-check bench-growth bench-lookups fuzzers fuzz fuzz-all fuzz-seed mutate bless \
	man install uninstall deb stage tarball npm wheel image release format clean help
