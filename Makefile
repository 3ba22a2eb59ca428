# perfold: build, test, install. `make help` lists the targets.

VERSION := 0.1.0
PREFIX  ?= /usr/local
datadir ?= $(PREFIX)/share
CC      ?= gcc
CFLAGS  ?= -O2 -g
SAN     ?=
CONFIG  := $(if $(SAN),san,release)
B       := build/$(CONFIG)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -Isrc -I$(B) -pthread $(WARN) $(CFLAGS) \
	$(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
LIBS := -ldw -lelf -lpcre2-8 -lyajl -lz -lzstd -liberty -lm
LDFLAGS_ALL := -pthread $(LDFLAGS) $(if $(SAN),-fsanitize=$(SAN))

SOURCES := $(sort $(shell find src -name '*.c'))
TESTS   := $(filter %_test.c,$(SOURCES))
FUZZERS := $(filter %_fuzz.c,$(SOURCES))
LIB_SRC := $(filter-out src/main.c $(TESTS) $(FUZZERS),$(SOURCES))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
TEST_BIN := $(TESTS:%.c=$(B)/%)

V ?= 0
Q := $(if $(filter 1,$(V)),,@)

all: $(B)/perfold ## build the program (SAN=address,undefined: with sanitizers)

$(B)/perfold: $(B)/src/main.o $(B)/libperfold.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS)

$(B)/libperfold.a: $(LIB_OBJ)
	@echo "  AR    $@"
	$(Q)rm -f $@ && ar rcs $@ $^

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  CC    $<"
	$(Q)$(CC) $(ALL_CFLAGS) -DPERFOLD_VERSION='"$(VERSION)"' -DPERFOLD_DATADIR='"$(datadir)/perfold"' \
		-MMD -MP -c -o $@ $<

$(B)/src/%_test: $(B)/src/%_test.o $(B)/libperfold.a
	@echo "  LINK  $@"
	$(Q)$(CC) $(LDFLAGS_ALL) -o $@ $^ $(LIBS) -lcmocka

-include $(shell find build -name '*.d' 2>/dev/null)

.PHONY: all
