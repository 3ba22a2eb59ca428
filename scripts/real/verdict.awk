# verdict.awk: of the columns and the row of evidence.py, what is to be said of the recording.
# whole: each stack must have its beginning, or say that it was cut off.
NR == 1 { for (i = 2; i <= NF; i++) column[$i] = i; next }
NR == 2 {
	frames = $column["frames"]
	wrong = $column["wrong"] + $column["unpaired"]
	early = whole ? $column["early"] : 0
	bad = frames == 0 || wrong || early
	printf "%s%d frames: %d equal, %d aliases, %d without name, %d by a label, %d wrong, %d unpaired; " \
		"%d stacks without beginning\n",
		bad ? "not " : "", frames, $column["equal"] + $column["kernel"], $column["alias"],
		$column["missing"] + $column["range"] + $column["bare"] + $column["marks"], $column["label"], $column["wrong"], $column["unpaired"], $column["early"]
	exit
}
