#!/usr/bin/python3
"""Parts of the output that are worked out one by one: shards.py PROGRAM [SEED]

Random questions about random files, each asked whole and with --shard i/K for every i: the parts
one behind the other are the whole, bit for bit, and each has the frames that are its own. A case
hangs on its seed alone; with a SEED there is just this one."""

import concurrent.futures
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

import files

CASES = 100
COUNTS = [1, 2, 2, 3, 3, 4, 5, 7, 8, 16, 64]


class Case:
    def __init__(self, program, seed, folder, aligns):
        draw = random.Random(seed)
        self.program, self.seed, self.folder = program, seed, folder
        self.width = files.draw_width(draw)
        self.stream = files.Stream(draw, self.width, faults=draw.random() < 0.1)
        self.question = list(self.stream.words)
        self.question += files.draw_question(draw, self.stream, self.width, aligns)
        # For the sake of time a long stream has few parts.
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
        words = [self.program, *self.question, *self.extra, *words]
        self.lines.append(shlex.join(words))
        return subprocess.run(words, cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL,
                              timeout=120)

    def shard(self, number, *words):
        return self.run("--shard", f"{number}/{self.count}", *words, self.stream.name)

    def failures(self):
        """With --nan error a NaN may lie between the windows of a hop: only the whole sees it."""
        numbers = range(1, self.count + 1)
        whole = self.run(self.stream.name)
        parts = [self.shard(number) for number in numbers]
        statuses = [part.returncode for part in parts]
        if whole.returncode == 0 and any(statuses):
            bad = next(part for part in parts if part.returncode)
            yield f"the whole ends with 0, the parts with {statuses}: {bad.stderr.decode()}"
            return
        if whole.returncode != 0:
            if not any(statuses) and "error" not in self.question:
                yield f"the whole ends with {whole.returncode}, each part with 0"
            return
        yield from self.check_bytes(whole.stdout, [part.stdout for part in parts])
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
        content = (self.folder / "part.f32").read_bytes() if done.returncode == 0 else None
        if content != parts[number - 1].stdout:
            yield f"-o of part {number} has other bytes: exit {done.returncode}: {done.stderr}"
        words = [self.program, *self.question, "--shard", f"{number}/{self.count}"]
        with open(self.folder / self.stream.name, "rb") as file:
            done = subprocess.run(words, cwd=self.folder, stdin=file, capture_output=True)
        if done.stdout != parts[number - 1].stdout:
            yield f"part {number} of standard input has other bytes: {done.stderr}"

    def check_stats(self):
        """Each block is with the shard in which it begins, and is read to its end."""
        words = ["--emit", "none", "--stats", "-", "--stats-every", str(self.every)]
        whole = self.run(*words, self.stream.name)
        parts = [self.shard(number, *words) for number in range(1, self.count + 1)]
        if whole.returncode != 0:
            return
        statuses = [part.returncode for part in parts]
        records = [json.loads(line) for line in whole.stdout.splitlines()]
        if any(statuses):
            yield f"statistics: the whole ends with 0, the parts with {statuses}"
        elif all(record["frames"] == 0 for record in records):
            return
        elif b"".join(part.stdout for part in parts) != whole.stdout:
            lines = [part.stdout.count(b"\n") for part in parts]
            yield f"statistics: {lines} records are not the {len(records)} of the whole"
        elif "--skip" not in self.question:
            total = sum(record["frames"] for record in records if record["channel"] == 0)
            for number, part in enumerate(parts, 1):
                firsts = [json.loads(line)["frame"] for line in part.stdout.splitlines()]
                start, end = total * (number - 1) // self.count, total * number // self.count
                if not all(start <= first < end for first in firsts):
                    yield f"statistics: part {number} has blocks outside of {start} to {end}"


def refusals(program, folder):
    """What is no shard is refused, with exit 1 or 2, a message, and no output."""
    (folder / "in.f32").write_bytes(bytes(4000))
    usage = ["0/4", "3/2", "x", "1", "/", "1/", "/2", "1/0", "-1/2", "1/-2", "1.5/2", "1/2/3", "",
             "1/18446744073709551616"]
    cases = [(["-w", "5", "--shard", wrong, "in.f32"], "1") for wrong in usage]
    cases += [(["-w", "5", "--shard", "1/2", "--stats", "stats", "in.f32"], "1"),
              (["--emit", "none", "--stats", "-", "--shard", "1/2", "in.f32"], "1"),
              (["-w", "5", "--shard", "1/2"], "12"),
              (["-w", "5", "--shard", "2/2", "-"], "12"),
              (["-w", "5", "--shard", "1/2", "in.f32", "in.f32"], "1")]
    for words, statuses in cases:
        pipe = subprocess.Popen(["cat", "in.f32"], cwd=folder, stdout=subprocess.PIPE)
        done = subprocess.run([program, *words], cwd=folder, stdin=pipe.stdout, capture_output=True)
        pipe.stdout.close()
        pipe.wait()
        told = done.stderr.decode()
        if str(done.returncode) not in statuses or done.stdout or told.count("\n") != 1:
            yield f"{shlex.join(words)}: exit {done.returncode}, {len(done.stdout)} bytes: {told}"
        if (folder / "stats").exists():
            yield f"{shlex.join(words)}: leaves a file of statistics"


def containers(program, folder):
    """Each part is a whole file: a reader of the container takes it."""
    samples = bytes(range(256)) * 40
    (folder / "in.s16").write_bytes(samples)
    words = ["-w", "9", "-r", "8k", "-T"]
    for kind in ("wav", "au", "aiff", "caf", "npy", "w64"):
        joined = b""
        for number in range(1, 4):
            made, file = f"part.{kind}", ["--shard", f"{number}/3", "in.s16", "-o"]
            subprocess.run([program, *words, kind, *file, made], cwd=folder, capture_output=True)
            again = subprocess.run([program, "-w", "1", "--emit", "max", made], cwd=folder,
                                   capture_output=True)
            if again.returncode != 0:
                yield f"{kind}, part {number} is no whole file: {again.stderr.decode()}"
            joined += again.stdout
        whole = subprocess.run([program, "-w", "9", "in.s16"], cwd=folder, capture_output=True)
        if joined != whole.stdout:
            yield f"{kind}: the frames of the parts are not those of the whole"


def reports(program, folder):
    """The parts agree on what the whole is, and adjoin. There may be more parts than frames."""
    (folder / "in.f32").write_bytes(bytes(4 * 10))
    status = os.stat(folder / "in.f32")
    words = ["-w", "3", "--skip", "1", "--stats", "stats", "--stats-every", "2", "--stats-format",
             "tsv", "in.f32"]
    wholes, written = [], b""
    for extra in ([], ["--algorithm", "lemire"]):
        next_output, next_block, records, joined = 0, 0, b"", b""
        for number in range(1, 17):
            done = subprocess.run([program, *words, *extra, "--shard", f"{number}/16", "--report",
                                   "report"], cwd=folder, capture_output=True)
            joined += done.stdout
            records += (folder / "stats").read_bytes()
            report = json.loads((folder / "report").read_text())
            if done.returncode != 0 or done.stderr:
                yield f"part {number}: exit {done.returncode}: {done.stderr.decode()}"
            if (report["shard"], report["shards"], report["input_size"]) != (number, 16, 40):
                yield f"the report of part {number} is {report}"
            seconds, fraction = report["input_mtime"].split(".")
            if int(seconds) * 10**9 + int(fraction) != status.st_mtime_ns:
                yield f"input_mtime is {report['input_mtime']}, due is {status.st_mtime_ns}"
            if (report["first_output"], report["first_block"]) != (next_output, next_block):
                yield f"part {number} does not adjoin part {number - 1}: {report}"
            next_output, next_block = report["next_output"], report["next_block"]
            if len(done.stdout) != 8 * (next_output - report["first_output"]):
                yield f"part {number} has {len(done.stdout)} bytes: {report}"
            wholes.append((report["input_frames"], report["outputs"]))
        subprocess.run([program, *words, *extra, "-o", "whole"], cwd=folder, check=True)
        if joined != (folder / "whole").read_bytes() or next_output != 7 or next_block != 5:
            yield f"{len(joined)} bytes of {next_output} frames and {next_block} blocks"
        written = (folder / "stats").read_bytes()
        if records != written:
            yield f"statistics: {records} are not {written}"
    if set(wholes) != {(9, 7)}:
        yield f"the parts are of {set(wholes)}"


def uncuttable(program, folder):
    """What shows its length at its end only is refused."""
    if shutil.which("sox") is None:
        return
    subprocess.run(["sox", "-n", "-r", "8000", "-c", "1", "in.ogg", "synth", "1", "sine", "300"],
                   cwd=folder, check=True)
    done = subprocess.run([program, "-w", "5", "--shard", "1/2", "in.ogg"], cwd=folder,
                          capture_output=True)
    if done.returncode != 2 or done.stdout or b"convert it first" not in done.stderr:
        yield f"in.ogg: exit {done.returncode}: {done.stderr.decode()}"


def nothing(program, folder):
    """A file without any frame has parts without any frame."""
    (folder / "in.f32").write_bytes(b"")
    words = ["-w", "3", "--align", "causal", "--stats", "stats", "--stats-every", "9", "in.f32"]
    subprocess.run([program, *words], cwd=folder, check=True)
    due, records = (folder / "stats").read_bytes(), b""
    for number in (1, 2, 3):
        done = subprocess.run([program, *words, "--shard", f"{number}/3"], cwd=folder,
                              capture_output=True)
        if done.returncode != 0 or done.stdout or done.stderr:
            yield f"part {number} of nothing: exit {done.returncode}: {done.stderr.decode()}"
        records += (folder / "stats").read_bytes()
    if records != due:
        yield f"statistics of nothing: {records} are not {due}"


def check(program, seed, aligns):
    with tempfile.TemporaryDirectory(prefix="shards-") as name:
        case = Case(program, seed, pathlib.Path(name), aligns)
        return seed, list(case.failures()), case.lines[0]


def main():
    program = os.path.abspath(sys.argv[1])
    told = subprocess.run([program, "--help"], capture_output=True, check=True).stdout.decode()
    aligns = [align for align in ("valid", "causal", "center", "forward") if align in told]
    seeds = [int(sys.argv[2])] if len(sys.argv) > 2 else range(1, CASES + 1)
    if os.environ.get("GPUENV_SANITIZE"):
        seeds = seeds[:CASES // 3]
    failed = 0
    for what in (refusals, containers, reports, uncuttable, nothing):
        with tempfile.TemporaryDirectory(prefix="shards-") as name:
            for why in what(program, pathlib.Path(name)):
                failed += 1
                print(f"FAILED: {why}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for seed, found, line in pool.map(lambda seed: check(program, seed, aligns), seeds):
            for why in found:
                failed += 1
                print(f"FAILED: {sys.argv[0]} {program} {seed}\n    {line}\n    {why}", flush=True)
    print(f"{len(seeds)} cases, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
