#!/bin/sh
# check.sh PROGRAM: do the steps of action.yml and gitlab.yml do what they say?
#
# The services are not here. Each step's script is taken out of the YAML and run by bash, as they run
# it, in an empty directory with the environment that they give: what is between ${{ }} is put in as
# GitHub does. Recordings are folded stacks, of which one has a function that costs more.
set -u
export LC_ALL=C
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=scripts/tap.sh
. "$here/../tap.sh"

command -v bash >/dev/null || skip_all "no bash"

expect() { # NAME CONDITION...
	what=$1
	shift
	if "$@"; then
		pass "$what"
	else
		fail "$what"
		tail -n 5 "$work/log" | cut -c 1-300
	fi
}

# The block below "run: |" of the step with this name.
step() { # NAME
	awk -v name="$1" '
		$1 == "-" && $2 == "name:" { sub(/.*name: */, ""); in_step = $0 == name; in_run = 0; next }
		in_step && in_run && NF && match($0, /^ */) && RLENGTH < 8 { in_run = 0 }
		in_step && in_run { sub(/^        /, ""); print }
		in_step && $1 == "run:" { in_run = 1 }' "$here/action.yml"
}

# The lines "KEY: VALUE" of env: of a step, or of variables: of the job, as KEY=VALUE; inputs are put in
# where one was given, and are their default else.
settings() { # FILE KEY INDENT [INPUT=VALUE...]
	file=$1 key=$2 indent=$3
	shift 3
	given=$(printf '%s\n' "$@")
	awk -v key="$key:" -v indent="$indent" -v given="$given" '
		BEGIN {
			n = split(given, one, "\n")
			for (i = 1; i <= n; i++) {
				eq = index(one[i], "=")
				value[substr(one[i], 1, eq - 1)] = substr(one[i], eq + 1)
			}
		}
		/^inputs:/ { in_inputs = 1 }
		/^runs:/ { in_inputs = 0 }
		in_inputs && /^  [a-z-]+:$/ { input = $1; sub(":", "", input) }
		in_inputs && $1 == "default:" && !(input in value) {
			sub(/^ *default: */, "")
			value[input] = $0 == "\047\047" ? "" : $0
		}
		match($0, /^ */) && RLENGTH < indent { inside = 0 }
		inside {
			name = $1
			sub(":", "", name)
			text = $0
			sub(/^ *[A-Z_]+: */, "", text)
			if (match(text, /\$\{\{ *inputs\.[a-z-]+ *\}\}/)) {
				of = substr(text, RSTART, RLENGTH)
				gsub(/\$\{\{ *inputs\.| *\}\}/, "", of)
				text = value[of]
			}
			print name "=" text
		}
		$1 == key { inside = 1 }' "$file"
}

# Runs SCRIPT in DIR with the settings in $work/env and ASSIGNMENTs only; the status is in $status.
run_in() { # DIR SCRIPT [ASSIGNMENT...]
	folder=$1 script=$2
	shift 2
	while read -r line; do
		set -- "$@" "$line"
	done <"$work/env"
	status=0
	(cd "$folder" && env -i PATH="$PATH" HOME="$work" "$@" bash --noprofile --norc -eo pipefail "$script") \
		>"$work/log" 2>&1 || status=$?
}

# 2,000 samples of three functions, of which one has MORE.
stacks() { # FILE MORE
	mkdir -p "$(dirname "$1")"
	printf 'app;main;parse 900\napp;main;hash %d\napp;main;write 300\n' $((800 + $2)) >"$1"
}

job() { # a new directory with recordings
	job=$work/job
	rm -rf "$job"
	mkdir -p "$job"
	stacks "$job/base/1.folded" 0
	stacks "$job/base/2.folded" 10
	stacks "$job/same.folded" 5
	stacks "$job/worse.folded" 700
}

github() { # AFTER [INPUT=VALUE...]
	after=$1
	shift
	settings "$here/action.yml" env 8 before='base/*.folded' after="$after" perfold="$program" "$@" >"$work/env"
	run_in "$job" "$work/compare" GITHUB_ACTION_PATH="$here" GITHUB_STEP_SUMMARY="$job/summary.md" \
		GITHUB_WORKSPACE="$job" GITHUB_ACTIONS=true CI=true RUNNER_TEMP="$work"
}

check_github() {
	step Compare >"$work/compare"
	step 'Build perfold' >"$work/build"
	expect "action.yml: has the step that compares" grep -q gate.sh "$work/compare"
	job
	github same.folded
	expect "GitHub: the same passes" [ "$status" = 0 ]
	expect "GitHub: the summary is written" [ -s "$job/summary.md" ]
	expect "GitHub: and the picture" [ -s "$job/perfold/diff.svg" ]
	github worse.folded
	expect "GitHub: a regression fails the job" [ "$status" = 3 ]
	expect "GitHub: and is named" grep -q hash "$job/perfold/verdict.md"
	github worse.folded fail-if='self(/parse/) > 2x' folder='out put'
	expect "GitHub: inputs reach the program" [ "$status" = 0 ]
	expect "GitHub: also the folder, with a blank in its name" [ -s "$job/out put/verdict.json" ]
	github same.folded require='samples>1000000'
	expect "GitHub: too few samples are status 4" [ "$status" = 4 ]
	github same.folded before='none/*.folded'
	expect "GitHub: nothing to compare with passes" [ "$status" = 0 ]
}

# The step that builds, where apt-get and make only note that they were called.
check_build() {
	job
	mkdir "$work/bin"
	for tool in sudo make; do
		# shellcheck disable=SC2016 # for the script that is written
		printf '#!/bin/sh\necho "%s $*" >>"%s"\npwd >>"%s"\n' $tool "$work/called" "$work/called" >"$work/bin/$tool"
		chmod +x "$work/bin/$tool"
	done
	: >"$work/env"
	run_in "$job" "$work/build" GITHUB_ACTION_PATH="$here" PATH="$work/bin:$PATH"
	expect "GitHub: the step that builds runs" [ "$status" = 0 ]
	expect "GitHub: and installs what scripts/packages.txt lists" grep -q 'install.* libelf-dev' "$work/called"
	expect "GitHub: and builds in the action's repository" \
		[ "$(tail -n 1 "$work/called")" = "$(cd "$here/../.." && pwd)" ]
}

gitlab() { # AFTER [ASSIGNMENT...]
	after=$1
	shift
	settings "$here/gitlab.yml" variables 4 >"$work/env"
	run_in "$job" "$work/script" PATH="$work/image:$PATH" CI=true GITLAB_CI=true CI_PROJECT_DIR="$job" \
		CI_DEFAULT_BRANCH=main CI_PIPELINE_IID=12 PERFOLD_AFTER="$after" "$@"
}

# "script:" is a list of lines and of blocks after "|".
gitlab_script() {
	awk '
		/^  [a-z_]+:/ { inside = $1 == "script:"; next }
		!inside || $1 == "#" { next }
		/^    - \|/ { next }
		/^    - / { sub(/^    - /, ""); print; next }
		{ sub(/^      /, ""); print }' "$here/gitlab.yml"
}

check_gitlab() {
	gitlab_script >"$work/script"
	mkdir "$work/image" # what the job's image has in /usr/local/bin
	ln -s "$here/gate.sh" "$work/image/perfold-gate"
	ln -s "$program" "$work/image/perfold"
	job
	before=$(ls "$job/base")
	gitlab same.folded CI_COMMIT_BRANCH=topic
	expect "GitLab: the same passes" [ "$status" = 0 ]
	expect "GitLab: a branch leaves the cache alone" [ "$(ls "$job/base")" = "$before" ]
	gitlab worse.folded CI_COMMIT_BRANCH=topic
	expect "GitLab: a regression fails the job" [ "$status" = 3 ]
	expect "GitLab: the artifact is there" [ -s "$job/perfold/verdict.md" ]
	gitlab worse.folded CI_COMMIT_BRANCH=main
	expect "GitLab: nor does a regression get into the cache" [ "$(ls "$job/base")" = "$before" ]
	gitlab same.folded CI_COMMIT_BRANCH=main CI_PIPELINE_IID=13
	expect "GitLab: the default branch's is kept, by number" cmp -s "$job/same.folded" "$job/base/3.folded"
	rm -r "$job/base"
	gitlab same.folded CI_COMMIT_BRANCH=main
	expect "GitLab: the first one passes" [ "$status" = 0 ]
	expect "GitLab: and is kept" [ -s "$job/base/2.folded" ]
}

check_github
check_build
check_gitlab
done_testing
