#!/bin/sh
# push_pyroscope.sh PERF.DATA SERVICE: a recording into Pyroscope, by its push API.
# PYROSCOPE: its address, http://127.0.0.1:4040 by default.
set -eu
server=${PYROSCOPE:-http://127.0.0.1:4040}
profile=$(mktemp)
trap 'rm -f "$profile"' EXIT

perfold -q "$1" --label "service=$2" --to pprof -o "$profile"
# "process_cpu" is what Pyroscope calls the profile that has the type cpu.
printf '{"series":[{"labels":[{"name":"__name__","value":"process_cpu"},
{"name":"service_name","value":"%s"}],"samples":[{"rawProfile":"%s"}]}]}' \
	"$2" "$(base64 -w0 "$profile")" |
	curl -sSf -H 'Content-Type: application/json' --data-binary @- "$server/push.v1.PusherService/Push"
