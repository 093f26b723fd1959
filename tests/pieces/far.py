#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Frames far from the beginning of a file: far.py PROGRAM

A sparse file has noise around the offsets where 31 bits, 32 bits or the integers of a double end. The results are those
at the beginning of a file, except that frame numbers are larger, exact to the last digit: lines of text, records of
statistics, parts of a shard, and errors."""

import fractions
import json
import pathlib
import random
import struct
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, check, finish, gpuenv, memory_folder

FRAMES = 2_100_000  # enough for pieces
FIRSTS = [(1 << 31) - 500, (1 << 32) - 500, (1 << 53) - 500, (1 << 53) + 1, (1 << 60) - 1_000_001]
RATE = 44100


class Far:
    """A file whose noise begins at frame `first`."""

    def __init__(self, path, first, kind, content):
        size = {"u8": 1, "f32": 4}[kind]
        self.path, self.first, self.kind = path, first, kind
        with open(path, "wb") as file:
            file.seek(first * size)
            file.write(content)

    def run(self, *words, status=0):
        done = gpuenv("-t", self.kind, "-r", RATE, "--skip", self.first, *words, self.path)
        check(done.status == status, done)
        return done

    def out(self, *words):
        return self.run(*words).out

    def records(self, *words):
        """The same, with frames counted from `first`."""
        found = [json.loads(line) for line in self.out("--emit", "none", "--stats", "-", *words).splitlines()]
        for record in found:
            for name in ("frame", "argmin", "argmax", "argabs", "clipped_at"):
                if record[name] is not None:
                    record[name] -= self.first
        return found


def lines(text, first):
    """Lines of csv without their header, frames counted from `first`. Checks their times."""
    found = []
    for line in text.decode().splitlines()[1:]:
        frame, time, *values = line.split(",")
        check(float(time) == float(fractions.Fraction(int(frame), RATE)), "time of frame", frame, time)
        found.append((int(frame) - first, values))
    return found


def compare(near, far):
    where = f"from frame {far.first} on"
    for words in (["-w", "64", "--hop", "50"], ["-w", "1000", "--hop", "700", "--align", "center"]):
        some = [*words, "--frames", "50000", "-T", "csv"]
        due = lines(near.out(*some), 0)
        check(len(due) > 5, "few lines")
        check(lines(far.out(*some), far.first) == due, where, "csv", words)
        parts = [far.out(*some, "--shard", f"{part}/3") for part in (1, 2, 3)]
        check(b"".join(parts) == far.out(*some), where, "shards of csv", words)
        due = near.out(*words)
        for way in (["--threads", "1"], ["--algorithm", "lemire"]):
            check(far.out(*words, *way) == due, where, way, words)
        out, report = far.path.with_name("out.f32"), far.path.with_name("report")
        far.run(*words, "--threads", "4", "-o", out, "--report", report)
        check(out.read_bytes() == due, where, "pieces", words)
        check(json.loads(report.read_text())["way"] == "pieces", where, "no pieces", words)
    some = ["--stats-every", "9999", "--threads", "4"]
    due = near.records(*some)
    check(len(due) == -(-FRAMES // 9999), "few records")
    check(far.records(*some) == due, where, "statistics")
    parts = [far.records(*some, "--shard", f"{part}/3") for part in (1, 2, 3)]
    check(sum(parts, []) == due, where, "shards of statistics")


def compare_nan(folder, first):
    noise = struct.pack("<1000f", *range(1000))
    file = Far(folder / "nan", first, "f32", noise[:-4] + b"\0\0\xc0\x7f")
    said = file.run("-w", "5", "--nan", "error", status=2).said
    check(said == f"gpuenv: {file.path}: NaN in frame {first + 999}, ch1 (--nan error)\n", said)


def main():
    noise = random.Random(53).randbytes(FRAMES)
    # The largest files are in memory.
    with tempfile.TemporaryDirectory(prefix="far-", dir=memory_folder()) as name:
        folder = pathlib.Path(name)
        near = Far(folder / "near", 0, "u8", noise)
        for first in FIRSTS[1:4:2] if FEW else FIRSTS:
            try:
                far = Far(folder / "far", first, "u8", noise)
            except OSError as error:
                print(f"left out: frame {first}: {error.strerror}")
                continue
            compare(near, far)
            compare_nan(folder, first)
    finish()


if __name__ == "__main__":
    main()
