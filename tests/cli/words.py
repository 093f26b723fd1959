# SPDX-License-Identifier: MIT
"""Words of other programs: words.py PROGRAM TABLE [--renew]

The table (words.txt) has, a line each, what people type by habit, and what is due; --renew writes what comes instead:

    gpuenv -y in.wav => gpuenv in.wav       an error that ends in a command to try; that is run, and is right
    gpuenv --emit avg == gpuenv --emit mean     the same bytes
    gpuenv --gain 3 : levels are ...        an error that ends so, without a command
"""

import pathlib
import re
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, Shell, check, finish

LINE = re.compile(r"(gpuenv .*?)(?: (=>|==|:) (.*))?")
# Without a device, --device cuda ends with 3.
RIGHT = (0, 3)
FILES = r"""
gpuenv -w 1 -t u8 -r 8000 -T wav --emit max -o in.wav /etc/passwd -q
gpuenv -w 1 -t u8 -r 8000 -T wav -o stereo.wav /etc/passwd -q
head -c 600 /etc/passwd >in.s16
for minute in {10..59}; do echo "2026-11-20T12:$minute:00Z,$((minute % 7)),$((minute % 5))"; done >rows
(echo time,temp,hum; cat rows) >log.csv
(echo time,temp,site; cat rows) >sites.csv
(echo minutes,temp,hum; cut -c 15-16,21- rows) >minutes.csv
cut -d , -f 2- rows >nohead.csv
tr , ';' <log.csv >semi.csv
tr , '\t' <log.csv >log.tsv
tr , ' ' <nohead.csv >log.txt
"""


def main():
    lines = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as work:
        shell = Shell(work)
        made = shell.run("set -e\n" + FILES)
        check(made.status == 0, made)
        for number, line in enumerate(lines):
            if line[:1] in ("", "#"):
                continue
            typed, kind, due = LINE.fullmatch(line).groups()
            done = shell.run(typed)
            said = re.sub(r" \(see gpuenv --help( all)?\)$", "", done.said.partition("\n")[0])
            if kind == "==":
                same = shell.run(due)
                check((done.status, done.out) == (0, same.out), line, done.status, said)
                continue
            text, tries, instead = said.partition(": try ")
            instead = instead if tries else text.partition("unknown option: ")[2] or text.partition(": ")[2]
            lines[number] = f"{typed} {'=>' if tries else ':'} {instead}"
            check(done.status == 1 and ("--renew" in sys.argv or line == lines[number]), line, "is now", lines[number])
            # Where each run is slow, a right command is left to the plain build.
            if (instead.startswith("gpuenv ") or (tries and instead.startswith("sox "))) and not FEW:
                then = shell.run(instead)
                check(then.status in RIGHT, then)
    if "--renew" in sys.argv:
        pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    finish()


main()
