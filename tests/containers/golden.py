#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every file of tests/golden/, as a file and in a pipe: golden.py PROGRAM

good-*: all frames are read, without a message. bad-*: the frames before the fault, then an error that
names the input, exit 2. foreign-*: not for our parsers; an error, and no crash.
"""
import pathlib
import struct
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import GOLDEN, PROGRAM, check, finish, run, tool

SAMPLES = [0, 16384, -16384, 32767, -32768, 1, -1, 8192, -8192, 256, -256, 12345]

# The number of samples read, unless it is 12 for a good file and 0 for a bad one.
FRAMES = dict(line.split() for line in """\
good-empty-then-chunk.wav 0
good-empty.caf 0
good-empty.npy 0
good-empty.w64 0
good-empty.wav 0
good-extensible-24.wav 11
good-stream-sox-empty.w64 0
good-stream-sox-24.wav 11
bad-another-follows-chunk.wav 12
bad-another-follows.npy 12
bad-another-follows.wav 12
bad-cut-in-data.wav 7
bad-cut-large.wav 12
bad-cut-in-frame.wav 7
bad-cut.aiff 9
bad-cut.au 12
bad-cut.caf 9
bad-cut-fortran.npy 8
bad-cut.npy 12
bad-cut.w64 10
bad-rf64-cut.wav 12
bad-second-data.wav 12
bad-stray-byte.wav 12""".splitlines())


def expected(name):
    kind = name.split("-")[0]
    frames = int(FRAMES.get(name, 12 if kind == "good" else 0))
    # A .npy holds plain numbers; audio holds fractions of full scale.
    scale = 1 if name == "good-i2-big.npy" or "fortran" in name or "order.npy" in name else 32768
    return b"".join(struct.pack("<f", s / scale) for s in SAMPLES[:frames])


def check_file(path, piped):
    kind = path.name.split("-")[0]
    command = [PROGRAM, "-w", "1", "--emit", "max", "-T", "f32"]
    # A file that is not WAV at all is rejected only with an explicit type.
    if path.name == "bad-not-wave.wav":
        command += ["-t", "wav"]
    done = run(*command, data=path.read_bytes()) if piped else run(*command, path)
    words = done.said
    where = f"{path.name} {'in a pipe' if piped else 'as a file'}"
    due = expected(path.name)
    check(done.out == due, where, f"{len(done.out)} bytes, {len(due)} due")
    if kind == "good":
        check(done.status == 0, where, "exit", done.status, words)
        if due:
            check(words == "", where, words)
    else:
        name = "standard input" if piped else str(path)
        check(done.status == 2, where, "exit", done.status, words)
        check(words.startswith(f"gpuenv: {name}: ") and words.count("\n") == 1, where, words)


paths = sorted(p for p in GOLDEN.iterdir() if p.name.split("-")[0] in ("good", "bad", "foreign"))
for path in paths:
    check_file(path, False)
    check_file(path, True)
with tempfile.TemporaryDirectory() as folder:
    tool(sys.executable, GOLDEN / "make.py", folder)
    made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
check(made == {path.name: path.read_bytes() for path in paths}, "not what make.py makes")
check(len(paths) > 50, "hardly any files")
finish(f"{len(paths)} files,")
