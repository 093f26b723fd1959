#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The input size from which `--device cuda` pays, for files in memory: crossovers.py PROGRAM [GIB [CPUS,...]]

For types, channels, hops and CPUs: the seconds for GIB and for a quarter of it by `cpu` and by `cuda`, the shorter of
two runs each; from these, the time per additional GiB, and the input size for which both take as long."""

import itertools
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, seconds
from whole import frames_file, on_cpus, skip_without_device

TYPES = ["f32", "s16", "cu8"]
CHANNELS = [1, 8, 64]
HOPS = [1, 512]
RUNS = 2

gib = argument(2, 1.0)
counts = [int(count) for count in argument(3, "1,4,16").split(",")]


def slope_and_start(sources, options, device, cpus):
    """The seconds per GiB, and the seconds for an empty input."""
    short, whole = (min(seconds(on_cpus(cpus, f"{PROGRAM} {options} --device {device} -q {source.name} > /dev/null"))
                        for _ in range(RUNS)) for source in sources)
    slope = (whole - short) / (gib * 3 / 4)
    return slope, whole - gib * slope


def row(sources, kind, channels, hop, cpus):
    options = f"-t {kind} -c {channels} -w 512 --hop {hop}"
    cpu, cpu_start = slope_and_start(sources, options, "cpu", cpus)
    cuda, cuda_start = slope_and_start(sources, options, "cuda", cpus)
    pays = f"{max(cuda_start - cpu_start, 0) / (cpu - cuda):8.2f}" if cpu > 1.05 * cuda else "   never"
    print(f"{cpus:4} {kind:>5} {channels:8} {hop:5} {cpu:8.3f} {cuda:8.3f} {cuda_start:8.3f} {pays}", flush=True)


def main():
    skip_without_device()
    print("seconds a GiB by cpu and cuda, the seconds to start cuda, and the GiB from which it pays")
    print("CPUs  type channels   hop      cpu     cuda    start     from", flush=True)
    with frames_file(gib / 4) as short, frames_file(gib) as whole:
        for cpus, kind, channels, hop in itertools.product(counts, TYPES, CHANNELS, HOPS):
            row([short, whole], kind, channels, hop, cpus)


if __name__ == "__main__":
    sys.exit(main())
