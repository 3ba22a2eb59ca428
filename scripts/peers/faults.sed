# faults.sed: the faults of stackcollapse-perf.pl in which perfold differs on the recorded texts. Both sides go
# through it (sed -E), so that what is left differs for no listed reason.

# it calls the vdso, a module in brackets, part of the kernel
s/(__vdso_[a-z_]+)_\[k\]/\1/g
s/\[\[vdso\]\]_\[k\]/[[vdso]]/g
# and puts the module's own brackets into brackets
s/\[\[vdso\]( <[0-9a-f]+>)?\]/[vdso\1]/g
s/\[\[vdso\]\]/[vdso]/g
# quotes are deleted from names (regular expressions of V8 are names)
s/["']//g
# a regular expression ends at its first bracket, as if arguments began there
s/(RegExp:[^;(]*)\([^;]*_\[j\] ([0-9]+)$/\1_[j] \2/
s/(RegExp:[^;(]*)\([^;]* ([0-9]+)$/\1 \2/
# a frame that perf printed without a name is called " "; perfold names its module, as it does for [unknown]
s/;(\[libc-2\.15\.so( <[0-9a-f]+>)?\]| ) ([0-9]+)$/;(no name) \3/
