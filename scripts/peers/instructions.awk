# instructions.awk -v name=NAME OBJDUMP INSTRUCTIONS: compares objdump -d -w -z (llvm-objdump -d) with instructions.c.
#
# Reasons why an instruction differs:
#   wait	objdump takes "9b" (wait) and what follows as one: fstcw, fstsw, ...
#   data	objdump itself meets bytes that make no sense ("(bad)", a prefix alone): data among the code, out
#   	of which it comes somewhere in the function that follows
# What does not decode ("(bad)", "(unknown)") is counted: capstone 4 lacks instructions, whose length is known.

function reason(address) {
	if (first[address] == "9b")
		return "wait"
	return text[address] ~ /\(bad\)|^(rex|cs|ds|es|ss|fs|gs|data16|addr32|repz|repnz|lock)[.WRXB]* *$/ ? "data" : ""
}

FNR == 1 { file++ }
file == 1 {
	if (!match($0, /^ *[0-9a-f]+:[ \t]/))
		next
	address = $1
	sub(/:/, "", address)
	for (i = 2; i <= NF && $i ~ /^[0-9a-f][0-9a-f]$/; i++)
		size[address] = i - 1
	first[address] = $2
	sub(/^[^\t]*\t([0-9a-f ]*\t)?/, "")
	text[address] = $0
	next
}
$1 == "function" {
	functions++
	after = "data"
	next
}
$1 == "nothing" { next }
{
	if ($3 == "(bad)" || $3 == "(unknown)")
		bad++
	if ($1 in size && size[$1] == $2) {
		same++
		after = ""
		next
	}
	why = $1 in size ? reason($1) : after
	if (why == "") {
		if (unexplained++ < 10)
			printf "%s: %s: here %d bytes, \"%s\"; objdump %d, \"%s\"\n",
				name, $1, $2, $3 " " $4, size[$1], text[$1]
	} else {
		because[why]++
	}
	after = why
}
END {
	printf "%s: %d instructions of %d functions begin and end where objdump says, %d not known to capstone; ",
		name, same, functions, bad
	printf "%d differ", unexplained + because["wait"] + because["data"]
	if (because["wait"] + because["data"])
		printf " (wait %d, data %d)", because["wait"], because["data"]
	print ""
	exit !same || unexplained > 0
}
