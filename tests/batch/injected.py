#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""System calls of a batch that fail once: injected.py PROGRAM [TEST...]

$GPUENV_FAULTS is the library of tests/faults/faults.c, to be preloaded."""

import json
import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
from scene import play

OUT = ("-w", "7", "--out-dir", "out")


def failing(fault):
    return {"env": {**os.environ, "LD_PRELOAD": os.environ["GPUENV_FAULTS"], "FAULTS": fault}}


def folder_that_fails(scene):
    """Files before the fault, and those in other folders, are done."""
    scene.wavs("in/a.wav", "in/b.wav", "in/c.wav", "more/x.wav")
    run = scene.ends(2, *OUT, "--recursive", "in", "more", **failing("folder:4:EIO"))
    scene.check(run.lines[0] == "gpuenv: in: Input/output error", "why")
    done = scene.tree()
    scene.check("x.f32" in done and 2 <= len(done) <= 4, "the others are done")
    scene.summary(f"1 of {len(done) + 1} files failed")


def statistics_that_get_no_name(scene):
    """All files are done, and the report says that the run has failed."""
    scene.wavs("a.wav", "b.wav")
    run = scene.ends(2, *OUT, "--stats", "stats", "--report", "report", "a.wav", "b.wav",
                     **failing("link:3:EIO"))
    scene.check(run.lines == ["gpuenv: stats: Input/output error"], "one line")
    scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, "-w", "7")
    last = json.loads(scene.read("report").splitlines()[-1])
    scene.check(last["status"] == 2 and last["done"] == 2, last)


def records_before_a_gap(scene):
    """Whatever write fails, to standard output or to a temporary file: nothing is written behind what is missing."""
    names = [f"{number}.wav" for number in range(5)]
    scene.wavs(*names)
    for form in "jsonl", "text":
        words = ("--emit", "none", "--stats", "-", "--stats-format", form, *names)
        due = scene.ends(0, *words).out
        for fault in [f"write:{number}:{way}" for number in range(1, 21) for way in ("EIO", "ENOSPC")]:
            run = scene.run(*words, **failing(fault))
            scene.check(run.status == 2 or run.out == due, fault, "is not told")
            scene.check(due.startswith(run.out), fault, form, f"{len(run.out)} of {len(due)} bytes, with a gap")


def both_or_neither(scene):
    """Frames do not appear where the statistics or the report cannot; older files are as they were."""
    scene.wavs("a.wav")
    words = ("-w", "7", "-o", "x.f32", "--stats", "s", "--report", "r", "a.wav")
    old = {name: b'{"frame":' for name in ("x.f32", "s", "r")}
    for older in ({}, old, {"x.f32": old["x.f32"]}, {"s": old["s"]}):
        for kind in "link", "rename", "write", "close":
            for number in range(1, 12):
                for name in old:
                    if name in older:
                        scene.write(name, older[name])
                    elif scene.there(name):
                        os.unlink(scene.path(name))
                run = scene.run(*words, **failing(f"{kind}:{number}:EIO"))
                there = {name: scene.read(name) for name in ("x.f32", "s") if scene.there(name)}
                is_new = [there.get(name) != older.get(name) for name in ("x.f32", "s")]
                scene.check(is_new == [run.status == 0] * 2, kind, number, sorted(older), "new are x.f32, s:", is_new)
                scene.check(run.status == 0 or len(run.lines) == 1, kind, number, "one line")
                left = set(os.listdir(scene.folder)) - {"a.wav", "x.f32", "s", "r"}
                scene.check(not left, kind, number, "left behind:", left)


def statistics_of_a_single_run(scene):
    """A failure before the stream is also in the report of a single run."""
    scene.wavs("a.wav")
    scene.write("folder/x", b"")
    scene.ends(2, "-w", "7", "-o", "out.f32", "--stats", "folder", "--report", "report", "a.wav")
    report = json.loads(scene.read("report"))
    scene.check(report["status"] == 2 and report["error"] == "folder: Is a directory", report)
    scene.check(not scene.there("out.f32"), "an output")


def input_that_tells_of_a_full_disk(scene):
    """Only if the outputs have no room does the batch stop."""
    scene.wavs("a.wav", "b.wav", "c.wav")
    words = ("--jobs", "1", "--threads", "1", "a.wav", "b.wav", "c.wav")
    run = scene.ends(2, *OUT, *words, **failing("read:1:ENOSPC"))
    scene.check("No space left on device" in run.lines[0], "why")
    scene.summary("1 of 3 files failed")
    run = scene.ends(2, *OUT, *words, **failing("write:1:ENOSPC"))
    scene.summary("1 of 3 files failed, 2 not begun")


def interrupted_names(scene):
    """A signal that does not end the program is not a failure."""
    scene.wavs("a.wav", "b.wav")
    for fault in ("link:1:EINTR", "rename:1:EINTR"):
        scene.done(*OUT, "a.wav", "b.wav", **failing(fault))
        scene.check_outputs({"a.f32": "a.wav", "b.f32": "b.wav"}, "-w", "7")


play()
