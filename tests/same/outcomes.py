#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What becomes of a run when each of its calls fails once: outcomes.py PROGRAM LIBRARY KIND MOST IN OUT WORD...

By the bench of tests/faults/. KIND is one of its kinds of calls, or `cuda`: every function of the emulated device. A
clean run counts the calls; then `MOST` of them fail, in each of their ways. Two builds may need different numbers of
calls, so what is printed is the set of outcomes. IN is a file of ../in that comes by a pipe, or -; OUT is `pipe` or
`file`. A word that begins with @ is a file of ../in."""

import collections
import pathlib
import re
import sys
import tempfile

sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../faults"]
import faults

LIBRARY, KIND, MOST, IN, OUT = sys.argv[2:7]
LINE = (None if IN == "-" else IN, " ".join(sys.argv[7:]), OUT)
# Frames and bytes before a fault depend on the time, and on how a stream is divided; so does what a device was at.
MASKS = [(re.compile(r"(?<![\w.])[0-9][0-9.]*"), "N"), (re.compile(r"(cuda device N): [a-z -]+:"), r"\1: WORK:")]


def kinds_of(tally):
    if KIND != "cuda":
        return {KIND: faults.WAYS[KIND]}
    return {kind: [faults.CUDA_WAY] for kind in sorted(tally) if kind not in faults.WAYS and kind != "unlink"}


def masked(word):
    for pattern, instead in MASKS:
        word = pattern.sub(instead, word)
    return word


def content(name, got, due, status):
    """Before a fault, a stream may have come to any place; records of a block that it has cut are others."""
    if got == due:
        return "whole" if status == 0 or name != "stdout" else "a beginning"
    if status != 0 and (name == "stats" or not faults.is_raw(LINE)):
        return "a part"
    return "a beginning" if due is not None and due.startswith(got) else "OTHER BYTES"


def outcome(home, clean, result, older):
    due = {"stdout": clean.stdout, **clean.files}
    there = {"stdout": result.stdout, **dict(sorted(result.files.items()))}
    # An older file that is as it was is as good as none.
    left = [f"{name} {content(name, got, due.get(name), result.status)}" for name, got in there.items()
            if name not in older or got != faults.OLDER]
    left += [f"the older {name} is gone" for name in older if name not in there]
    words = faults.without_device(result.words) if faults.is_beside(LINE) else result.words
    said = [masked(word.replace(home, "HOME")) for word in words if word not in clean.words]
    return f"status {result.status}", *left, *said, *(["left in TMPDIR"] if result.left else [])


def main():
    outcomes = collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as root:
        bench = faults.Bench(LIBRARY, pathlib.Path("../in").resolve(), root)
        home = str(bench.home.resolve())
        clean = bench.run(LINE)
        print(*outcome(home, clean, clean, ()), *map(masked, clean.words))
        if clean.status != 0:
            sys.exit("the clean run fails")
        for kind, ways in kinds_of(clean.tally).items():
            for number in faults.sample(clean.tally.get(kind, (0, 0))[0], int(MOST)):
                for way in ways:
                    older = faults.outputs_of(LINE[1]) if number % 2 == 0 else ()
                    result = bench.run(LINE, (kind, number, way), older)
                    # Whether a device beside the cores comes to a call depends on the time.
                    if result.tally.get(kind, (0, 0))[1] > 0 or faults.is_beside(LINE):
                        outcomes[way].add(outcome(home, clean, result, older))
    for way, found in sorted(outcomes.items()):
        for words in sorted(found):
            print(way, *words, sep=": ")


main()
