#!/bin/sh
# check-layers.sh: includes point one way only (src/README.md).
#
# A file may include what is in its own directory, and what is in a room below its own. From
# another directory only X/X.h is included; base/, model/ and compare/ have no such door, and a test may also use
# what another directory has for its tests (a fuzz entry is one).
set -u
# shellcheck disable=SC2016 # $ is awk's
find src -name '*.[ch]' | sort | xargs awk '
	BEGIN {
		n = split("base model files,compare " \
			"input,jit,unwind,symbolize,filter,collapse,trace,output " \
			"process pipeline view cli main", layer, " ")
		for (i = 1; i <= n; i++) {
			m = split(layer[i], room_name, ",")
			for (k = 1; k <= m; k++)
				rank[room_name[k]] = i
		}
	}
	function folder_of(path) { return sub("/[^/]*$", "", path) ? path : "" }
	function base_of(path) { sub(".*/", "", path); sub("\\.[a-z]+$", "", path); return path }
	function room_of(path) {
		sub("^src/", "", path)
		sub("/.*", "", path)
		sub("\\.[a-z]+$", "", path)
		return path
	}
	function complain(what) {
		printf "%s:%d: %s: %s\n", FILENAME, FNR, target, what
		bad = 1
	}
	FNR == 1 {
		own = room_of(FILENAME)
		own_folder = folder_of(FILENAME)
		if (!(own in rank)) {
			printf "%s: src/%s is no room of src/README.md\n", FILENAME, own
			bad = 1
		}
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		target = $0
		sub("^[^\"]*\"", "", target)
		sub("\".*", "", target)
		if (target ~ "^assets/") { # made by the Makefile from src/output/assets/
			if (own != "output")
				complain("only output/ includes assets")
			next
		}
		to = room_of(target)
		folder = folder_of("src/" target)
		if (!(to in rank))
			complain("is in no room; write the path from src/")
		else if (to != own && rank[to] > rank[own])
			complain(own " is below " to)
		else if (to != own && rank[to] == rank[own])
			complain(own " and " to " are side by side; they meet in model/")
		else if (folder != own_folder && folder != "src" && to !~ "^(base|model|compare)$" &&
			base_of(folder) != base_of(target) && FILENAME !~ /_(test|fuzz)\.c$/)
			complain("another directory is entered through " base_of(folder) ".h only")
	}
	END { exit bad }
'
