#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Sounds as sox and ffmpeg have them: sounds.py PROGRAM

--stats says of real sounds what `sox FILE -n stats` says, and raw samples of each type that the two write are read as
they read them."""

import json
import pathlib
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, need, run, skip, tool

need("sox", "ffmpeg")
SOUNDS = sorted(pathlib.Path("/usr/share/sounds/alsa").glob("*.wav"))
if not SOUNDS:
    skip("no sounds: install alsa-utils")


def compare_levels(sound):
    """sox prints levels to six places and decibels to two."""
    said = run("sox", sound, "-n", "stats", "-s", 1).said
    record, = map(json.loads, gpuenv("--emit", "none", "--stats", "-", sound).out.splitlines())
    for theirs, ours, error in (("DC offset", "mean", 1e-6), ("Min level", "min", 1e-6), ("Max level", "max", 1e-6),
                                ("Pk lev dB", "peak_db", 0.006), ("RMS lev dB", "rms_db", 0.006)):
        level = float(re.search(rf"^{theirs} +(\S+)", said, re.M)[1])
        check(abs(record[ours] - level) <= error, sound, ours, record[ours], "but sox says", level)


def compare(due, raw, *words):
    done = gpuenv("-w", 1, "--emit", "max", "-T", "f32", *words, data=raw)
    check(len(due) > 4000 and done.out == due, len(done.out), "bytes of", len(due), done)


for sound in SOUNDS:
    compare_levels(sound)
rate = int(tool("soxi", "-r", SOUNDS[0]))
for name in "s8", "u8", "s16", "u16", "s24", "u24":
    for order in "-L", "-B":
        raw = tool("sox", "-D", SOUNDS[0], "-c", 1, order, "-t", name, "-")
        due = tool("sox", "-D", "-r", rate, "-c", 1, order, "-t", name, "-", "-t", "f32", "-", data=raw)
        compare(due, raw, "-t", name, order)
for name in "u8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be", "f32be", "f64le", "f64be":
    ffmpeg = "ffmpeg", "-v", "error"
    raw = tool(*ffmpeg, "-nostdin", "-i", SOUNDS[0], "-ac", 1, "-f", name, "-")
    due = tool(*ffmpeg, "-f", name, "-ar", rate, "-ac", 1, "-i", "-", "-f", "f32le", "-", data=raw)
    compare(due, raw, "-t", name)
finish(f"{len(SOUNDS)} sounds,")
