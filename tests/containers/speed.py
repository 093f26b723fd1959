#!/usr/bin/python3
"""A header costs nothing: speed.py PROGRAM

s16 from the page cache to /dev/null, as WAV and raw, in turns: the WAV must reach 0.9 of the raw file's
frames per second.
"""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, wav

FRAMES = 100_000_000
ROUNDS = 21


def seconds(path, kind):
    start = time.perf_counter()
    subprocess.run([PROGRAM, "-t", kind, "-w", "512", "-o", "/dev/null", path], check=True)
    return time.perf_counter() - start


with tempfile.TemporaryDirectory() as folder:
    raw = os.path.join(folder, "x.s16")
    whole = os.path.join(folder, "x.wav")
    block = os.urandom(2_000_000)
    for path, start in ((raw, b""), (whole, wav(b"", size=FRAMES * 2))):
        with open(path, "wb") as file:
            file.write(start)
            for _ in range(FRAMES * 2 // len(block)):
                file.write(block)
    times = {"s16": [], "auto": []}
    for _ in range(ROUNDS):
        times["s16"].append(seconds(raw, "s16"))
        times["auto"].append(seconds(whole, "auto"))

median = {kind: sorted(each)[ROUNDS // 2] for kind, each in times.items()}
ratio = median["s16"] / median["auto"]
for kind, each in median.items():
    print(f"{kind:5} {FRAMES / each / 1e6:8.0f} million frames a second")
print(f"WAV over raw: {ratio:.3f} (0.9 or more is due)")
sys.exit(0 if ratio >= 0.9 else 1)
