#!/usr/bin/python3
"""All ways to run a command line give the same result: differential.py PROGRAM SECONDS [SEED [EMULATED]]

Random command lines over random files. The sequential algorithm on one thread gives the expected result: output,
messages, exit status, statistics, and the files in the folder. The ways differ in source and destination, threads and
chunks. EMULATED is the program with a device on the CPU; it runs too, with --device cuda, if the stream is short.
Case n depends only on SEED + n; with 0 SECONDS there is just the first."""

import hashlib
import itertools
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
from harness import PROGRAM, SANITIZED, argument, check_seeds, finish

CONTAINERS = ["wav", "npy", "w64", "flac"]
SEQUENTIAL = ["--algorithm", "lemire", "--threads", "1"]
PATIENCE = 120
OLDER = b"an older file\n"
EMULATED_SAMPLES = 200_000
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
        feeder = None
        stdin = stdout = subprocess.DEVNULL
        if source == "name":
            words += [name]
        elif source == "pipe":
            feeder = subprocess.Popen(["cat", name], cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
            stdin = feeder.stdout
        else:
            behind = b"passed over already" if source == "behind" else b""
            # An earlier reader has left the descriptor in the middle of the file.
            (folder / "in.part").write_bytes(behind + self.stream.content)
            stdin = open(folder / "in.part", "rb", buffering=0)
            stdin.seek(len(behind))
        before = b""
        if target.startswith("option"):
            words += ["-o", "out.f32"]
            if target == "option over":
                out.write_bytes(OLDER)
        elif target == "pipe":
            stdout = subprocess.PIPE
        elif target in ("redirect", "append"):
            before = BEFORE if target == "append" else b""
            out.write_bytes(before)
            stdout = open(out, "ab" if target == "append" else "wb")
        self.line = f"{shlex.join(words)}  # input: {source}, output: {target}"
        child = subprocess.Popen(words, cwd=folder, stdin=stdin, stdout=stdout,
                                 stderr=subprocess.PIPE)
        for file in (stdin, stdout):
            if hasattr(file, "close"):
                file.close()
        try:
            piped, messages = child.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            piped, messages = child.communicate()
            messages += b"killed: it took too long"
        if feeder:
            feeder.wait()
        return self.collect(target, child.returncode, piped, messages.decode(), before)

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
            result["statistics"] = digest(stats.read_bytes()) if stats.exists() else "none"
        for name in ("out.f32", "in.part", "stats"):
            (self.folder / name).unlink(missing_ok=True)
        left = [path.name for path in self.folder.iterdir() if path.name != self.stream.name]
        if left:
            result["files left"] = str(sorted(left))
        return result

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
        return list(Case(seed, pathlib.Path(name)).failures())


def seeds(first, seconds):
    """Cases until the time is over; one that has begun is finished."""
    until = time.monotonic() + seconds
    return itertools.takewhile(lambda seed: seed == first or time.monotonic() < until, itertools.count(first))


EMULATED = [os.path.abspath(name) for name in sys.argv[4:]]
check_seeds(faults, seeds(argument(3, 1), argument(2, 10.0) / (1 + SANITIZED)),
            lambda seed: [PROGRAM, 0, seed, *EMULATED])
finish()
