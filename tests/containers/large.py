#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files beyond 4 GiB, sparse: large.py PROGRAM

All frames are read from pipes; of files the last ones, which --skip has to find. Then one is written."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, failures, finish, gpuenv, skip, tool, wav

# Doubles: fewest frames for 4.5 GB. The last one is 1.
FRAMES = 560_000_001
BYTES = 8 * FRAMES
FORMAT = struct.pack("<HHIIHH", 3, 1, 8000, 64000, 8, 64)
TAIL = bytes.fromhex("f3acd3118cd100c04f8edb8a")


def w64_chunk(name, size):
    return name + TAIL + struct.pack("<Q", size)


def headers():
    """(name, header, whether a pipe of it is read)"""
    yield "x.rf64", (b"RF64\xff\xff\xff\xffWAVEds64" + struct.pack("<IQQQI", 28, BYTES + 72, BYTES, FRAMES, 0)
                     + b"fmt " + struct.pack("<I", 16) + FORMAT + b"data\xff\xff\xff\xff"), True
    riff = b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000") + struct.pack("<Q", BYTES + 104)
    yield "x.w64", (riff + b"wave" + TAIL + w64_chunk(b"fmt ", 40) + FORMAT + w64_chunk(b"data", BYTES + 24)), False
    # The sizes that mean "until the end".
    for size in (0xFFFFFFFF, 0x7FFFF000, 0):
        yield f"x{size}.wav", wav(b"", 1, 64, floating=True, size=size), size == 0xFFFFFFFF


def check_whole(name, **how):
    """Every thousandth window of two frames, and so the last one."""
    got = gpuenv("-w", 2, "--hop", 1000, "--emit", "max", "--align", "causal", "-T", "f32", timeout=600, **how).out
    check(len(got) == 4 * -(-FRAMES // 1000), name, *how, len(got), "bytes")
    check(got[-4:] == struct.pack("<f", 1), name, *how, "the last frame")


def check_read():
    for name, header, from_pipe in headers():
        with open(name, "wb") as file:
            file.write(header)
            file.truncate(len(header) + BYTES - 8)
            file.seek(0, os.SEEK_END)
            file.write(struct.pack("<d", 1))
        done = gpuenv("-w", 1, "--emit", "max", "-T", "f32", "--skip", FRAMES - 2, name)
        check(done.out == struct.pack("<2f", 0, 1), name, "--skip", done)
        if from_pipe:
            with subprocess.Popen(["cat", name], stdout=subprocess.PIPE) as cat:
                check_whole(name, stdin=cat.stdout)
        if name == "x.rf64":
            with open(name, "rb") as file:
                done = gpuenv("-w", 1, "--emit", "max", "-T", "f32", "--skip", FRAMES - 2, stdin=file)
            check(done.out == struct.pack("<2f", 0, 1), name, "redirected", done)
        os.remove(name)


def check_written():
    """4.3 GB to a name that ends in .wav, and to a pipe."""
    frames = 537_000_000
    with open("zeros", "wb") as file:
        file.seek(frames)
        file.write(b"\1")
    words = "-t", "s8", "-r", "8000", "-w", "1", "zeros"
    check(gpuenv(*words, "-o", "big.wav", timeout=600).status == 0, "4.3 GB")
    with open("big.wav", "rb") as file:
        check(file.read(4) == b"RF64", "a WAV of more than 4 GiB is no RF64")
    due = struct.pack("<2f", 1 / 128, 1 / 128)
    done = gpuenv("-w", 1, "--emit", "max", "-c", 2, "--skip", frames, "big.wav")
    check(done.out == due, "its last frame", done)
    if shutil.which("ffmpeg"):
        got = tool("ffmpeg", "-v", "error", "-ss", "67124.9999", "-i", "big.wav", "-f", "f32le", "-")
        check(got[-8:] == due, "its last frame, by ffmpeg", got[-8:])
    with subprocess.Popen([PROGRAM, *words, "-T", "wav"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        check(run.stdout.read(4) == b"RF64", "in a pipe, of known length")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_read()
    is_room = shutil.disk_usage(".").free > 6e9
    if is_room:
        check_written()
    os.chdir("/")
if not is_room and not failures():
    skip("less than 6 GB free: nothing this large was written")
finish()
