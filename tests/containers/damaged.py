#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--accept-damaged: damaged.py PROGRAM

What is there of an input that is cut off, has gaps or stray bytes is written in either case, and is the same. Without
the option that is an error that names it; with it a warning, and the file of -o is there."""

import gzip
import pathlib
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, floats, gpuenv, run, wav

FRAMES = 60000


def inputs(here):
    """(path, what is wrong with it); a path of "-": the bytes come through a pipe."""
    sound = wav(floats(FRAMES, 1)[:2 * FRAMES])
    (here / "whole.wav").write_bytes(sound)
    (here / "cut.wav").write_bytes(sound[:-5000])
    yield here / "cut.wav", "header promises"
    yield here / "cut.wav", "header promises", "pipe"
    (here / "stray.s16").write_bytes(floats(1000, 1) + b"x")
    yield here / "stray.s16", "ends inside a frame"
    for ending in ("flac", "ogg", "mp3"):
        whole = here / f"whole.{ending}"
        if ending == "mp3" and shutil.which("ffmpeg"):
            run("ffmpeg", "-v", "quiet", "-i", here / "whole.wav", "-b:a", "64k", whole)
        elif ending != "mp3":
            gpuenv("-q", "-w", 1, "--emit", "max", here / "whole.wav", "-o", whole)
        if not whole.exists() or whole.stat().st_size < 9000:
            print("left out:", ending)
            continue
        data = whole.read_bytes()
        (here / f"cut.{ending}").write_bytes(data[:len(data) * 2 // 3 + 7])
        yield here / f"cut.{ending}", ""
        yield here / f"cut.{ending}", "", "pipe"
    if (here / "whole.ogg").exists():
        data = (here / "whole.ogg").read_bytes()
        pages = [at for at in range(len(data)) if data[at:at + 4] == b"OggS"]
        (here / "gap.ogg").write_bytes(data[:pages[-3]] + data[pages[-2]:])
        yield here / "gap.ogg", "has gaps"
    table = "".join(f"{at},{at % 1000 / 8}\n" for at in range(FRAMES)).encode()
    (here / "cut.csv.gz").write_bytes(gzip.compress(table)[:-999])
    yield here / "cut.csv.gz", "gzip: "
    for whole in ("whole.wav", "whole.flac"):
        if (here / whole).exists():
            cut = here / whole.replace("whole", "cut")
            cut.with_name(cut.name + ".gz").write_bytes(gzip.compress((here / whole).read_bytes())[:-999])
            yield cut.with_name(cut.name + ".gz"), "gzip: "


def check_input(here, path, wrong, pipe=None):
    how = {"data": path.read_bytes()} if pipe else {}
    operand = [] if pipe else [path]
    for words in (["-w", 20], ["-w", 20, "--align", "center", "--hop", 3], ["--zoom", 256, "-T", "txt"],
                  ["-w", 20, "--threads", 4, "--chunk", 500], ["-w", 5, "--skip", 1000], ["-w", 5, "--skip", "1G"],
                  ["--emit", "none", "--stats", "-"]):
        if "none" not in words and "-T" not in words:
            words = [*words, "-T", "f32"]
        as_error = gpuenv(*words, *operand, **how)
        check(as_error.status == 2 and wrong in as_error.lines[-1] and
              as_error.said.endswith(" (--accept-damaged makes this a warning)\n"), as_error)
        accepted = gpuenv("--accept-damaged", *words, *operand, **how)
        check(accepted.status == 0 and wrong in accepted.said and accepted.out == as_error.out and
              "--accept-damaged" not in accepted.said, accepted)
        others = ("no output", "nothing is left", "rounded")
        check(len([line for line in accepted.lines if not any(word in line for word in others)]) == 1, accepted)
        if "none" not in words and "--skip" not in words:
            out = here / "out.bin"
            gpuenv(*words, *operand, "-o", out, **how)
            check(not out.exists(), "an output of", path)
            done = gpuenv("--accept-damaged", *words, *operand, "-o", out, **how)
            check(done.status == 0 and out.read_bytes() == accepted.out, done)
            out.unlink()
    piped = gpuenv("--accept-damaged", "-w", 20, "-r", 8000, "-T", "wav", *operand, **how)
    check(piped.status == 0 and piped.out[:4] == b"RIFF", piped)


def check_others(here):
    """What it does not cover."""
    (here / "bad.csv").write_text("1\n2\nx\n")
    (here / "nan.f32").write_bytes(floats(10, 1) + b"\0\0\xc0\x7f" + floats(10, 1))
    for words in (["-w", 1, here / "bad.csv"], ["-w", 1, "--nan", "error", here / "nan.f32"]):
        done = gpuenv("--accept-damaged", *words)
        check(done.status == 2, done)
    done = gpuenv("--accept-damaged", "-w", 5, "--shard", "1/2", here / "cut.wav")
    check(done.status == 1 and "leave --accept-damaged out" in done.said, done)
    done = gpuenv("--accept-damaged", "-w", 5, "--out-dir", here / "out", here / "cut.wav", here / "whole.wav",
                  here / "stray.s16")
    check(done.status == 0 and len(list((here / "out").iterdir())) == 3 and len(done.lines) == 2, done)


with tempfile.TemporaryDirectory() as folder:
    for case in list(inputs(pathlib.Path(folder))):
        check_input(pathlib.Path(folder), *case)
    check_others(pathlib.Path(folder))
finish()
