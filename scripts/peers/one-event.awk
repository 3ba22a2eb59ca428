# one-event.awk -v event=NAME: the samples of one event in the text of perf script, with nothing after
# the event's name, so that stackcollapse-perf.pl reads tracepoints as it reads the rest.

BEGIN { name = " " event ": " }

/^$/ {
	if (wanted)
		print
	wanted = 0
	next
}

/^[^\t#]/ {
	at = index($0, name)
	wanted = at > 0
	if (wanted)
		print substr($0, 1, at + length(name) - 1)
	next
}

wanted
