#!/usr/bin/python3
"""Parts of the output that are computed independently: shards.py PROGRAM [SEED]

Random command lines over random files, each run as a whole and with --shard i/K for every i: the concatenated parts are
the whole, bit for bit, and each has its own frames. A case depends only on its seed; with a SEED there is just this
one."""

import json
import os
import pathlib
import random
import shlex
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import files
from harness import PROGRAM, SANITIZED, argument, check, check_seeds, finish, run

CASES = 100
COUNTS = [1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 64]


class Case:
    def __init__(self, seed, folder):
        draw = random.Random(seed)
        self.seed, self.folder = seed, folder
        self.width = files.draw_width(draw)
        self.stream = files.Stream(draw, self.width, faults=draw.random() < 0.1)
        self.question = list(self.stream.words)
        self.question += files.draw_question(draw, self.stream, self.width)
        # To save time, a long stream has few parts.
        most = max(3, 8 * files.MEBI // self.stream.frames)
        self.count = draw.choice([count for count in COUNTS if count <= most])
        self.every = None
        if draw.random() < 0.3:
            least = self.stream.frames * self.stream.channels // 3000 + 1
            self.every = max(least, draw.choice([1, 100, 4096, 4097, self.width,
                                                 draw.randint(1, self.stream.frames)]))
        self.extra = draw.choice([[], [], ["--threads", "1"], ["--threads", "3"],
                                  ["--chunk", str(self.stream.frames // 1000 + 7)]])
        (folder / self.stream.name).write_bytes(self.stream.content)
        self.lines = []

    def run(self, *words):
        done = run(PROGRAM, *self.question, *self.extra, *words, cwd=self.folder, timeout=120)
        self.lines.append(shlex.join(done.command))
        return done

    def shard(self, number, *words):
        return self.run("--shard", f"{number}/{self.count}", *words, self.stream.name)

    def failures(self):
        """With --nan error a NaN may be between the windows of a hop: only the whole reads it."""
        numbers = range(1, self.count + 1)
        whole = self.run(self.stream.name)
        parts = [self.shard(number) for number in numbers]
        statuses = [part.status for part in parts]
        if whole.status == 0 and any(statuses):
            bad = next(part for part in parts if part.status)
            yield f"the whole ends with 0, the parts with {statuses}: {bad.said}"
            return
        if whole.status != 0:
            if not any(statuses) and "error" not in self.question:
                yield f"the whole ends with {whole.status}, each part with 0"
            return
        yield from self.check_bytes(whole.out, [part.out for part in parts])
        yield from self.check_files(parts)
        if self.every is not None:
            yield from self.check_stats()

    def check_bytes(self, whole, parts):
        if b"".join(parts) != whole:
            yield (f"{[len(part) for part in parts]} bytes, together {sum(map(len, parts))}, are "
                   f"not the {len(whole)} of the whole")
        emits = 2
        if "--emit" in self.question:
            emits = self.question[self.question.index("--emit") + 1].count(",") + 1
        size = 4 * emits * self.stream.channels
        total = len(whole) // size
        borders = [total * number // self.count for number in range(self.count + 1)]
        due = [size * (to - start) for start, to in zip(borders, borders[1:])]
        if [len(part) for part in parts] != due:
            yield f"{[len(part) for part in parts]} bytes, due are {due}"

    def check_files(self, parts):
        """-o FILE has the bytes that a pipe gets, and a file may be standard input."""
        number = self.seed % self.count + 1
        done = self.shard(number, "-o", "part.f32")
        content = (self.folder / "part.f32").read_bytes() if done.status == 0 else None
        if content != parts[number - 1].out:
            yield f"-o of part {number} has other bytes: exit {done.status}: {done.said}"
        with open(self.folder / self.stream.name, "rb") as file:
            done = run(PROGRAM, *self.question, "--shard", f"{number}/{self.count}", cwd=self.folder, stdin=file)
        if done.out != parts[number - 1].out:
            yield f"part {number} of standard input has other bytes: {done.said}"

    def check_stats(self):
        """Each block belongs to the shard in which it begins, and is read to its end."""
        words = ["--emit", "none", "--stats", "-", "--stats-every", str(self.every)]
        whole = self.run(*words, self.stream.name)
        parts = [self.shard(number, *words) for number in range(1, self.count + 1)]
        if whole.status != 0:
            return
        statuses = [part.status for part in parts]
        records = [json.loads(line) for line in whole.out.splitlines()]
        if any(statuses):
            yield f"statistics: the whole ends with 0, the parts with {statuses}"
        elif all(record["frames"] == 0 for record in records):
            return
        elif b"".join(part.out for part in parts) != whole.out:
            lines = [part.out.count(b"\n") for part in parts]
            yield f"statistics: {lines} records are not the {len(records)} of the whole"
        elif "--skip" not in self.question:
            total = sum(record["frames"] for record in records if record["channel"] == 0)
            for number, part in enumerate(parts, 1):
                firsts = [json.loads(line)["frame"] for line in part.out.splitlines()]
                start, end = total * (number - 1) // self.count, total * number // self.count
                if not all(start <= first < end for first in firsts):
                    yield f"statistics: part {number} has blocks outside of {start} to {end}"


def gpuenv_in(folder, *words, **how):
    return run(PROGRAM, *words, cwd=folder, **how)


def containers(folder):
    """Each part is a whole file: a reader of the container takes it."""
    (folder / "in.s16").write_bytes(bytes(range(256)) * 40)
    whole = gpuenv_in(folder, "-w", 9, "in.s16").out
    for kind in ("wav", "au", "aiff", "caf", "npy", "w64"):
        joined = b""
        for number in range(1, 4):
            made = f"part.{kind}"
            gpuenv_in(folder, "-w", 9, "-r", "8k", "-T", kind, "--shard", f"{number}/3", "in.s16", "-o", made)
            again = gpuenv_in(folder, "-w", 1, "--emit", "max", made)
            check(again.status == 0, "no whole file: part", number, again)
            joined += again.out
        check(joined == whole, kind, "the frames of the parts are not those of the whole")


def reports(folder):
    """The parts agree on the whole, and are adjacent. There may be more parts than frames."""
    (folder / "in.f32").write_bytes(bytes(4 * 10))
    status = os.stat(folder / "in.f32")
    words = ["-w", 3, "--skip", 1, "--stats", "stats", "--stats-every", 2, "--stats-format", "tsv", "in.f32"]
    wholes = []
    for extra in ([], ["--algorithm", "lemire"]):
        next_output, next_block, records, joined = 0, 0, b"", b""
        for number in range(1, 17):
            done = gpuenv_in(folder, *words, *extra, "--shard", f"{number}/16", "--report", "report")
            check(done.status == 0 and not done.said, done)
            joined += done.out
            records += (folder / "stats").read_bytes()
            report = json.loads((folder / "report").read_text())
            check((report["shard"], report["shards"], report["input_size"]) == (number, 16, 40), number, report)
            seconds, fraction = report["input_mtime"].split(".")
            check(int(seconds) * 10**9 + int(fraction) == status.st_mtime_ns, "due is", status.st_mtime_ns, report)
            check((report["first_output"], report["first_block"]) == (next_output, next_block), "does not adjoin", report)
            next_output, next_block = report["next_output"], report["next_block"]
            check(len(done.out) == 8 * (next_output - report["first_output"]), len(done.out), "bytes", report)
            wholes.append((report["input_frames"], report["outputs"]))
        (folder / "stats").unlink()  # those of a part are not those of a whole
        check(gpuenv_in(folder, *words, *extra, "-o", "whole").status == 0, "the whole")
        check(joined == (folder / "whole").read_bytes() and next_output == 7 and next_block == 5,
              len(joined), "bytes of", next_output, "frames and", next_block, "blocks")
        check(records == (folder / "stats").read_bytes(), "statistics:", records)
    check(set(wholes) == {(9, 7)}, "the parts are of", set(wholes))


def uncuttable(folder):
    """An input whose length is known only at its end is rejected."""
    if shutil.which("sox") is None:
        return
    run("sox", "-n", "-r", 8000, "-c", 1, folder / "in.ogg", "synth", 1, "sine", 300)
    done = gpuenv_in(folder, "-w", 5, "--shard", "1/2", "in.ogg")
    check(done.status == 2 and not done.out and "known only at its end: convert it" in done.said, done)


def nothing(folder):
    """A file without frames has parts without frames."""
    (folder / "in.f32").write_bytes(b"")
    words = ["-w", 3, "--align", "causal", "--stats", "stats", "--stats-every", 9, "in.f32"]
    check(gpuenv_in(folder, *words).status == 0, "the whole")
    due, records = (folder / "stats").read_bytes(), b""
    for number in (1, 2, 3):
        done = gpuenv_in(folder, *words, "--shard", f"{number}/3")
        check(done.status == 0 and not done.out and not done.said, done)
        records += (folder / "stats").read_bytes()
    check(records == due, "statistics of nothing:", records, "are not", due)


def faults(seed):
    with tempfile.TemporaryDirectory(prefix="shards-") as name:
        case = Case(seed, pathlib.Path(name))
        found = list(case.failures())
        return [case.lines[0], *found] if found else []


def main():
    for what in (containers, reports, uncuttable, nothing):
        with tempfile.TemporaryDirectory(prefix="shards-") as name:
            what(pathlib.Path(name))
    seed = argument(2, 0)
    check_seeds(faults, [seed] if seed else range(1, 1 + (CASES // 3 if SANITIZED else CASES)),
                lambda seed: [PROGRAM, seed])
    finish()


if __name__ == "__main__":
    main()
