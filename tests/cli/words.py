# SPDX-License-Identifier: MIT
"""Words of other programs: words.py PROGRAM TABLE [--renew]

The table (words.txt) has, a line each, what people type by habit, and what is due; --renew writes what comes instead:

    gpuenv -y in.wav => gpuenv in.wav       an error that ends in a command to try; that is run, and is right
    gpuenv --emit avg == gpuenv --emit mean     the same bytes
    gpuenv --gain 3 : levels are ...        an error that ends so, without a command
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, PROGRAM, check, finish

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


def run(command, folder, tools):
    return subprocess.run(["bash", "-ec", command], cwd=folder, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "LC_ALL": "C"},
                          stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)


def main():
    lines = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as work:
        tools, folder = pathlib.Path(work, "bin"), pathlib.Path(work, "here")
        tools.mkdir()
        folder.mkdir()
        (tools / "gpuenv").symlink_to(PROGRAM)
        made = run(FILES, folder, tools)
        check(made.returncode == 0, made)
        for number, line in enumerate(lines):
            if line[:1] in ("", "#"):
                continue
            typed, kind, due = LINE.fullmatch(line).groups()
            done = run(typed, folder, tools)
            said = re.sub(r" \(see gpuenv --help( all)?\)$", "", done.stderr.decode().partition("\n")[0])
            if kind == "==":
                same = run(due, folder, tools)
                check((done.returncode, done.stdout) == (0, same.stdout), line, done.returncode, said)
                continue
            text, tries, instead = said.partition(": try ")
            instead = instead if tries else text.partition("unknown option: ")[2] or text.partition(": ")[2]
            lines[number] = f"{typed} {'=>' if tries else ':'} {instead}"
            check(done.returncode == 1 and ("--renew" in sys.argv or line == lines[number]), line, "is now", lines[number])
            # Where each run is slow, a right command is left to the plain build.
            if (instead.startswith("gpuenv ") or (tries and instead.startswith("sox "))) and not FEW:
                then = run(instead, folder, tools)
                check(then.returncode in RIGHT, instead, then.returncode, then.stderr.decode())
    if "--renew" in sys.argv:
        pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")
    finish()


main()
