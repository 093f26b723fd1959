"""Whole processes on a host with a GPU, for the measurements beside this file: their input, their seconds, on some of
the CPUs."""

import os
import subprocess
import sys
import time


def on_cpus(cpus, *words):
    return ["taskset", "-c", f"0-{cpus - 1}", *words]


def seconds(arguments):
    start = time.perf_counter()
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def make_floats(program, path, gib):
    """Floats without NaN, which are as good as any bytes for the other types."""
    made = subprocess.run(f"head -c 33554432 /dev/urandom | {program} -t s16 -w 1 --emit max --device cpu -q",
                          shell=True, check=True, stdout=subprocess.PIPE).stdout
    left = int(gib * (1 << 30)) // 4096 * 4096  # whole frames of any kind
    with open(path, "wb") as file:
        while left > 0:
            left -= file.write(made[:left])


def skip_without_device(program):
    if subprocess.run([program, "-w", "1", "--device", "cuda", os.devnull], stderr=subprocess.DEVNULL,
                      check=False).returncode == 3:
        print("there is no device")
        sys.exit(77)
