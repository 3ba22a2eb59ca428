#!/usr/bin/env python3
"""lines.py SOURCE LOG JSON: shares of the lines of SOURCE that are marked "planted N", as the program said them in
LOG, and as perfold annotate --json has them. Lines of one mark, a loop and its body, are added up, each with what was
inlined into it. Fails where a share differs by more than a percentage point."""
import json
import re
import sys

source, log, annotated = sys.argv[1:]
said = {line.split()[0]: float(line.split()[1]) for line in open(log)}
costs, profile = {}, json.load(open(annotated))
for function in profile["functions"]:
    for file in function["files"]:
        if file.get("path", "").endswith(source.rsplit("/", 1)[1]):
            for line in file["lines"]:
                costs[line["line"]] = costs.get(line["line"], 0) + line.get("total", 0)
marks = {}
for number, text in enumerate(open(source), 1):
    planted = re.search(r"planted (\d)", text)
    if planted:
        marks[planted[1]] = marks.get(planted[1], 0) + costs.get(number, 0)
status = 0
for mark, cost in marks.items():
    share = 100 * said[mark] / said["all"]
    found = 100 * cost / profile["total"]
    print(f"# {source.rsplit('/', 1)[1]} {mark}: planted {share:.2f} %, annotated {found:.2f} %, {found - share:+.2f}")
    if abs(found - share) > 1:
        status = 1
sys.exit(status or not marks)
