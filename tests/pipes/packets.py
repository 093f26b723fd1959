#!/usr/bin/python3
"""Pipes in packet mode: packets.py PROGRAM

A read of such a pipe returns one packet and discards what does not fit. The writer sets the mode, and the program
cannot ask for it. Each input comes in packets of many sizes, and the output is compared with that of a plain pipe. Then plain
pipes, whose remaining bytes are for the next reader."""

import itertools
import os
import random
import struct
import sys

sys.path.insert(1, sys.path[0] + "/..")
import harness
from harness import check, cut, feed, finish, gpuenv

MOST = 4096  # bytes of a packet
FRAMES = 6000
chance = random.Random(4096)


def run(options, data, flags, sizes):
    """The output, the exit status and the messages for this input."""
    read_end, write_end = os.pipe2(flags | os.O_CLOEXEC)
    feeder = feed(write_end, cut(data, iter(sizes, None)))
    done = gpuenv(*options, stdin=read_end)
    os.close(read_end)
    feeder.join()
    return done.out, done.status, done.said


def wav(frames):
    """With an annotation of 5000 bytes before its data."""
    whole = harness.wav(struct.pack(f"<{len(frames)}h", *frames))
    chunks = whole[8:36] + b"LIST" + struct.pack("<I", 5000) + bytes(5000) + whole[36:]
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def au(frames):
    body = struct.pack(f">{len(frames)}h", *frames)
    return b".snd" + struct.pack(">5I", 28, len(body), 3, 48000, 1) + bytes(4) + body


def npy(frames):
    text = b"{'descr': '<i2', 'fortran_order': False, 'shape': (%d,), }" % len(frames)
    text += b" " * (117 - len(text)) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + struct.pack(
        f"<{len(frames)}h", *frames)


def inputs():
    frames = [chance.randrange(-32768, 32768) for _ in range(FRAMES)]
    raw = struct.pack(f"<{FRAMES}f", *[x / 32768 for x in frames])
    text = "value,other\n" + "".join(f"{x},{x / 7}\n" for x in frames)
    yield "raw", raw, []
    yield "raw, chunks of one frame", raw[:8000], ["--chunk", "1"]
    yield "raw, chunks of 1000 frames", raw, ["--chunk", "1000"]
    yield "raw, some frames of it", raw, ["--skip", "777", "--frames", "4500"]
    yield "raw, three channels, torn", raw[:-7], ["-c", "3"]
    yield "24 bits", raw[: FRAMES * 3], ["-t", "s24", "--chunk", "7"]
    yield "WAV", wav(frames), []
    yield "WAV, chunks of one frame", wav(frames[:2000]), ["--chunk", "1"]
    yield "WAV, cut off", wav(frames)[:-1001], []
    yield "two WAV files", wav(frames) * 2, []
    yield "AU", au(frames), []
    yield "NumPy", npy(frames), []
    yield "csv", text.encode(), ["-t", "csv"]
    yield "csv that is not named", text.encode(), []
    flac = gpuenv("-w", 1, "--emit", "max", "-T", "flac", "-r", 48000, data=raw)
    if flac.status == 0:
        yield "FLAC", flac.out, []
    else:
        print("built without libsndfile: no FLAC")


def check_packets():
    ways = {
        "full": lambda: MOST,
        "of 1000 bytes": lambda: 1000,
        "of 33 bytes": lambda: 33,
        "of any size": lambda: chance.randint(1, MOST),
        "of few bytes or many": lambda: chance.choice([1, 2, 5, 13, MOST - 1, MOST]),
    }
    for name, data, options in inputs():
        due = run(["-w", "100", *options], data, 0, lambda: 65536)
        for way, sizes in ways.items():
            if name == "csv that is not named":  # of a few bytes that wait in a pipe, text is not recognised
                sizes = itertools.chain([MOST], iter(sizes, None)).__next__
            got = run(["-w", "100", *options], data, os.O_DIRECT, sizes)
            check(got == due, f"{name}, packets {way}: exit {got[1]} for {due[1]},",
                  f"{len(got[0])} bytes of {len(due[0])}: {got[2]}")


def check_rest():
    """Bytes that are not wanted stay in a plain pipe."""
    raw = struct.pack("<16f", *range(16))
    for data, options, taken in ((raw, ["--frames", "3"], 12), (raw, ["--frames", "3", "--chunk", "1"], 12),
                                 (raw, ["-t", "s16", "--skip", "1", "--frames", "2"], 6),
                                 (wav(list(range(1000))), ["--frames", "10"], 5072)):
        read_end, write_end = os.pipe()
        os.write(write_end, data)
        os.close(write_end)
        done = gpuenv("-w", 1, *options, stdin=read_end)
        check(done.status == 0, done)
        rest = os.read(read_end, 65536)
        os.close(read_end)
        check(rest == data[taken:], f"{options}: {len(rest)} bytes are left, not {len(data) - taken}")


check_packets()
check_rest()
finish()
