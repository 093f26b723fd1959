#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files that --stats and --report replace, and those that they leave alone: older.py PROGRAM [TEST...]"""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import wav
from scene import noise_wav, play

FORMATS = "jsonl", "tsv", "csv", "text"
# A run by itself, and a batch.
RUNS = ("--emit", "none", "--stats", "-", "a.wav"), ("-w", "7", "-o", "x.f32", "a.wav"), ("-w", "7", "--out-dir", "out", "a.wav", "b.wav")


def left_alone(scene, name, content, *words):
    """The run fails before any work, and says what can be done."""
    for option in "--stats", "--report":
        scene.write(name, content)
        before = scene.tree("")
        run = scene.ends(2, *words, option, name)
        scene.check(scene.tree("") == before, option, name, "something was written")
        scene.check(f"{name}: " in run.said and "left alone" in run.said, option, name)
        scene.check("--stats -" in run.said or option == "--report", option, name)


def other_files(scene):
    """Recordings and tables of people are left alone; what begins as a file of ours is replaced."""
    scene.wavs("a.wav", "b.wav")
    for words in RUNS:
        for content in (noise_wav(100, 3), b"\n", b"x", b"{", b"{}", b"[1]", b'{"a": 1}\n', b'{"frames":1}', b'{\n  "files": 1}',
                        b"file,size\n", b"frame,min,max\n0,1,2\n",
                        b"frame\ttime\tmin\n", b"time,p\n1,2\n", b"title\n\ntext\n", b"\0" * 5000):
            left_alone(scene, "k.wav", content, *words)
        scene.write("empty", b"")
        scene.ends(0, *words, "--stats", "empty")
        scene.write("empty", b"")
        scene.ends(0, *words, "--report", "empty")


def own_files(scene):
    """Whatever --stats and --report have written is replaced by the next run, also by another kind of it."""
    scene.wavs("a.wav", "b.wav")
    scene.write("t.csv", b"time,p\n1,2\n2,3\n")
    for words in (*RUNS, ("--emit", "none", "--stats", "-", "--time", "time", "t.csv")):
        for form in FORMATS:
            for other in FORMATS:
                scene.ends(0, *words, "--stats", "s", "--stats-format", form)
                first = scene.read("s")
                scene.ends(0, *words, "--stats", "s", "--stats-format", other)
                scene.check((scene.read("s") == first) == (form == other), form, other, "was not replaced")
        scene.ends(0, *words, "--report", "r")
        scene.ends(0, *words, "--report", "r", "--stats", "s")
        scene.ends(0, *words, "--report", "s", "--stats", "r")


def parts(scene):
    """Parts after the first have no header line; a job that is run again replaces its part."""
    scene.write("a.wav", noise_wav(1000, 1))
    for form in FORMATS[:3]:
        words = ("--emit", "none", "--stats-every", "100", "--stats-format", form, "--shard", "2/2", "a.wav", "--stats")
        scene.ends(0, *words, form)
        first = scene.read(form)
        scene.ends(0, *words, form)
        scene.check(scene.read(form) == first, form)
        scene.write("k.csv", b"1,2,3\n")
        scene.ends(2, *words, "k.csv")


def never_clobbered(scene):
    """-n holds for both, whatever is there."""
    scene.wavs("a.wav", "b.wav")
    for words in RUNS:
        for option in "--stats", "--report":
            scene.ends(0, *words, option, "s")
            first = scene.read("s")
            scene.ends(2, "-n", *words, option, "s")
            scene.check(scene.read("s") == first, option, "was replaced")
            scene.write("s", b"")
            scene.ends(2, "-n", *words, option, "s")
            scene.check(scene.read("s") == b"", option, "was replaced")
            for name in ("s", "x.f32", "out/a.f32", "out/b.f32"):
                if scene.there(name):
                    os.unlink(scene.path(name))


def report_of_a_failure(scene):
    """A report still says that the statistics were refused."""
    scene.write("a.wav", wav(bytes(200)))
    scene.write("k.wav", noise_wav(9, 1))
    scene.ends(2, "--emit", "none", "a.wav", "--stats", "k.wav", "--report", "r")
    scene.check(b"k.wav: " in scene.read("r") and b"left alone" in scene.read("r"), "the report does not say why")


play()
