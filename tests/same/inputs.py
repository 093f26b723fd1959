# SPDX-License-Identifier: MIT
"""The inputs of the command lines in lines.txt: the same bytes on every run."""

import io
import math
import random
import shutil
import struct
import subprocess

from harness import needed_modules, wav

with needed_modules():
    import numpy

RATE = 48000


def noise(count, seed, peak=0.9):
    draw = random.Random(seed)
    return numpy.array([draw.uniform(-peak, peak) for _ in range(count)], "<f4")


def write_raw(folder):
    draw = random.Random(1)
    (folder / "empty").write_bytes(b"")
    (folder / "bytes").write_bytes(draw.randbytes(24000))
    (folder / "stray").write_bytes(noise(500, 2).tobytes() + b"abc")
    (folder / "one.f32").write_bytes(noise(1, 3).tobytes())
    (folder / "noise.f32").write_bytes(noise(5000, 4).tobytes())
    steps = numpy.array([round(3 * math.sin(i / 9)) for i in range(3000)], "<f4")
    (folder / "steps.f32").write_bytes(steps.tobytes())
    large = numpy.resize(noise(99991, 5), 4_000_001)
    (folder / "large.f32").write_bytes(large[:700_001].tobytes())
    (folder / "long.f32").write_bytes(large.tobytes())  # for many threads
    (folder / "middle.f32").write_bytes(large[:40_000].tobytes())

    odd = noise(3000, 6)
    odd[::97] = numpy.inf
    odd[5::89] = -0.0
    odd[7::83] = 0.0
    odd[9::79] = 1e-45
    odd[11::101] = -numpy.inf
    (folder / "odd.f32").write_bytes(odd.tobytes())

    nans = noise(3000, 7)
    nans.view("<u4")[1700::7] = 0xFF800001
    nans[2000:2200] = numpy.nan
    (folder / "nan.f32").write_bytes(nans.tobytes())
    nan_late = numpy.resize(noise(99991, 8), 400_000)
    nan_late[333_333] = numpy.nan
    (folder / "nan-late.f32").write_bytes(nan_late.tobytes())

    # Names whose ending, or files whose first bytes, could mislead.
    ramp = (numpy.arange(4000) % 251 * 256).astype("<u2")
    (folder / "ramp.s16").write_bytes(ramp.tobytes())
    (folder / "text.txt").write_text("some words, and more of them\n" * 40)
    (folder / "zip.f32").write_bytes(b"PK\3\4" + draw.randbytes(4000))
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + draw.randbytes(4000))


def write_tables(folder):
    """Rows at any distance, in which cells are missing; a table of several blocks; and one with a bad line late."""
    draw = random.Random(13)
    time = 1_700_000_000
    rows = []
    for _ in range(60_000):
        time += draw.choice([0, 1, 1, 2, 7, 90])
        cells = [f"{draw.uniform(-40, 40):.{draw.randint(0, 6)}f}" for _ in range(3)]
        if draw.random() < 0.15:
            cells[draw.randrange(3)] = draw.choice(["", "nan", "NA"])
        rows.append(f"{time},{','.join(cells)}\n")
    head = "t,a,b,c\n"
    (folder / "log.csv").write_text(head + "".join(rows[:3000]))
    (folder / "long.csv").write_text(head + "".join(rows))
    (folder / "bad.csv").write_text(head + "".join(rows[:50_000]) + "1,2,x,4\n" + "".join(rows[50_000:]))
    whole = [draw.randrange(-(1 << 63), 1 << 63) for _ in range(3000)]
    (folder / "whole.s64").write_bytes(struct.pack("<3000q", *whole))


def wave(data, channels=2, bits=16, **other):
    return wav(data, channels, bits, RATE, **other)


def write_waves(folder):
    data = (noise(8000, 9) * 32767).astype("<i2").tobytes()
    good = wave(data)
    files = {
        "good.wav": good,
        "float.wav": wave(noise(4000, 10).tobytes(), 1, 32, floating=True),
        "junk-behind.wav": good + b"LIST" + struct.pack("<I", 40) + bytes(40),
        "cut.wav": good[:9001],
        "cut-header.wav": good[:30],
        "promises-more.wav": wave(data, size=2 * len(data)),
        "promises-less.wav": wave(data, size=1000),
        "size-0.wav": wave(data, size=0),
        "size-sox.wav": wave(data, size=0x7FFFF000),
        "size-ffmpeg.wav": wave(data, size=0xFFFFFFFF),
        "bits-12.wav": wave(data, bits=12),
        "channels-0.wav": wave(data, channels=0),
        "bytes-behind.wav": good + b"xyz",
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


def write_arrays(folder):
    for kind in ("<f4", ">f4", "<f8", "<i2", ">i2", "<i4", "<u2", "|u1", "|i1", "<f2", "<i8", "|b1",
                 "<c8", "<c16"):
        values = (noise(1000, 11) * 100).astype(kind)
        name = kind.strip("|").replace("<", "le-").replace(">", "be-")
        numpy.save(folder / f"{name}.npy", values)
    table = noise(3000, 12).reshape(1000, 3)
    numpy.save(folder / "table.npy", table)
    numpy.save(folder / "fortran.npy", numpy.asfortranarray(table))
    numpy.save(folder / "cube.npy", table.reshape(10, 100, 3))
    file = io.BytesIO()
    numpy.save(file, table)
    (folder / "cut.npy").write_bytes(file.getvalue()[:5000])
    (folder / "bytes-behind.npy").write_bytes(file.getvalue() + b"xyz")


def write_by_peers(folder):
    """Files that sox, flac and ffmpeg write; a missing file is missing for both programs."""
    good = folder / "good.wav"
    targets = ["sox.aiff", "sox.au", "sox.caf", "sox.w64", "sox.flac", "sox.ogg", "sox.mp3",
               "sox.voc"]
    if shutil.which("sox"):
        for name in targets:
            subprocess.run(["sox", "-R", "-D", good, folder / name], stderr=subprocess.DEVNULL)
    if shutil.which("ffmpeg"):
        for name, options in [("ffmpeg.wav", ["-rf64", "always"]), ("ffmpeg.flac", []),
                              ("ffmpeg.caf", ["-c:a", "pcm_s24be"]), ("ffmpeg.mp3", []),
                              ("ffmpeg.opus", []), ("ffmpeg.w64", ["-c:a", "pcm_f32le"])]:
            subprocess.run(["ffmpeg", "-v", "quiet", "-y", "-i", good, "-bitexact", *options,
                            folder / name], stdin=subprocess.DEVNULL)
    if shutil.which("flac"):
        subprocess.run(["flac", "-s", "-f", "-8", "-o", folder / "flac.flac", good])
    for path in sorted(folder.glob("sox.*")) + sorted(folder.glob("ffmpeg.*")):
        content = path.read_bytes()
        (folder / f"half-{path.name}").write_bytes(content[:len(content) // 2])
        (folder / f"behind-{path.name}").write_bytes(content + b"what is this?\n" * 3)
        middle = len(content) // 2
        (folder / f"hole-{path.name}").write_bytes(content[:middle] + bytes(200)
                                                   + content[middle + 200:])


def build(folder):
    write_raw(folder)
    write_tables(folder)
    write_waves(folder)
    write_arrays(folder)
    write_by_peers(folder)
