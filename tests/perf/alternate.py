# SPDX-License-Identifier: MIT
"""Runs two commands alternately, many times: disturbances of the machine affect both.

A bar is a ratio of medians taken pair by pair. It counts as missed only if even the better quarter
of the pairs misses it: then it is not noise."""

import os
import sys

from harness import seconds

CPUS = len(os.sched_getaffinity(0))
WORKERS = [n for n in (1, 2, 4, 8, 12, 16, 24, 32, 48, 64) if n <= CPUS]


def ratios(ours, theirs, runs=11, timed=seconds):
    """The ratios ours / theirs, pair by pair, after one warm-up of each; sorted."""
    timed(theirs)
    timed(ours)
    pairs = []
    for _ in range(runs):
        base = timed(theirs)
        pairs.append(timed(ours) / base)
    return sorted(pairs)


def by_workers(bars, name, command, runs, timed=seconds):
    """A row with the seconds of each number of workers, and the default's over the best number's.

    command(OPTION) is the shell command with an option for the number, or with an empty string."""

    def option(count):
        return command(f"--threads {count}")

    best_of = {count: min(timed(option(count)) for _ in range(4)) for count in WORKERS}
    best = min(best_of, key=best_of.get)
    print(f"  {name}, seconds by workers: " + ", ".join(f"{n}: {best_of[n]:.3f}" for n in WORKERS), flush=True)
    bars.show(f"{name}, default over {best}", ratios(command(""), option(best), runs, timed), 1.1, 1.03)


class Bars:
    """Prints one line per bar, and remembers whether one was missed."""

    def __init__(self):
        self.missed = False
        print(f"{'':44} {'median':>7} {'spread':>15} {'bar':>7} {'reach':>7}")

    def show(self, name, values, bar, reach, at_most=True):
        """`values` must be sorted. With at_most the bar is an upper limit, otherwise a lower
        one."""
        middle = values[len(values) // 2]
        good = values[len(values) // 4] if at_most else values[-1 - len(values) // 4]
        limit = 1 if at_most else -1
        if good * limit > bar * limit:
            verdict = "MISSED"
            self.missed = True
        elif middle * limit > bar * limit:
            verdict = "bar, within the noise"
        elif middle * limit > reach * limit:
            verdict = "bar met"
        else:
            verdict = "reached"
        sign = "<=" if at_most else ">="
        print(f"{name:44} {middle:7.3f} {values[0]:7.3f}-{values[-1]:<7.3f} {sign}{bar:5.2f} "
              f"{sign}{reach:5.2f}  {verdict}", flush=True)

    def end(self):
        sys.exit(1 if self.missed else 0)
