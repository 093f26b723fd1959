#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A table that never ends: live_table.py PROGRAM

An interval of the clock is there as soon as the first row of the next one has come; so is a row's window. Memory does
not grow with the stream, and after a bad line everything that was complete is there."""

import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, PROGRAM, check, finish


def live(options, rows, answers):
    """Each row gives these lines, at once."""
    child = subprocess.Popen([PROGRAM, "-t", "csv", "--time", "t", "-T", "csv", *options], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, bufsize=0)
    os.write(child.stdin.fileno(), b"t,v\n")
    lines = os.fdopen(os.dup(child.stdout.fileno()))
    for row, due in zip(rows, answers):
        os.write(child.stdin.fileno(), row.encode() + b"\n")
        got = [lines.readline().strip() for _ in due]
        check(got == due, options, row, "gives", got, "not", due)
    child.stdin.close()
    rest = lines.read().splitlines()
    return rest, child.wait()


rest, status = live(["--zoom", "1min"],
                    ["2026-11-20T12:00:00Z,1", "2026-11-20T12:00:30Z,2", "2026-11-20T12:01:00Z,3", "2026-11-20T12:03:59Z,4"],
                    [[], [], ["frame,t,v_min,v_max", "0,2026-11-20T12:00:00Z,1,2"],
                     ["2,2026-11-20T12:01:00Z,3,3", "3,2026-11-20T12:02:00Z,nan,nan"]])
check(status == 0 and rest == ["3,2026-11-20T12:03:00Z,4,4"], rest, status)
rest, status = live(["-w", "2"], ["1,5", "1.5,4", "7,6", "7,1"],
                    [[], ["frame,t,v_min,v_max", "0,1,4,5"], ["1,1.5,4,6"], ["2,7,1,6"]])
check(status == 0 and rest == [], rest, status)
rest, status = live(["-w", "20s"], ["10,5", "20,4", "30,6"],
                    [["frame,t,v_min,v_max", "0,10,5,5"], ["1,20,4,5"], ["2,30,4,6"]])
check(status == 0 and rest == [], rest, status)
rest, status = live(["-w", "20s", "--align", "center"], ["10,5", "20,4", "30,6"],
                    [[], [], ["frame,t,v_min,v_max", "0,10,4,5"]])
check(status == 0 and rest == ["1,20,4,6", "2,30,6,6"], rest, status)
rest, status = live(["--zoom", "10s"], ["1,1", "11,2", "5,3"], [[], ["frame,t,v_min,v_max", "0,0,1,1"], []])
check(status == 2 and rest == [], rest, status)


def peak(rows, *options):
    """The most memory in use, in KiB, for so many rows."""
    child = subprocess.Popen([PROGRAM, "-t", "csv", "--time", "t", "-T", "csv", "-o", "/dev/null", "--threads", "1",
                              *options], stdin=subprocess.PIPE)
    block = "".join(f"{{}}.{i:03},{i},{-i}.25\n" for i in range(1000))
    child.stdin.write(b"t,a,b\n")
    for second in range(rows // 1000):
        child.stdin.write(block.replace("{}", str(1700000000 + second)).encode())
    child.stdin.close()
    _, status, usage = os.wait4(child.pid, 0)
    check(status == 0, options, "status", status)
    return usage.ru_maxrss


ROWS = 20_000 if FEW else 400_000  # a sanitizer's memory says nothing
for options in (["--zoom", "1min"], ["-w", "1000"], ["-w", "10000", "--hop", "1s"], ["-w", "10s"],
                ["-w", "1", "--stats", "/dev/null", "--stats-every", "1min"]):
    # Chunks of a fast stream are larger, up to a limit.
    short, long = peak(ROWS, *options), peak(4 * ROWS, *options)
    check(FEW or long < short + 8192, options, f"{short} KiB, then {long} KiB")
finish()
