#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds the windows of a level meter, 400 ms ten times a second as EBU R 128 has them, against NumPy: meters.py PROGRAM

Of real recordings: the sounds of alsa-utils, and of other packages that have WAV files. Levels are not weighted."""

import csv
import io
import pathlib
import sys
import wave

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, needed_modules, skip

with needed_modules():
    import numpy

FOLDERS = ("/usr/share/sounds", "/usr/share/kapman", "/usr/share/games")
MOST = 10


def samples_of(path):
    """(rate, frames by channels) of 16-bit samples; None: it has others."""
    try:
        with wave.open(str(path)) as file:
            if file.getsampwidth() != 2:
                return None
            data = numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 2**15
            return file.getframerate(), data.reshape(-1, file.getnchannels())
    except (wave.Error, EOFError):
        return None


def meter(path, rate, samples):
    hop = (rate + 5) // 10
    blocks = len(samples) // hop - 3
    due = numpy.array([numpy.sqrt((samples[k * hop:(k + 4) * hop] ** 2).mean(axis=0)) for k in range(blocks)])
    peaks = numpy.array([numpy.abs(samples[k * hop:(k + 4) * hop]).max(axis=0) for k in range(blocks)])
    done = gpuenv("-w", "400ms", "--hop", "100ms", "--emit", "rms,abs", "-T", "csv", "--no-frame", path)
    got = numpy.array([row[1:] for row in list(csv.reader(io.StringIO(done.out.decode())))[1:]], float)
    got = got.reshape(-1, 2 * samples.shape[1])
    check(done.status == 0 and len(got) == blocks, done, f"{len(got)} windows, not {blocks}")
    if done.status == 0 and len(got) == blocks:
        check(numpy.allclose(got[:, ::2], due, rtol=1e-12, atol=0), done, "rms", got[:2], due[:2])
        check((got[:, 1::2].astype("f4") == peaks.astype("f4")).all(), done, "peaks", got[:2], peaks[:2])


def main():
    paths = sorted(path for folder in FOLDERS for path in pathlib.Path(folder).rglob("*.wav"))
    found = [(path, *known) for path in paths if (known := samples_of(path)) is not None and len(known[1]) >= known[0]][:MOST]
    if not found:
        skip("no recordings: install alsa-utils")
    for one in found:
        meter(*one)
    finish(f"{len(found)} recordings,")


main()
