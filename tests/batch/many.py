#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Batches of many files, and of a long one among short ones: many.py PROGRAM [TEST...]

Memory is bounded by the work in progress, not by the number of names: 256 MiB are enough for 10^6 of them."""

import collections
import os
import subprocess
import sys
import tempfile
import threading

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, feed, floats, memory_folder, need
from scene import noise_wav, play

LIMIT_KIB = 256 << 10
MILLION = 1_000_000


def run_counted(scene, words, names, read_out=None):
    """Feeds the names through a pipe and returns the exit status. Errors go to a file.

    time(1) starts the program, because a process is charged with the memory of its parent."""
    words = ["-q", "-f", "%M", "-o", "peak", PROGRAM, *words]
    with open(scene.path("errors"), "wb") as errors:
        process = subprocess.Popen(["time", *words], cwd=scene.folder, stdin=subprocess.PIPE,
                                   stderr=errors,
                                   stdout=subprocess.PIPE if read_out else subprocess.DEVNULL)
    feeder = feed(os.dup(process.stdin.fileno()), (b"".join(names[i:i + 10_000]) for i in range(0, len(names), 10_000)))
    process.stdin.close()
    if read_out:
        read_out(process.stdout)
        process.stdout.close()
    process.wait()
    feeder.join()
    peak = int(scene.read("peak"))
    print(f"peak memory {peak / 1024:.0f} MiB")
    scene.check(peak < LIMIT_KIB, f"peak memory {peak} KiB")
    return process.returncode


def million_names(scene):
    """10^6 names from a pipe, one in a thousand of which is a file."""
    content = [noise_wav(20 + number, number) for number in range(10)]
    for number in range(0, MILLION, 1000):
        scene.write(f"in/{number}.wav", content[number // 1000 % 10])
    names = [b"in/%d.wav\n" % number for number in range(MILLION)]
    status = run_counted(scene, ["-w", "7", "--out-dir", "out", "--files-from", "-"], names)
    scene.check(status == 2, f"exit status {status}")
    due = [scene.single(f"in/{number * 1000}.wav", "x.f32", "-w", "7")[1] for number in range(10)]
    found = scene.tree()
    scene.check(len(found) == 1000, f"{len(found)} outputs")
    wrong = [name for name, made in found.items() if made != due[int(name[:-4]) // 1000 % 10]]
    scene.check(not wrong, "not what single runs give:", wrong[:5])
    lines = scene.read("errors").decode().splitlines()
    scene.check(lines[-1] == "gpuenv: 999000 of 1000000 files failed", lines[-1])
    due = collections.Counter(f"gpuenv: in/{number}.wav: No such file or directory"
                              for number in range(MILLION) if number % 1000)
    scene.check(collections.Counter(lines[:-1]) == due, "a line for each that is missing")


def many_records(scene):
    """The records of many names are in the order of the names."""
    names = [f"{number}.wav" for number in range(100)]
    for number, name in enumerate(names):
        scene.write(name, noise_wav(10 + number, number))
    due = []
    for name in names:
        with scene.start("--emit", "none", "--stats", "-", "--", name) as process:
            line = process.stdout.read()
        due.append(b'%s,"file":"%s"}\n' % (line[:-2], name.encode()))
    order = [number * number % 97 + number % 3 for number in range(200_000)]
    wrong = []

    def read_out(out):
        for number, line in zip(order, out):
            if line != due[number]:
                wrong.append(line)
        wrong.extend(out)

    words = ["--emit", "none", "--stats", "-", "--files-from", "-", "-0"]
    status = run_counted(scene, words, [b"%d.wav\0" % number for number in order], read_out)
    scene.check(status == 0, f"exit status {status}")
    scene.check(not wrong, f"{len(wrong)} records are wrong, such as", wrong[:1])


def records_that_wait(scene):
    """The first input is late: 400 MB of records of the others wait for it, but not in memory."""
    for number in range(10):
        scene.write(f"{number}.s16", floats(1000 + number, number))
    os.mkfifo(scene.path("late.s16"))
    order = [number * 7 % 10 for number in range(1000)]
    due = [[b"late.s16", 1]] + [[b"%d.s16" % number, 2 * (1000 + number)] for number in order]
    found = []
    timer = threading.Timer(4, scene.write, ("late.s16", b"\1\2"))
    timer.start()

    def read_out(out):
        for line in out:
            name = line[line.rindex(b'"file":"') + 8:-3]
            if not found or found[-1][0] != name:
                found.append([name, 0])
            found[-1][1] += 1

    words = ["--emit", "none", "--stats", "-", "--stats-every", "1", "--jobs", "2", "--files-from", "-"]
    names = [b"late.s16\n"] + [b"%d.s16\n" % number for number in order]
    status = run_counted(scene, words, names, read_out)
    timer.join()
    scene.check(status == 0, f"exit status {status}")
    scene.check(found == due, "the records, or their order")


def long_among_short(scene):
    """One input of 1 GiB, and 2,000 short ones."""
    content = [noise_wav(3000 + number, number) for number in range(20)]
    words = ("--zoom", "1024")
    due = {}
    for number in range(2000):
        name = f"in/{number}.wav"
        scene.write(name, content[number % 20])
        due[f"{number}.f32"] = due.get(f"{number - 20}.f32") or scene.single(name, "x.f32", *words)[1]
    with open(scene.path("in/long.f32"), "wb") as file:
        file.truncate(1 << 30)
        for place in (0, (1 << 29) + 4, (1 << 30) - 400):
            file.seek(place)
            file.write(floats(100, place))
    due["long.f32"] = scene.single("in/long.f32", "long.f32", *words)[1]
    for jobs in ((), ("--jobs", "1"), ("--device", "cpu", "--threads", "4")):
        scene.done(*words, *jobs, "--out-dir", f"out{len(jobs)}", "--recursive", "in")
        scene.check(scene.tree(f"out{len(jobs)}") == due, "not what single runs give")


need("time")
# A million names: the outputs go to a file system in memory.
tempfile.tempdir = memory_folder()
play()
