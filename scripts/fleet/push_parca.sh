#!/bin/sh
# push_parca.sh PERF.DATA SERVICE: a recording into Parca, by its HTTP API.
# PARCA: its address, http://127.0.0.1:7070 by default.
# Parca files a profile under the time in it: the recording has one if it was made by perf record -k mono.
set -eu
server=${PARCA:-http://127.0.0.1:7070}
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

perfold -q "$1" --label "service=$2" --to pprof -o "$profile"
# Parca finds profiles by these labels; those of samples are shown in queries by function.
printf '{"normalized":false,"series":[{"labels":{"labels":[{"name":"__name__","value":"process_cpu"},
{"name":"service","value":"%s"}]},"samples":[{"rawProfile":"%s"}]}]}' \
	"$2" "$(base64 -w0 "$profile")" |
	curl -sSf -H 'Content-Type: application/json' --data-binary @- "$server/api/profiles/writeraw"
