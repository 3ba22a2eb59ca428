# wasm.py STRATEGY SECONDS: runs busy.wat in Wasmtime, and prints the shares of its functions. STRATEGY as for
# --profile of its command: perfmap or jitdump.
import os, sys, time

import wasmtime

config = wasmtime.Config()
config.profiler = sys.argv[1]
store = wasmtime.Store(wasmtime.Engine(config))
text = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "busy.wat")).read()
instance = wasmtime.Instance(store, wasmtime.Module(store.engine, text), [])
spent = {"heavy": 0, "light": 0}
end = time.thread_time() + float(sys.argv[2])
while time.thread_time() < end:
    for name, n in ("heavy", 300000), ("light", 1000000):
        start = time.thread_time()
        instance.exports(store)[name](store, n)
        spent[name] += time.thread_time() - start
for name, seconds in spent.items():
    print(name, 100 * seconds / sum(spent.values()))
