/*
 * v8_name.h - parsing the names that V8 gives functions
 *
 *	JS:*fib /srv/app.js:5:13
 *	LazyCompile:~next native array.js:1082
 *	Script:~/srv/a.js:1
 *
 *	(LazyCompile|Function|Eval|Script|JS|InterpretedFunction):MARK NAME URL:LINE[:COLUMN]
 *
 * MARK: ~ interpreted, ^ baseline (Sparkplug), + Maglev (Turboprop in V8 9), * TurboFan; "o"
 * before + or * is code entered by on-stack replacement, "'" after them context specialised.
 * Measured on Node.js 4 to 26.
 *
 * Owns: nothing; the parts point into the name (borrowed). Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_V8_NAME_H
#define PERFOLD_MODEL_NAMES_V8_NAME_H

#include "base/span.h"

enum v8_tier { V8_NO_TIER, V8_INTERPRETED, V8_BASELINE, V8_MAGLEV, V8_TURBOFAN };

struct v8_name {
	struct span rest;      /* all after kind and mark */
	struct span function;  /* without kind and mark; may be empty: anonymous */
	struct span url;       /* may be empty: eval */
	uint32_t line, column; /* from 1; 0: not said */
	uint8_t tier;
};

/* False if the name is no function of V8's; out is then zeroed. */
bool v8_name_parse(struct span name, struct v8_name *out);
/* The length of the end of a WebAssembly name that says number and tier: "-0-turbofan" in
 * "JS:spin-0-turbofan"; 0 where it is none. */
size_t v8_name_wasm_suffix(struct span name);
/* The tier of such a name; V8_NO_TIER for others. */
uint8_t v8_name_tier(struct span name);
/* True where both are one function, in whatever tier; other names must be equal. */
bool v8_name_same_function(struct span a, struct span b);
/* Equal for names of the same function. */
uint64_t v8_name_hash_function(struct span name);

/* Is the script part of the executable, as Node.js (node:fs) and Deno (ext:core) have some? It is
 * no file. */
bool v8_name_is_built_in(struct span url);

/* The code that a frame runs in while it interprets a function; one for all functions. */
enum v8_machine {
	V8_OTHER_CODE,
	V8_BUILTIN,
	V8_INTERPRETER_ENTRY, /* what the handlers of bytecodes return to */
	V8_BYTECODE_HANDLER,
};

/* By the name of a symbol (Builtins_X) or in a perf map (Builtin:X, BytecodeHandler:X). */
enum v8_machine v8_name_machine(struct span name);

#endif
