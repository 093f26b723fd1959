#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What comes out as text, on all cores: text_out.py PROGRAM [NUMBERS [RUNS [OLDER]]]

So many numbers (60 million; 6 million with fewer than 8 CPUs) as csv to /dev/null, to a file in memory and to a pipe, and
windows of time and keys of a table, against --threads 1: how many times as fast. With fewer CPUs that is only to be no
slower. Spans of 1 GiB (64 MiB) against the filter alone. OLDER is another build: then on one CPU this one takes no
longer."""

import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
from alternate import CPUS, Bars, ratios
from harness import PROGRAM, argument, memory_file, memory_folder

many = CPUS >= 8
numbers = argument(2, 60_000_000 if many else 6_000_000)
runs = argument(3, 7 if many else 5)
older = argument(4, "")
bars = Bars()
samples = memory_file(numbers * 2)
sound = memory_file(1 << 30 if many else 1 << 26)
table = os.path.join(memory_folder(), f"gpuenv-perf-{os.getpid()}.csv")
out = f"{table}.out"
with open(table, "w", encoding="ascii") as file:
    file.write("time,key,a,b,c\n")
    for row in range(numbers // 15):
        file.write(f"2026-11-{row // 345600 % 28 + 1:02}T{row // 14400 % 24:02}:{row // 240 % 60:02}:{row // 4 % 60:02}."
                   f"{row % 4 * 25:02}Z,k{row // 40 % 9},{row % 97 / 7:.7f},{row % 89 / 3:.7f},{-row % 83 / 9:.7f}\n")

TIMES = f"--time time --columns a,b,c {table}"
CASES = {
    "/dev/null": (f"-t f32 -w 512 -T csv {samples.name} > /dev/null", 6, 10),
    "a file in memory": (f"-t f32 -w 512 -T csv {samples.name} > {out}", 4, 6),
    "a pipe": (f"-t f32 -w 512 -T csv {samples.name} | cat > /dev/null", 3, 4),
    "a pipe, from a pipe": (f"-t f32 -w 512 -T csv < {samples.name} | cat > /dev/null", 3, 4),
    "--zoom 16 of sound": (f"-t s16 -c 2 -r 48000 --zoom 16 -T csv {samples.name} > /dev/null", 4, 8),
    "windows of time": (f"-w 60s {TIMES} > /dev/null", 5, 8),
    "windows of time, keys": (f"-w 60s --by key {TIMES} > /dev/null", 4, 6),
}
FILTER = f"-t s16 -w 512 --emit abs -T f32 {sound.name} > /dev/null"
SPANS = {
    "few": f"-t s16 -w 512 -T spans --level above:99.999% {sound.name} > /dev/null",
    "many": f"-t s16 -w 512 -T spans --level above:99.9% {sound.name} > /dev/null",
    "many, joined": f"-t s16 -w 512 -T spans --level above:99.9% --join 3000 --least 2000 {sound.name} > /dev/null",
}


def compare(name, ours, theirs, bar, reach):
    bars.show(name, sorted(1 / ratio for ratio in ratios(ours, theirs, runs)), bar, reach, at_most=False)


try:
    for options in [*(case[0] for case in CASES.values()), *SPANS.values()]:
        one, all_cores = (f"{PROGRAM} -q {option} {options}".partition(" >")[0].partition(" |")[0]
                          for option in ("--threads 1", f"--threads {max(CPUS, 5)}"))
        subprocess.run(["bash", "-c", f"cmp <({one}) <({all_cores})"], check=True)
    for name, (options, bar, reach) in CASES.items():
        compare(f"{name}, over one thread", f"{PROGRAM} -q {options}", f"{PROGRAM} -q --threads 1 {options}",
                bar if many else 0.95, reach if many else 1.4)
        if older:
            compare(f"{name}, on one CPU, over OLDER", f"taskset -c 0 {PROGRAM} -q {options}",
                    f"taskset -c 0 {older} -q {options}", 0.95, 1)
    for name, options in SPANS.items():
        pairs = ratios(f"{PROGRAM} -q {options}", f"{PROGRAM} -q {FILTER}", runs)
        bars.show(f"{name} spans, over the filter alone", pairs, 1.5 if many else 3, 1.2)
finally:
    for path in (table, out):
        if os.path.exists(path):
            os.unlink(path)
bars.end()
