#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""All ways to run a command line give the same result: differential.py PROGRAM SECONDS [SEED [EMULATED]]

Random command lines over random files. The sequential algorithm on one thread gives the expected result: output,
messages, exit status, statistics, and the files in the folder. The ways differ in source and destination, threads and
chunks; and parts that are computed by themselves are the whole. EMULATED is the program with a device on the CPU; it
runs too, with --device cuda, if the stream is short. Case n depends only on SEED + n; with 0 SECONDS there is just the
first."""

import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
import files
from harness import FEW, PROGRAM, argument, check_seeds, finish, run

CONTAINERS = ["wav", "npy", "w64", "flac"]
SEQUENTIAL = ["--algorithm", "lemire", "--threads", "1"]
OLDER = b"an older file\n"
EMULATED_SAMPLES = 200_000
COUNTS = [1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 64]  # of parts
BEFORE = b"what stood there before\n"

INPUTS = ["name", "name", "name", "name", "pipe", "redirect", "behind"]
OUTPUTS = ["option", "option", "option over", "redirect", "redirect", "append", "pipe", "null"]


def without_names(text):
    """Messages name the input and output, which differ between the ways."""
    text = re.sub(r"-i (in\.[a-z0-9]+|-)(?= )", "-i INPUT", text)
    text = re.sub(r"\bin\.[a-z0-9]+\b|standard input", "INPUT", text)
    return re.sub(r"\bout\.[a-z0-9]+\b|standard output|/dev/null", "OUTPUT", text)


def digest(content):
    return f"{len(content)} bytes, {hashlib.sha256(content).hexdigest()[:16]}"


class Case:
    """A file, a command line, and its folder."""

    def __init__(self, seed, folder):
        draw = random.Random(seed)
        self.seed, self.folder, self.draw = seed, folder, draw
        width = files.draw_width(draw)
        self.stream = files.Stream(draw, width)
        self.question = self.stream.words + files.draw_question(draw, self.stream, width)
        self.has_stats = draw.random() < 0.35
        if self.has_stats:
            self.question += files.draw_stats(draw, self.stream, width)
        self.type = draw.choice([None] * 6 + ["s16", "f64"] + CONTAINERS)
        if self.type is not None:
            self.question += ["-T", self.type]
            if self.stream.container in (None, "npy"):
                self.question += ["-r", "48000"]
        (folder / self.stream.name).write_bytes(self.stream.content)

    def ways(self):
        """[(input, output, words)]"""
        draw = self.draw
        for _ in range(4):
            words = []
            if draw.random() < 0.5:
                words += ["--threads", str(draw.choice([1, 2, 2, 3, 4, 7]))]
            if draw.random() < 0.3:
                least = self.stream.frames // 2000 + 1
                words += ["--chunk", str(draw.choice([least, least + 1, 1000 + least, 65536]))]
            yield draw.choice(INPUTS), draw.choice(OUTPUTS), words
        yield draw.choice(["name", "pipe"]), draw.choice(OUTPUTS[:6]), SEQUENTIAL

    def emulated_ways(self):
        """The same, with a device. Has its own random numbers: a case is the same with it and without."""
        draw = random.Random(self.seed)
        if EMULATED and self.stream.frames * self.stream.channels <= EMULATED_SAMPLES:
            chunk = [] if draw.random() < 0.5 else ["--chunk", str(draw.choice([4096, 10007, 65536]))]
            yield draw.choice(INPUTS), draw.choice(OUTPUTS), ["--device", "cuda", *chunk]

    def run(self, source, target, words):
        """{name: result}, without anything that depends on the way."""
        folder, name, out = self.folder, self.stream.name, self.folder / "out.f32"
        words = [*(EMULATED if "--device" in words else [PROGRAM]), *self.question, *words]
        how = {"stdout": subprocess.DEVNULL}
        before = BEFORE if target == "append" else b""
        with contextlib.ExitStack() as files_open:
            if source == "name":
                words += [name]
            elif source == "pipe":
                how["data"] = self.stream.content
            else:
                behind = b"passed over already" if source == "behind" else b""
                # An earlier reader has left the descriptor in the middle of the file.
                (folder / "in.part").write_bytes(behind + self.stream.content)
                how["stdin"] = files_open.enter_context(open(folder / "in.part", "rb", buffering=0))
                how["stdin"].seek(len(behind))
            if target.startswith("option"):
                words += ["-o", "out.f32"]
                if target == "option over":
                    out.write_bytes(OLDER)
            elif target == "pipe":
                how["stdout"] = subprocess.PIPE
            elif target in ("redirect", "append"):
                out.write_bytes(before)
                how["stdout"] = files_open.enter_context(open(out, "ab" if target == "append" else "wb"))
            done = run(*words, cwd=folder, **how)
        self.line = f"{shlex.join(words)}  # input: {source}, output: {target}"
        return self.collect(target, done.status, done.out, done.said, before)

    def collect(self, target, status, piped, messages, before):
        out = self.folder / "out.f32"
        result = {"exit status": status, "messages": without_names(messages)}
        if target.startswith("option"):
            content = out.read_bytes() if out.exists() else None
            if status == 0:
                result["output"] = "none" if content is None else digest(content)
            elif content != (OLDER if target == "option over" else None):
                result["half a file"] = "is left"
        elif target == "pipe":
            result["output"] = digest(piped)
        elif target != "null":
            content = out.read_bytes()
            result["output"] = digest(content[len(before):])
            if not content.startswith(before):
                result["what stood there before"] = "is gone"
        stats = self.folder / "stats"
        if self.has_stats:
            # The last column of tsv is the name of the input, which a pipe does not have.
            records = re.sub(rb"\t[^\t\n]*$", b"", stats.read_bytes(), flags=re.M) if stats.exists() else b""
            result["statistics"] = digest(records) if stats.exists() else "none"
        for name in ("out.f32", "in.part", "stats"):
            (self.folder / name).unlink(missing_ok=True)
        left = [path.name for path in self.folder.iterdir() if path.name != self.stream.name]
        if left:
            result["files left"] = str(sorted(left))
        return result

    def part(self, *words, **how):
        """A run of the program, and the records of its statistics."""
        done = run(PROGRAM, *self.question, *words, cwd=self.folder, **how)
        stats = self.folder / "stats"
        records = stats.read_bytes() if stats.exists() else b""
        stats.unlink(missing_ok=True)
        return done, records

    def parts(self):
        """--shard i/K for every i: together the whole, bit for bit, and each has its own frames. Has its own random
        numbers, too."""
        draw, name, frames = random.Random(self.seed), self.stream.name, self.stream.frames
        if self.type in CONTAINERS or self.has_stats and "--stats-every" not in self.question:
            return
        count = draw.choice([count for count in COUNTS if count <= max(3, 8 * files.MEBI // frames)])
        extra = draw.choice([[], [], ["--threads", "1"], ["--threads", "3"], ["--chunk", str(frames // 1000 + 7)]])
        whole, records = self.part(*extra, name)
        runs = [self.part(*extra, "--shard", f"{number}/{count}", name) for number in range(1, count + 1)]
        parts, found = zip(*runs)
        statuses = [part.status for part in parts]
        bad = next((part for part in parts if part.status), whole)
        # With --nan error a NaN may be between the windows of a hop: only the whole reads it.
        one_sided = whole.status != 0 and not any(statuses) and "error" not in self.question
        if one_sided or whole.status == 0 and any(statuses):
            yield f"{whole}\n    the parts: {statuses}: {bad}"
        if whole.status or any(statuses):
            return
        emits = self.question[self.question.index("--emit") + 1].count(",") + 1 if "--emit" in self.question else 2
        size = {None: 4, "s16": 2, "f64": 8}[self.type] * emits * self.stream.channels
        borders = [len(whole.out) // size * number // count for number in range(count + 1)]
        lengths = [size * (to - start) for start, to in zip(borders, borders[1:])]
        if b"".join(part.out for part in parts) != whole.out or [len(part.out) for part in parts] != lengths:
            yield f"{whole}\n    in {count} parts: other bytes"
        if b"".join(found) != records and b'"frames":0,' not in records:
            yield f"{whole}\n    in {count} parts: other records"
        if self.has_stats and "tsv" not in self.question and "--skip" not in self.question:
            total = sum(record["frames"] for record in map(json.loads, records.splitlines()) if record["column"] == "ch1")
            for number, text in enumerate(found, 1):  # a block is of the part in which it begins
                firsts = [json.loads(line)["frame"] for line in text.splitlines()]
                if not all(total * (number - 1) // count <= first < total * number // count for first in firsts) and total:
                    yield f"{whole}\n    part {number} of {count} has blocks of others"
        number = draw.randint(1, count)
        with open(self.folder / name, "rb") as file:
            for again, _ in self.part(*extra, "--shard", f"{number}/{count}", "-o", "part", name), self.part(
                    *extra, "--shard", f"{number}/{count}", stdin=file):
                out = self.folder / "part"
                got = again.out or out.read_bytes()
                if got != parts[number - 1].out:
                    yield f"{again}\n    other bytes than {parts[number - 1]}"

    def failures(self):
        references = {}
        for source, target, words in [*self.ways(), *self.emulated_ways()]:
            # A header depends on whether the lengths of input and output are known.
            key = (source, target) if self.type in CONTAINERS else ("name", "redirect")
            if key not in references:
                references[key] = self.run(*key, SEQUENTIAL)
            expected = references[key]
            got = self.run(source, target, words)
            for what in dict.fromkeys([*got, *expected]):
                # /dev/null keeps nothing, and a failed run removes the file of -o.
                if what == "output" and what not in got and target in ("null", "option",
                                                                       "option over"):
                    continue
                if got.get(what) != expected.get(what):
                    yield (f"{self.line}\n    {what}: {got.get(what, 'none')}\n"
                           f"    due:  {expected.get(what, 'none')}")


def faults(seed):
    with tempfile.TemporaryDirectory(prefix="differential-") as name:
        case = Case(seed, pathlib.Path(name))
        return [*case.failures(), *case.parts()]


def seeds(first, seconds):
    """Cases until the time is over; one that has begun is finished."""
    until = time.monotonic() + seconds
    return itertools.takewhile(lambda seed: seed == first or time.monotonic() < until, itertools.count(first))


EMULATED = [os.path.abspath(name) for name in sys.argv[4:]]
check_seeds(faults, seeds(argument(3, 1), argument(2, 10.0) / (1 + FEW)),
            lambda seed: [PROGRAM, 0, seed, *EMULATED])
finish()
