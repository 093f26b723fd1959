#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Many short recordings in one run, against one process each, and against cat of all of them.

Usage: batch.py PROGRAM [FILES [RUNS]]

10,000 WAV files of one second (44.1 kHz, 16 bits) in memory, with fewer than 8 CPUs 2,000. For each an overview is made: a
minimum and a maximum per 10 ms. The default number of workers is compared with the best one: all files in one folder,
in folders of a hundred, to a disk, and for statistics alone."""

import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from alternate import CPUS, Bars, by_workers
from harness import PROGRAM, argument, need, seconds, wav

files = argument(2, 10_000 if CPUS >= 8 else 2_000)
runs = argument(3, 3)
need("cat", "xargs")

RATE = 44100
work = tempfile.TemporaryDirectory(prefix="gpuenv-perf-", dir="/dev/shm")
os.environ["PARALLEL_HOME"] = work.name
os.chdir(work.name)


def make_files():
    noise = random.Random(1).randbytes(2 * RATE + files)
    os.mkdir("in")
    for number in range(files):
        pathlib.Path(f"in/{number:05}.wav").write_bytes(wav(noise[number:number + 2 * RATE], rate=RATE))
        os.makedirs(f"folders/{number // 100}", exist_ok=True)
        os.link(f"in/{number:05}.wav", f"folders/{number // 100}/{number:05}.wav")


def timed(command):
    """With empty output folders, `out` and `disk`."""
    for folder in ("out", os.path.realpath("disk")):
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
    return seconds(command)


def has_parallel():
    said = subprocess.run(["sh", "-c", "parallel --version"], capture_output=True, text=True).stdout
    return said.startswith("GNU parallel")


def contents():
    return {path.name: path.read_bytes() for path in pathlib.Path("out").iterdir()}


def alternating(theirs, times):
    """Times of the batch and of the other command, alternately, after one warm-up of each."""
    timed(batch)
    timed(theirs)
    return [(timed(batch), timed(theirs)) for _ in range(times)]


batch = f"{PROGRAM} --zoom 10ms --out-dir out in/*.wav"
xargs = (f"cd in; ls | sed 's/[.]wav$//' | "
         f"xargs -P{CPUS} -I@ {PROGRAM} --zoom 10ms @.wav -o ../out/@.f32")
parallel = f"ls in | parallel -j{CPUS} {PROGRAM} --zoom 10ms in/{{}} -o out/{{.}}.f32"
cat = "cat in/*.wav > /dev/null"
make_files()
disk = tempfile.TemporaryDirectory(prefix="gpuenv-perf-", dir="/var/tmp")
os.symlink(f"{disk.name}/out", "disk")

# Checks the output first.
timed(batch)
made = contents()
timed(xargs)
assert len(made) == files and made == contents(), "not what a process each gives"
del made

bars = Bars()
pairs = alternating(cat, 5 * runs)
bars.show(f"{files} files, over cat of them all", sorted(ours / base for ours, base in pairs), 4.0, 2.0)
pairs = alternating(xargs, runs)
bars.show("speed over xargs -P with a process each", sorted(each / ours for ours, each in pairs), 3.0,
          6.0, at_most=False)
if has_parallel():
    by_parallel = alternating(parallel, 1)  # it takes many times as long
    bars.show("speed over GNU parallel with a process each",
              sorted(each / ours for ours, each in by_parallel), 8.0, 20.0, at_most=False)
else:
    print("  GNU parallel is not there")
print(f"the batch: {sorted(ours for ours, _ in pairs)[len(pairs) // 2]:.2f} s, {CPUS} CPUs")
zoom = f"{PROGRAM} -q --zoom 10ms"
for name, command in (("one folder", f"{zoom} --out-dir out in/*.wav"),
                      ("folders", f"{zoom} --recursive --out-dir out folders"),
                      ("to a disk", f"{zoom} --out-dir disk in/*.wav"),
                      ("statistics", f"{PROGRAM} -q --emit none --stats out/stats in/*.wav")):
    by_workers(bars, name, lambda number: f"{command} {number.replace('threads', 'jobs')}", 3 * runs, timed)
bars.end()
