#!/bin/sh
# build.sh OUTDIR [CC [FLAG...]]: the program whose branches are recorded, and the recorder.
#
# Without CC: gcc. The flags are added to -O2 -g.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
[ $# -gt 0 ] || set -- gcc
mkdir -p "$out"
gcc -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -o "$out/branches" "$here/branches.c" -lelf
# Debug information names the directory: OUTDIR, not that of the project.
cp "$here"/src/* "$out/"
cd "$out"
"$@" -O2 -g -fPIC -shared -Wl,--build-id,-soname,libplanted.so -o libplanted.so library.c
"$@" -O2 -g -Wl,--build-id,-q -o app planted.c ./libplanted.so -Wl,-rpath,'$ORIGIN'
