#!/usr/bin/python3
"""A slow stream is answered at once: latency.py PROGRAM

64 frames go in every 20 ms; the time from each write until all of its answer is back must be at
most 5 ms for 99 of 100 writes. A machine that is busy with other things gets a second try."""

import os
import subprocess
import sys
import time

FRAMES = 64
WRITES = 250
PERIOD = 0.020
LIMIT = 0.005


def measure(program):
    child = subprocess.Popen([program, "-w", "64", "--align", "causal"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, bufsize=0)
    to, back = child.stdin.fileno(), child.stdout.fileno()
    piece = bytes(4 * FRAMES)
    times = []
    due = time.monotonic()
    for _ in range(WRITES):
        due += PERIOD
        time.sleep(max(due - time.monotonic(), 0))
        start = time.monotonic()
        os.write(to, piece)
        left = 2 * len(piece)
        while left > 0:
            got = len(os.read(back, left))
            if got == 0:
                sys.exit("the stream ended early")
            left -= got
        times.append(time.monotonic() - start)
    child.stdin.close()
    rest = len(child.stdout.read())
    if child.wait() != 0 or rest != 0:
        sys.exit(f"exit status {child.returncode}, {rest} bytes too many")
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100], times[-1]


def main():
    for _ in range(2):
        half, most, longest = measure(sys.argv[1])
        print(f"p50 {1e3 * half:.2f} ms, p99 {1e3 * most:.2f} ms, max {1e3 * longest:.2f} ms")
        if most <= LIMIT:
            return 0
    print(f"p99 is over {1e3 * LIMIT:.0f} ms, twice")
    return 1


if __name__ == "__main__":
    sys.exit(main())
