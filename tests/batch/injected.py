#!/usr/bin/python3
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


play([folder_that_fails, statistics_that_get_no_name, statistics_of_a_single_run,
      input_that_tells_of_a_full_disk, interrupted_names])
