#!/bin/sh
# check-oss-fuzz.sh: what OSS-Fuzz is given is whole, as far as can be said without building it.
#
# The build itself is tested by scripts/fuzz/oss-fuzz/check.sh.
set -u
dir=scripts/fuzz/oss-fuzz
bad=0

complain() {
	echo "$*"
	bad=1
}

for key in homepage main_repo language primary_contact fuzzing_engines sanitizers base_os_version; do
	grep -q "^$key:" $dir/project.yaml || complain "$dir/project.yaml: no $key"
done
system=$(sed -n 's/^base_os_version: *//p' $dir/project.yaml)
grep -qx "FROM gcr.io/oss-fuzz-base/base-builder:$system" $dir/Dockerfile ||
	complain "$dir/Dockerfile: not from the base-builder of $system"
head -n 1 $dir/build.sh | grep -qx '#!/bin/bash -eu' || complain "$dir/build.sh: not of bash -eu"

# Those without seeds, and files of testdata/ that are read and not copied.
for source in $(find src -name '*_fuzz.c'); do
	name=$(basename "$source" _fuzz.c)
	[ -n "$(ls -A "testdata/fuzz/$name" 2>/dev/null)" ] || complain "$source: no seed in testdata/fuzz/$name"
	words=$(scripts/fuzz/words.sh "$name")
	[ -z "$words" ] || [ -f "scripts/fuzz/dictionaries/$words" ] || complain "$source: no dictionary $words"
	for case in $(grep -oE '(CASES "|"testdata/)[^"]+' "$source" | sed -E 's/.*"(testdata\/)?//' |
		cut -d / -f 1,2); do
		grep -qw -- "$case" $dir/build.sh || complain "$dir/build.sh: does not copy testdata/$case, which $source reads"
	done
done
exit $bad
