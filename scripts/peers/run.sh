#!/bin/sh
# run.sh PROGRAM
#
# Compares perfold with other tools on the same inputs. Each part needs what the environment names, and
# is skipped without it:
#   CORPUS=DIR      recordings with what perf 6.1 and stackcollapse-perf.pl made of them
#   FIXTURES=DIR    flamegraph/: perf script texts with stackcollapse-perf.pl's results;
#                   resolve-jit-symbols/: texts and perf maps with resolve-jit-symbols' results;
#                   cpuprofilify/: texts with cpuprofilify's profiles
#   FLAMEGRAPH=DIR  stackcollapse*.pl and flamegraph.pl themselves
# A case fails where less than 99.9 % of the resolved weight is identical, unless argued.txt says why;
# texts must be equal but for the faults in faults.sed. What differs is left in PEERS_DIR
# (build/peers), *.differs: weight there, weight here, stack.
set -u
here=$(cd "$(dirname "$0")" && pwd) # this directory
perfold=$(realpath "$1")
store=${PEERS_DIR:-build/peers}
mkdir -p "$store"
store=$(realpath "$store")
newline='
'
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"

. "$here/recordings.sh"
. "$here/copies.sh"
. "$here/texts.sh"
. "$here/classic.sh"
. "$here/resolved.sh"
. "$here/pictures.sh"
. "$here/cpuprofile.sh"
. "$here/programs.sh"
. "$here/collapsers.sh"
. "$here/latency.sh"
. "$here/run_queue.sh"

check_lines
check_instructions
check_recordings
check_copies
check_texts
check_cpuprofile
check_classic
check_collapsers
check_latency
check_run_queue
check_resolved
check_pictures
done_testing
