#!/usr/bin/python3
"""SIGKILL and SIGINT at random moments of a batch, then --skip-existing: killed.py PROGRAM TIMES

At any moment there are only whole files, and no temporary ones. The second run completes every
output and, with --stats, every record."""

import os
import random
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import failures, floats
from scene import play

COUNT = 60
LONG = (9, 31, 55)


def killed(scene):
    draw = random.Random(14)
    names = []
    for number in range(COUNT):
        names.append(f"in/{number}.f32")
        scene.write(names[-1], floats(1 << 13, number) * (160 if number in LONG else 2))
    words = ("-w", "1000", "--hop", "2")
    batch = (*words, "--out-dir", "out", "--stats", "stats", *names)
    due = {os.path.basename(name): scene.single(name, name, *words)[1] for name in names}
    start = time.monotonic()
    scene.done(*batch)
    whole = time.monotonic() - start
    scene.check(scene.tree() == due, "not even without a signal")
    records = scene.read("stats")
    moments = set()
    for turn in range(TIMES):
        older = turn % 3 == 2
        for name in scene.tree():
            os.unlink(scene.path(f"out/{name}"))
            if older:
                scene.write(f"out/{name}", b"older")
        if scene.there("stats"):
            os.unlink(scene.path("stats"))
        by = signal.SIGINT if turn % 4 == 3 else signal.SIGKILL
        process = scene.start(*batch)
        time.sleep(draw.uniform(0, 1.1 * whole))
        process.send_signal(by)
        _, errors = process.communicate(timeout=20)
        ended = f"turn {turn}, {by.name}, status {process.returncode}"
        scene.check(process.returncode in (0, -by), ended, errors)
        found = scene.tree()
        beside = [name for name in found if name not in due]
        # linkat() cannot replace: to replace an older file, the new one has a name for a moment.
        if not (older and by == signal.SIGKILL and len(beside) <= os.cpu_count()):
            scene.check(not beside, ended, "beside the outputs there is", beside)
        half = [name for name in found.keys() - set(beside)
                if found[name] != due[name] and not (older and found[name] == b"older")]
        scene.check(not half, ended, "neither whole nor older:", half)
        scene.check(not scene.there("stats") or scene.read("stats") == records, ended, "half a record")
        moments.add(sum(made != b"older" for made in found.values()))
        for name in found:
            if found[name] == b"older" or name in beside:
                os.unlink(scene.path(f"out/{name}"))
        there = len(scene.tree())
        run = scene.ends(0, *batch, "--skip-existing")
        if there:
            scene.summary(f"{there} of {COUNT} files {'were' if there > 1 else 'was'} there already")
        else:
            scene.check(not run.lines, "something is said")
        scene.check(scene.tree() == due, ended, "the second run does not give every output")
        scene.check(scene.read("stats") == records, ended, "nor every record")
        if failures() > 5:
            break
    print(f"{len(moments)} different moments of {TIMES}, of a run of {whole:.2f} s")


TIMES = int(sys.argv.pop(2))
play([killed])
