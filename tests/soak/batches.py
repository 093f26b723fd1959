#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Small batches, one after the other, for a day: batches.py PROGRAM [SECONDS] [SEED]

For SECONDS (86400) random batches are run, of files that are good, damaged, cut off, empty, no samples, gone,
or vanish while the batch is at work; now and then SIGINT, SIGTERM or SIGKILL comes in the middle, also where there are
older outputs, and another run does what is left (--skip-existing). After each, every output is whole and as a run of its
input alone gives it, or the older one, every failure is told as that run tells it, and nothing else is left: beside the
outputs, in TMPDIR, or of processes.
The peak memory of runs does not grow: their mean after the first minute (of a short soak: its first half) may be
1 MiB over the mean before."""

import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import GOLDEN, PROGRAM, Run, argument, failures, finish, floats, need
from scene import Scene, as_of_batch, noise_wav

WINDOW = ("-w", "5", "-T", "f32")
GROWTH = 1024   # KiB
SETTLED = 60    # seconds
PATIENCE = 120  # seconds for a run
FAILURES = 10   # and no more
STRUCK = 6      # runs that a signal has ended, at least
OLDER = b"older"
GONE = "gpuenv: {}: No such file or directory"
ONCE = ("samples are rounded to float32", "read as raw float32 frames, as it has no header")


def is_told_once(line):
    """In a batch, of one of its files."""
    return any(what in line for what in ONCE)


class Kind:
    """A file that inputs are copies of, and what a run of it alone gives: an output, or none where it fails; what
    it says, with {} for the file's name; records of statistics."""

    def __init__(self, scene, suffix, content):
        self.suffix, self.content = suffix, content
        name = "alone" + suffix
        scene.write(name, content)
        run, self.output = scene.single(name, "x.f32", *WINDOW, "--stats", "records")
        self.lines = [as_of_batch(line).replace(name, "{}") for line in run.lines]
        self.records = scene.read("records").decode().splitlines() if scene.there("records") else []
        for left in (name, "records"):
            if scene.there(left):
                os.unlink(scene.path(left))


def make_kinds(scene, draw):
    contents = [(path.suffix, path.read_bytes()) for path in sorted(GOLDEN.glob("*-*"))]
    for number in range(20):
        contents.append((".wav", noise_wav(draw.randrange(30_000), number, 1 + number % 3)))
        contents.append((".f32", floats(draw.randrange(30_000), number)))
    contents += [(".f32", floats(1 << 13, number) * 160) for number in range(3)]  # long enough for pieces
    contents += [(".wav", noise_wav(4000, 1)[:size]) for size in (0, 20, 44, 4001)]
    contents += [(".f32", b""), (".f32", b"abc"), (".txt", b"This is plainly no samples.\n" * 9),
                 (".csv", b"1,2\n3,4\n" * 99), (".csv", b"1,2\n3,four\n"), (".wav", b"%PDF-1.7\n" + bytes(2000))]
    return [Kind(scene, *content) for content in contents]


class Peaks:
    """Peak memory of runs, in KiB."""

    def __init__(self):
        self.count = self.sum = self.most = 0

    def add(self, peak):
        self.count += 1
        self.sum += peak
        self.most = max(self.most, peak)

    def mean(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return f"{self.mean():.0f} KiB ({self.most} at most)"


class Input:
    def __init__(self, scene, number, kind, state):
        self.kind, self.state = kind, state
        self.name = f"in/{number}{kind.suffix}"
        self.output = f"{number}.f32"
        if state != "gone":
            scene.write(self.name, kind.content)

    def outcomes(self):
        """[(output, lines)], of which one is to be found."""
        alone = (self.kind.output, [line.replace("{}", self.name) for line in self.kind.lines if not is_told_once(line)])
        gone = (None, [GONE.replace("{}", self.name)])
        return {"there": [alone], "gone": [gone], "vanishes": [alone, gone]}[self.state]


class Batches:
    def __init__(self, folder, seed):
        self.draw = random.Random(seed)
        self.scene = Scene(folder)
        self.spool = os.path.join(folder, "tmp")
        self.peak = os.path.join(folder, "peak")
        os.mkdir(self.spool)
        self.kinds = make_kinds(self.scene, self.draw)
        self.seconds = 0.05  # what a batch takes, about
        self.is_settled = False
        self.runs = self.files = self.failing = self.struck = 0
        self.settled, self.newest = Peaks(), Peaks()

    def run(self, words, feed=None, strike=None, vanishing=()):
        """A run with its peak memory; `strike` is (seconds, signal)."""
        scene = self.scene
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as names:
            names.write(feed or b"")
            names.seek(0)
            began = time.monotonic()
            command = [PROGRAM, *words]
            # Not by wait4(): that counts our own memory, from before exec().
            if not strike:
                command = ["time", "-q", "-f", "%M", "-o", self.peak, *command]
            process = subprocess.Popen(command, cwd=scene.folder, stdin=names, stdout=subprocess.DEVNULL, stderr=said,
                                       env={**os.environ, "TMPDIR": self.spool}, start_new_session=True)
            timers = [threading.Timer(PATIENCE, os.killpg, (process.pid, signal.SIGKILL))]
            if strike:
                timers.append(threading.Timer(strike[0], os.kill, (process.pid, strike[1])))
            for name in vanishing:
                timers.append(threading.Timer(self.draw.uniform(0, self.seconds), os.unlink, (scene.path(name),)))
            for timer in timers:
                timer.start()
            # Asked for without reaping it: a signal that comes late then finds it still there.
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            took = time.monotonic() - began
            for timer in timers[:1 + bool(strike)]:
                timer.cancel()
            for timer in timers:
                timer.join()
            process.wait()
            said.seek(0)
            scene.last = Run(process.args, process.returncode, b"", said.read())
        self.runs += 1
        scene.check(took < PATIENCE, "it hangs")
        scene.check(not group_is_there(process.pid), "a process is left behind")
        scene.check(not os.listdir(self.spool), "in TMPDIR there is left:", os.listdir(self.spool))
        if not strike:
            self.seconds += (took - self.seconds) / 20
            (self.newest if self.is_settled else self.settled).add(int(pathlib.Path(self.peak).read_text()))
        return scene.last

    def options(self, inputs):
        """(words, standard input), with the inputs as operands or in a list."""
        draw = self.draw
        words = [*WINDOW, "--out-dir", "out", "--threads", str(draw.randint(1, 4))]
        if draw.random() < 0.5:
            words += ["--jobs", str(draw.randint(1, 9))]
        if draw.random() < 0.4:
            words += ["--stats", "stats"]
        if draw.random() < 0.3:
            words += ["--report", "report"]
        names = [one.name for one in inputs]
        kind = draw.random()
        if kind < 0.5:
            return words + names, None
        if kind < 0.75:
            return words + ["--files-from", "-"], "".join(name + "\n" for name in names).encode()
        return words + ["--files-from", "-", "-0"], "".join(name + "\0" for name in names).encode()

    def outputs(self):
        return self.scene.tree() if self.scene.there("out") else {}

    def check_left(self, inputs, words, names=0):
        """Nothing but whole outputs, whose names it returns, older ones, which it removes, and so many more: to replace
        an older file, the new one has a name of its own for a moment."""
        found = self.outputs()
        due = {one.output: one.kind.output for one in inputs}
        for name in [name for name, content in found.items() if content == OLDER]:
            del found[name]
            os.unlink(self.scene.path(f"out/{name}"))
        for name in [name for name in found if name not in due][:names]:
            del found[name]
            os.unlink(self.scene.path(f"out/{name}"))
        for name, content in found.items():
            self.scene.check(name in due and content == due[name], f"{name} is not what is due")
        beside = set(os.listdir(self.scene.folder)) - {"in", "out"} - (set(words) & {"stats", "report"})
        self.scene.check(not beside, "beside the outputs there is", beside)
        return found.keys()

    def check_done(self, inputs, words, was_there=()):
        """All that can be done has been done, and the rest is told."""
        scene, run = self.scene, self.scene.last
        found = self.check_left(inputs, words)
        # Once for all files.
        told = [line for line in run.lines if is_told_once(line)]
        for what in ONCE:
            scene.check(sum(what in line for line in told) <= 1, "told more than once:", told)
        said = [line for line in run.lines if line not in told]
        failed = 0
        for one in inputs:
            if one.output in was_there:
                # For statistics it is read once more.
                said = [line for line in said if line not in one.outcomes()[0][1]]
                continue
            fits = [lines for output, lines in one.outcomes()
                    if (output is not None) == (one.output in found) and all(line in said for line in lines)]
            failed += one.output not in found
            if scene.check(fits, f"{one.name}, {one.state}: none of", one.outcomes()):
                for line in fits[0]:
                    said.remove(line)
        scene.check(run.status == (2 if failed else 0), f"exit status {run.status}, and {failed} failed")
        there = len(was_there)
        summary = [f"gpuenv: {there} of {len(inputs)} files w"] * bool(there)
        summary += [f"gpuenv: {failed} of {len(inputs)} files failed"] * bool(failed)
        scene.check(len(said) == len(summary) and all(map(str.startswith, said, summary)), "the end is to be", summary,
                    "and is", said)
        if "stats" in words:
            self.check_records(inputs)
        if "report" in words:
            lines = [json.loads(line) for line in scene.read("report").splitlines()]
            read = len(inputs) - (0 if "stats" in words else there)
            scene.check(len(lines) == read + 1, f"the report has {len(lines)} lines, due are {read + 1}")
        self.files += len(inputs)
        self.failing += failed

    def check_records(self, inputs):
        found = self.scene.read("stats").decode().splitlines()
        sure = [one for one in inputs if one.state == "there" and one.kind.output is not None]
        names = {one.name for one in sure}
        due = [f'{record[:-1]},"file":{json.dumps(one.name)}}}' for one in sure for record in one.kind.records]
        found = [line for line in found if json.loads(line)["file"] in names]
        self.scene.check(found == due, "statistics:", found[:3], "due:", due[:3])

    def batch(self):
        scene, draw = self.scene, self.draw
        for name in ("in", "out"):
            shutil.rmtree(scene.path(name), ignore_errors=True)
        for name in ("stats", "report"):
            if scene.there(name):
                os.unlink(scene.path(name))
        states = draw.choices(["there", "gone", "vanishes"], [40, 2, 1], k=draw.randint(2, 40))
        inputs = [Input(scene, number, draw.choice(self.kinds), state) for number, state in enumerate(states)]
        os.makedirs(scene.path("in"), exist_ok=True)
        words, feed = self.options(inputs)
        strike = None
        if draw.random() < 0.3:
            strike = (draw.uniform(0, 1.2 * self.seconds), draw.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))
            for one in inputs[::draw.choice([1, 2, 99])]:
                scene.write(f"out/{one.output}", OLDER)
        run = self.run(words, feed, strike, [one.name for one in inputs if one.state == "vanishes"])
        if not strike or run.status != -strike[1]:
            self.check_done(inputs, words)
            return
        self.struck += 1
        there = self.check_left(inputs, words, (os.cpu_count() or 1) * (strike[1] == signal.SIGKILL))
        if scene.there("stats"):
            self.check_records(inputs)
        for one in inputs:
            if one.state == "vanishes":
                one.state = "there"
                scene.write(one.name, one.kind.content)
        self.run([*words, "--skip-existing"], feed)
        self.check_done(inputs, words, there)

    def soak(self, seconds):
        began = shown = time.monotonic()
        first = min(SETTLED, seconds / 2)
        while (time.monotonic() - began < seconds or self.struck < STRUCK) and failures() < FAILURES:
            self.batch()
            now = time.monotonic()
            self.is_settled = now - began > first
            if now - shown > 60:
                shown = now
                print(f"{now - began:.0f} s: {self.story()}", flush=True)
        print(self.story())
        grown = self.newest.mean() - self.settled.mean()
        self.scene.check(grown <= GROWTH, f"peak memory has grown by {grown:.0f} KiB")

    def story(self):
        return (f"{self.runs} runs, {self.files} files, {self.failing} of them failing, {self.struck} signals; "
                f"peak memory {self.settled}, then {self.newest}")


def group_is_there(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def main():
    need("time")
    seed = argument(3, time.time_ns())
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        Batches(folder, seed).soak(argument(2, 86400.0))
    finish()


if __name__ == "__main__":
    main()
