#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Long tables, which several threads parse side by side, against the same tables from a pipe and in one thread:
text_blocks.py PROGRAM

Whatever is in a table, wherever it is: the same rows, the same message, the same exit status."""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, SANITIZED, check, finish

ROWS = 60_000  # more than a MiB, from which on several threads parse
draw = random.Random(7)
LINES = [f"{row * 10},{draw.uniform(-1e3, 1e3):.5f},{draw.randrange(10**6)}" for row in range(ROWS)]


def table(odd):
    """Rows of a time and two numbers, `odd` ones among them: {row: text}."""
    lines = ["time,a,b", *LINES]
    for row, text in odd.items():
        lines[row + 1] = text
    return "\n".join(lines)


def run(arguments, **how):
    """What a command gives. Only an error about a file ends in the command with which it goes on."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, **how)
    error = done.stderr.decode().replace("standard input", "FILE")
    return done.stdout, re.sub(": try gpuenv .*", "", error), done.returncode


def compare(name, text, *options, window=("-w", "7", "--hop", "5"), threads=4, to="f64"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "FILE.csv"
        path.write_bytes(text.encode())
        arguments = [*window, "-t", "csv", "-T", to, *options]
        wanted = run([*arguments, "--threads", "1"], input=text.encode())
        got = run([*arguments, "--threads", str(threads), "FILE.csv"], cwd=folder)
        got = (got[0], got[1].replace("FILE.csv", "FILE"), got[2])
        check(got == wanted, f"{name} {' '.join(options)}: {len(got[0])} bytes, {got[1:]}; "
                             f"due {len(wanted[0])}, {wanted[1:]}")
        if not SANITIZED:
            alone = run([*arguments, "--threads", "1", "FILE.csv"], cwd=folder)
            check(alone[0] == wanted[0] and alone[2] == wanted[2], f"{name}: one thread")


def main():
    somewhere = sorted(draw.randrange(10, ROWS - 10) for _ in range(6))
    plain = table({})
    compare("plain", plain)
    compare("a newline at the end", plain + "\n")
    for frames in (100, ROWS // 2):
        compare("the beginning", plain, "--frames", str(frames))
    compare("CRLF", plain.replace("\n", "\r\n"))
    compare("times", plain, "--time", "time")
    compare("every row", plain, "--time", "time", window=("-w", "1"))
    compare("minutes", plain, "--time", "time", window=("--zoom", "1min"))
    for to in ("csv", "tsv", "txt"):
        compare("lines", plain, window=("-w", "1"), to=to, threads=7)
        compare("lines with times", plain, "--time", "time", window=("-w", "3"), to=to)
    for window in (("-w", "50s"), ("-w", "1s", "--align", "center"), ("--zoom", "20s")):
        for threads in (2, 4, 9):
            compare("windows of time to lines", plain, "--time", "time", window=window, to="csv", threads=threads)
    keys = "\n".join(["time,a,key", *(f"{row * 10},{row % 977},k{row // 7 % 5}" for row in range(ROWS))])
    compare("windows of keys", keys, "--time", "time", "--by", "key", window=("-w", "200s"), to="csv")
    compare("a gap that is too long", table({ROWS // 2: "1e12,1,2", ROWS - 1: "1e12,1,3"}), "--time", "time",
            window=("--zoom", "1s"))
    compare("the clock", plain, "--time", "time", "--stats", "/dev/null")
    for row in somewhere:
        compare("a word", table({row: f"{row * 10},oops,1"}))
        compare("a field too many", table({row: "1,2,3,4"}))
    row = somewhere[2]
    compare("bad lines", table({row: "x", row + 1: "1,2"}), "--bad-lines", "skip")
    compare("bad lines", table({row: "x", row + 1: "1,2"}), "--bad-lines", "nan")
    many = {at: draw.choice(["x", "1,2", "1,2,3,4", f"{at * 10},x,1", "x,1,2", "5,1,2"]) for at in range(9, ROWS, 3)}
    many |= {at: "x" for at in range(row, row + 5000)}
    for policy in ("skip", "nan"):
        compare("many bad lines", table(many), "--bad-lines", policy)
        compare("many bad lines, times", table(many), "--bad-lines", policy, "--time", "time")
        compare("no good line for long", table({at: "x" for at in range(900)}), "--bad-lines", policy, "--time", "time")
    compare("quotes", table({row: '1,"2",3'}))
    compare("a line in quotes", table({row: '1,"2\n",3', row + 1: '1,"2'}))
    compare("comments and empty lines", table({row: "# 'a, \"b", row + 3: "", row + 9: "  "}))
    # 16 MiB are parsed at once, by 128 parts; the second time, the first 73 have no rows.
    compare("comments", "\n".join(["1,2,3", *["#" * 4000] * 6600, *LINES * 4]), threads=32)
    compare("missing", table({row: "1,,NA", row + 1: ",-,n/a"}))
    compare("a time before", table({row: "5,1,2"}), "--time", "time")
    compare("a long line", table({row: "1,2," + "0" * 100_000 + "5"}))
    compare("a line that is too long", table({row: "1,2," + "0" * 1_500_000 + "5"}))
    for columns in (1, 300, 3000):
        lines = [",".join(str(draw.randrange(100)) for _ in range(columns)) for _ in range(600_000 // columns)]
        compare(f"{columns} columns", "\n".join(lines))
    return finish()


if __name__ == "__main__":
    sys.exit(main())
