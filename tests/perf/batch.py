#!/usr/bin/python3
"""Many short recordings in one run, against one process each, and against cat of all of them.

Usage: batch.py PROGRAM [FILES [RUNS]]

10,000 WAV files of one second (44.1 kHz, 16 bits) in memory. For each an overview is made: a
minimum and a maximum per 10 ms."""

import os
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from alternate import Bars
from harness import PROGRAM, argument, need, seconds, skip, wav

files = argument(2, 10_000)
runs = argument(3, 3)
cpus = len(os.sched_getaffinity(0))
need("cat", "xargs", "parallel")
said = subprocess.run(["parallel", "--version"], capture_output=True, text=True).stdout
if not said.startswith("GNU parallel"):
    skip("no GNU parallel")

RATE = 44100
work = tempfile.TemporaryDirectory(prefix="gpuenv-perf-", dir="/dev/shm")
os.environ["PARALLEL_HOME"] = work.name
os.chdir(work.name)


def make_files():
    noise = random.Random(1).randbytes(2 * RATE + files)
    os.mkdir("in")
    for number in range(files):
        with open(f"in/{number:05}.wav", "wb") as file:
            file.write(wav(noise[number:number + 2 * RATE], rate=RATE))


def timed(command):
    """With an empty output folder."""
    shutil.rmtree("out", ignore_errors=True)
    os.mkdir("out")
    return seconds(command)


def contents():
    return {name: open(f"out/{name}", "rb").read() for name in os.listdir("out")}


def alternating(theirs, times):
    """Times of the batch and of the other command, alternately, after one warm-up of each."""
    timed(batch)
    timed(theirs)
    return [(timed(batch), timed(theirs)) for _ in range(times)]


batch = f"{PROGRAM} --zoom 10ms --out-dir out in/*.wav"
xargs = (f"cd in; ls | sed 's/[.]wav$//' | "
         f"xargs -P{cpus} -I@ {PROGRAM} --zoom 10ms @.wav -o ../out/@.f32")
parallel = f"ls in | parallel -j{cpus} {PROGRAM} --zoom 10ms in/{{}} -o out/{{.}}.f32"
cat = "cat in/*.wav > /dev/null"
make_files()

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
pairs = alternating(parallel, runs)
bars.show("speed over GNU parallel with a process each", sorted(each / ours for ours, each in pairs),
          8.0, 20.0, at_most=False)
print(f"the batch: {sorted(ours for ours, _ in pairs)[len(pairs) // 2]:.2f} s, {cpus} CPUs")
bars.end()
