# baseline.sed: what theirs.awk cannot repeat is undone in their stacks (sed -E).

# a thread's name of one letter swallows the ids and the time behind it
s/^._[0-9]+_+[0-9.]+:/(one letter)/
# a ";" in a thread's name splits it; the recordings have one such name
s/^io:\[0\]\/u2;x/io:[0]\/u2:x/
# perf keeps the carriage return that ends a line of a perf-PID.map
s/\r/ /g
