#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Recordings that others made, against ffmpeg and sox: recordings.py PROGRAM [FOLDER...]

The sounds of this system's packages (sound-theme-freedesktop, sonic-pi-samples, kapman and others), or those of the
folders: what ffmpeg decodes without a complaint, gpuenv reads whole, with the same samples. Ogg as ffmpeg or as sox has
it: ffmpeg loses or adds a part of a block in sounds of one page, and decodes some channels differently from libvorbis;
sox loses the page in which the headers end.
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, in_threads, need, needed_modules, skip

with needed_modules():
    import numpy as np
need("ffmpeg", "sox")

ENDINGS = (".wav", ".ogg", ".oga", ".opus", ".flac", ".mp3", ".aiff", ".aif", ".aifc", ".au", ".caf", ".voc", ".w64")
FOLDERS = ("/usr/share/sounds", "/usr/share/sonic-pi", "/usr/share/hydrogen", "/usr/share/games", "/usr/share/kapman")
NEARLY = 1e-4


def by_ffmpeg(path):
    done = subprocess.run(["ffmpeg", "-v", "warning", "-nostdin", "-i", path, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f",
                           "f32le", "-"], capture_output=True, check=False)
    return None if done.returncode or done.stderr else np.frombuffer(done.stdout, "<f4")


def by_sox(path):
    done = subprocess.run(["sox", "-D", "-t", "ogg", path, "-t", "f32", "-"], capture_output=True, check=False)
    return np.frombuffer(done.stdout, "<f4")


def fault(path):
    """What is wrong, or None."""
    due = by_ffmpeg(path)
    if due is None:
        return None
    done = gpuenv("-w", 1, "--emit", "max", "-T", "f32", path)
    got = np.frombuffer(done.out, "<f4")
    if done.status != 0:
        return f"exit {done.status}, {done.said}"

    def apart():
        return float(np.abs(got - due).max(initial=0)) if len(got) == len(due) else np.inf

    exact = path.suffix.lower() in (".flac", ".aiff")
    if apart() > NEARLY and path.suffix.lower() in (".ogg", ".oga"):
        due, got = by_sox(path), got.clip(-1, 1)
    return None if apart() <= (0 if exact else NEARLY) else f"{len(got)} samples, due are {len(due)}, up to {apart()} apart"


folders = sys.argv[2:] or [folder for folder in FOLDERS if os.path.isdir(folder)]
paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*")
               if path.suffix.lower() in ENDINGS and path.is_file() and not path.is_symlink())
if not paths:
    skip("no recordings: install sound-theme-freedesktop or sonic-pi-samples")
for path, why in in_threads(fault, paths):
    check(why is None, path, why)
finish(f"{len(paths)} recordings,")
