#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes the overviews of this folder with audiowaveform: make.py AUDIOWAVEFORM

It was audiowaveform 1.10.3 (github.com/bbc/audiowaveform), built from source with libsndfile 1.2.0. The sounds they
are of are made anew wherever they are needed: `sounds()` gives the same bytes everywhere, from whole numbers alone. The
overviews are committed; run this again after a change, and look at what `git diff` says.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

# name: bytes a sample, channels, rate, frames
SOUNDS = {name: tuple(map(int, rest)) for name, *rest in map(str.split, """\
u8-1 1 1 8000 1000
s16-1 2 1 44100 2000
s16-2 2 2 48000 1536
s16-5 2 5 16000 300
s24-1 3 1 96000 1000
s24-2 3 2 44100 777
empty-1 2 1 8000 0""".splitlines())}

# sound, zoom: a last pixel that is short, or whole; the smallest zoom; one pixel for all
OVERVIEWS = [(sound, int(zoom)) for sound, zoom in map(str.split, """\
u8-1 64
s16-1 64
s16-1 5000
s16-2 128
s16-5 2
s24-1 100
s24-2 50
empty-1 16""".splitlines())]
BITS = (8, 16)
ENDINGS = ("dat", "json")


def numbers(count, bits):
    """Pseudo-random signed numbers that swell and fade, with both ends of the range among them."""
    half = 1 << (bits - 1)
    state = 12345 + bits
    result = []
    for i in range(count):
        state = (state * 1103515245 + 12345) % (1 << 31)
        swell = min(i % 512, 512 - i % 512)
        result.append(((state >> 4) % (2 * half) - half) * swell // 256)
    for place, number in ((3, half - 1), (7, -half), (11, -1), (13, 0)):
        if place < count:
            result[place] = number
    return result


def sound(name):
    """(channels, rate, the whole numbers frame by frame, their bits, a WAV file of them)"""
    size, channels, rate, frames = SOUNDS[name]
    bits = 8 * size
    samples = numbers(frames * channels, bits)
    raw = b"".join((s + (128 if size == 1 else 0)).to_bytes(size, "little", signed=size > 1)
                   for s in samples)
    fmt = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * size, channels * size, bits)
    padding = b"\0" * (len(raw) % 2)
    body = (b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt
            + b"data" + struct.pack("<I", len(raw)) + raw + padding)
    return channels, rate, samples, bits, b"RIFF" + struct.pack("<I", len(body)) + body


def overview_name(name, zoom, bits, ending):
    return f"{name}-z{zoom}-b{bits}.{ending}"


def main():
    folder = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as scratch:
        for name, zoom in OVERVIEWS:
            path = pathlib.Path(scratch) / f"{name}.wav"
            path.write_bytes(sound(name)[4])
            for bits in BITS:
                for ending in ENDINGS:
                    subprocess.run([sys.argv[1], "-q", "--split-channels", "-i", path,
                                    "-z", str(zoom), "-b", str(bits),
                                    "-o", folder / overview_name(name, zoom, bits, ending)],
                                   check=True)


if __name__ == "__main__":
    main()
