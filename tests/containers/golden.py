#!/usr/bin/python3
"""Every file of tests/golden/, as a file and in a pipe: golden.py PROGRAM

good-*: all its frames come, and nothing is said. bad-*: the frames before the fault come, then an
error that names the input, exit 2. foreign-*: not for our parsers; an error, and no crash.
"""
import pathlib
import struct
import subprocess
import sys

program = sys.argv[1]
folder = pathlib.Path(__file__).resolve().parent.parent / "golden"
SAMPLES = [0, 16384, -16384, 32767, -32768, 1, -1, 8192, -8192, 256, -256, 12345]

# How many of the samples come; 12 of a good file, 0 of a bad one, unless it stands here.
FRAMES = {
    "good-empty-then-chunk.wav": 0,
    "good-empty.caf": 0,
    "good-empty.npy": 0,
    "good-empty.w64": 0,
    "good-empty.wav": 0,
    "good-extensible-24.wav": 11,
    "good-stream-sox-empty.w64": 0,
    "good-stream-sox-24.wav": 11,
    "bad-another-follows-chunk.wav": 12,
    "bad-another-follows.npy": 12,
    "bad-another-follows.wav": 12,
    "bad-cut-in-data.wav": 7,
    "bad-cut-in-frame.wav": 7,
    "bad-cut.aiff": 9,
    "bad-cut.au": 12,
    "bad-cut.caf": 9,
    "bad-cut-fortran.npy": 8,
    "bad-cut.npy": 12,
    "bad-cut.w64": 10,
    "bad-rf64-cut.wav": 12,
    "bad-stray-byte.wav": 12,
}

failures = 0
checks = 0


def check(condition, *words):
    global failures, checks
    checks += 1
    if not condition:
        failures += 1
        print("FAILED:", *words)


def expected(name):
    kind = name.split("-")[0]
    frames = FRAMES.get(name, 12 if kind == "good" else 0)
    # A .npy holds numbers; audio holds shares of full scale.
    scale = 1 if name == "good-i2-big.npy" or "fortran" in name or "order.npy" in name else 32768
    return b"".join(struct.pack("<f", s / scale) for s in SAMPLES[:frames])


def run(path, piped):
    kind = path.name.split("-")[0]
    command = [program, "-w", "1", "--emit", "max"]
    # What is no WAV at all is only refused when it is said to be one.
    if path.name == "bad-not-wave.wav":
        command += ["-t", "wav"]
    if piped:
        with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as cat:
            done = subprocess.run(command, stdin=cat.stdout, capture_output=True, timeout=30)
    else:
        done = subprocess.run(command + [path], capture_output=True, timeout=30)
    words = done.stderr.decode()
    where = f"{path.name} {'in a pipe' if piped else 'as a file'}"
    due = expected(path.name)
    check(done.stdout == due, where, f"{len(done.stdout)} bytes, {len(due)} due")
    if kind == "good":
        check(done.returncode == 0, where, "exit", done.returncode, words)
        if due:
            check(words == "", where, words)
    else:
        name = "standard input" if piped else str(path)
        check(done.returncode == 2, where, "exit", done.returncode, words)
        check(words.startswith(f"gpuenv: {name}: ") and words.count("\n") == 1, where, words)


paths = sorted(p for p in folder.iterdir() if p.name.split("-")[0] in ("good", "bad", "foreign"))
for path in paths:
    run(path, False)
    run(path, True)
readme = (folder / "README").read_text()
for path in paths:
    check(path.name in readme, "README does not say why there is", path.name)
print(f"{len(paths)} files, {checks} checks, {failures} failed")
sys.exit(1 if failures or len(paths) < 50 else 0)
