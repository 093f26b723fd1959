#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Windows of time, of all rows and of those of each key, by several threads against one: windows.py PROGRAM [RUNS]

Whatever the table, the window and what is written: the same bytes, the same messages, the same exit status."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check, finish

THREADS = (2, 3, 7)
draw = random.Random(argument(2, 1))
runs = argument(3, 25)


def moments(rows, keys):
    """Times in seconds of rows of these keys; those of a key never go back."""
    now = dict.fromkeys(keys, 0)
    steps = draw.choice([(1,), (0, 1), (0, 1, 1, 2, 5), (10,)])
    often = draw.choice([0, 0, 3000, 200])
    together = draw.random() < 0.5
    for key in rows:
        step = draw.choice(steps) if not often or draw.randrange(often) else draw.randrange(20000)
        now[key] = (max(now.values()) if together else now[key]) + step
        yield now[key]


def table(path, by):
    """Rows of a time, a key and two numbers; some are missing, and a row may be wrong."""
    kinds = draw.choice([1, 2, 9, 300]) if by else 1
    keys = [f"k{number}" for number in range(kinds)]
    stays = draw.choice([1, 1, 7, 40, 5000])
    count = draw.choice([3000, 30_000, 80_000])  # the last from which on several threads parse
    rows = []
    while len(rows) < count:
        key = keys[min(draw.randrange(kinds), draw.randrange(kinds))]
        rows += [key] * draw.randint(1, stays)
    holes = draw.choice([0, 0, 50])
    lines = ["time,key,a,b"]
    for time, key in zip(moments(rows, keys), rows):
        a = "nan" if holes and draw.randrange(holes) == 0 else draw.randrange(-50, 50)
        lines.append(f"{time},{key},{a},{draw.randrange(10**6) / 7:.4f}")
    if draw.random() < 0.15:
        lines[draw.randrange(count // 2, count)] = draw.choice(["oops,k0,1,2", "-5,k1,1,2", "-5,new,1,2", "1,2"])
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def options(by):
    """A command line without its input."""
    emit = draw.choice(["min,max", "max", "min,argmax", "range,mid,abs"])
    to = draw.choice(["csv"] * 4 + ["txt", "spans"] + ["f64", "svg"] * (not by))
    if to in ("spans", "svg", "f64"):
        emit = "max" if to == "spans" else "min,max"
    line = ["-w", f"{draw.choice([1, 20, 300, 5000])}s", "--emit", emit, "-T", to, "--time", "time", "--columns", "a,b"]
    line += ["--align", "center"] if to != "spans" and draw.random() < 0.4 else []
    line += ["--by", "key"] if by else draw.choice([[], [], ["--late", "all"]])
    line += ["--level", f"above:{draw.randrange(60)}"] if to == "spans" else []
    line += ["--size", "600x400"] if to == "svg" else []
    line += draw.choice([[], [], [], ["--nan", "omit"], ["--nan", "omit"], ["--nan", "error"]])
    line += draw.choice([[], [], ["--from", "500s"], ["--from", "100s", "--to", "9000s"], ["--skip", "5000"], ["--frames", "20000"]])
    line += draw.choice([[], [], ["--bad-lines", "nan"]])
    line += draw.choice([[], ["--chunk", str(draw.choice([1500, 9000, 100_000]))]])
    return line


def run(folder, line, threads):
    line = [PROGRAM, *line, "FILE.csv", "--threads", str(threads)]
    return subprocess.run(line, cwd=folder, capture_output=True, env=dict(os.environ, MALLOC_PERTURB_="165"))


def compare(folder, line):
    due = run(folder, line, 1)
    check(due.returncode == 0 or b"FILE.csv: " in due.stderr, f"{line}: {due.stderr.decode()}")
    for threads in THREADS:
        got = run(folder, line, threads)
        check((got.stdout, got.stderr, got.returncode) == (due.stdout, due.stderr, due.returncode),
              f"{threads} threads: {' '.join(line)}: {len(got.stdout)} bytes, {got.stderr.decode()}; "
              f"due {len(due.stdout)}, {due.stderr.decode()}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "FILE.csv"
        for _ in range(runs):
            by = draw.random() < 0.6
            table(path, by)
            compare(folder, options(by))
        # Tens of thousands of rows lie outside, before the first one inside.
        path.write_text("time,key,a\n" + "".join(f"{i},k{i % 3},{i % 7}\n" for i in range(40_000)), encoding="ascii")
        compare(folder, ["-w", "20s", "--emit", "max", "--time", "time", "--by", "key", "--from", "39000s", "-T", "csv"])
        # Bad lines are counted up to where the run ends, however far it has read.
        lines = (f"{i},{'x' if i % 100 == 50 else '' if i == 77_777 else i % 7}" for i in range(150_000))
        path.write_text("time,a\n" + "\n".join(lines) + "\n", encoding="ascii")
        for policy, end, count in (("nan", ["--to", "70000s"], 700), ("skip", ["--to", "70051s"], 701),
                                   ("nan", ["--frames", "30051"], 301), ("skip", ["--nan", "error"], 778),
                                   ("nan", ["--nan", "error"], 1), ("skip", ["--late", "all", "--to", "100s"], 1500)):
            line = ["-w", "20s", "--time", "time", "-T", "csv", "--bad-lines", policy, *end]
            compare(folder, line)
            check(f": {count} bad line".encode() in run(folder, line, 1).stderr, f"{line}: {count} bad lines")


main()
finish()
