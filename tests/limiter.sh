#!/bin/bash
# SPDX-License-Identifier: MIT
# examples/library/limiter.c in a host: limiter.sh SOURCE_DIR LIBRARY
set -eu -o pipefail

source_dir=$1
library=$2
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
need cc python3 applyplugin

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 -shared -fPIC -I"$source_dir/src/lib" \
    "$source_dir/examples/library/limiter.c" -o "$work/limiter.so" "$library" -Wl,-rpath,"$(dirname "$library")"
python3 - "$work" <<'PYTHON'
import array
import math
import subprocess
import sys
import wave

RATE, DELAY, LEVEL = 48000, 240, 16384


def samples(path):
    with wave.open(path) as file:
        return array.array("h", file.readframes(file.getnframes()))


sound = [3000 * math.sin(i / 20) for i in range(2 * RATE)]
for start, count in ((RATE // 2, 30), (RATE, 5000), (RATE + 6000, 300)):  # a click, and bursts
    for i in range(start, start + count):
        sound[i] *= 10
sound = array.array("h", [round(value) for value in sound])
with wave.open(sys.argv[1] + "/in.wav", "wb") as file:
    file.setparams((1, 2, RATE, 0, "NONE", None))
    file.writeframes(sound)
subprocess.run(["applyplugin", sys.argv[1] + "/in.wav", sys.argv[1] + "/out.wav", sys.argv[1] + "/limiter.so",
                "limiter", "0.5"], check=True, stdout=subprocess.DEVNULL)
limited = samples(sys.argv[1] + "/out.wav")
peak = max(map(abs, limited))
assert LEVEL - 200 < peak <= LEVEL + 1, peak
until = RATE // 2 - 2 * DELAY
assert all(abs(limited[i + DELAY] - sound[i]) <= 1 for i in range(until)), "what is quiet has changed"
# The gain takes 5 ms from one end to the other.
gains = [limited[i + DELAY] / sound[i] if abs(sound[i]) > 2000 else None for i in range(len(sound) - DELAY)]
steps = [abs(a - b) for a, b in zip(gains, gains[1:]) if a is not None and b is not None]
assert max(steps) < 0.005 and min(gain for gain in gains if gain is not None) < 0.6, max(steps)
print("peak", max(map(abs, sound)), "limited to", peak)
PYTHON
