#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""`--device auto` against `cpu` and `cuda`, whole processes:
auto.py PROGRAM [GIB,... [CPUS,... [RUNS [NEIGHBOUR]]]]

Eleven kinds of work, several sizes of input, on some of the CPUs. The three alternate, and a row has their medians.
Outputs are compared first. The bars: auto takes at most 1.1 times as long as cpu, or 0.01 s longer; and for files of
cu8, from 4 GiB on and on one CPU, at most 1.2 times as long as cuda. NEIGHBOUR is a command that
runs at the same time, repeatedly, such as one that keeps the device busy."""

import hashlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, seconds
from whole import frames_file, on_cpus, skip_without_device

BAR = 1.1  # over cpu
COSTLY_BAR = 1.2  # over cuda
COSTLY = "cu8"
COSTLY_LEAST = 4  # GiB
NOISE = 0.01  # seconds
COMPARED = 1 / 16  # GiB
FILES = 8  # of a batch
DEVICES = ["auto", "cpu", "cuda"]

# Name, options, and how it runs.
KINDS = [row.split(" | ") for row in """\
w=512 | -w 512 | null
w=10^6 | -w 1000000 | null
hop 512 | -w 512 --hop 512 | null
s16 | -t s16 -w 512 | null
cu8 | -t cu8 -w 512 | null
statistics | --emit none --stats - | null
pipe | -w 512 | pipe
cu8 pipe | -t cu8 -w 512 | pipe
cu8 hop pipe | -t cu8 -w 512 --hop 512 | pipe
file to file | -w 512 | file
batch of cu8 | -t cu8 -w 512 --hop 64 | batch""".splitlines()]

sizes = [float(size) for size in argument(2, "0.0625,1,4").split(",")]
counts = [int(count) for count in argument(3, "1,16").split(",")]
runs = argument(4, 3)
neighbour = argument(5, "")
work = tempfile.TemporaryDirectory(prefix="gpuenv-auto-", dir="/dev/shm")
target = os.path.join(work.name, "out")
batch = os.path.join(work.name, "batch")


def fill_batch(part):
    """All its files are links to one."""
    shutil.rmtree(batch, ignore_errors=True)
    os.makedirs(batch)
    for i in range(FILES):
        os.link(part, os.path.join(batch, f"{i}.cu8"))


def command(options, way, device, cpus, source):
    ours = f"{PROGRAM} {options} --device {device} -q"
    whole = {"null": f"{ours} {source} > /dev/null",
             "pipe": f"cat {source} | {ours} | cat > /dev/null",
             "file": f"{ours} -o {target}.f32 {source}",
             "batch": f"{ours} --out-dir {target} {batch}/*"}[way]
    return on_cpus(cpus, whole)


def digest(options, device, cpus, source):
    """The hash of the output, wherever it goes."""
    run = subprocess.run(["sh", "-c", on_cpus(cpus, f"{PROGRAM} {options} --device {device} -q {source}")],
                         stdout=subprocess.PIPE, check=True)
    return hashlib.blake2b(run.stdout).hexdigest()


def row(name, options, way, gib, cpus, source):
    """Returns True if the bar is met."""
    commands = {device: command(options, way, device, cpus, source) for device in DEVICES}
    times = {device: [] for device in DEVICES}
    for device in DEVICES:
        seconds(commands[device])
    for i in range(runs):
        for device in DEVICES[i % 3:] + DEVICES[:i % 3]:
            times[device].append(seconds(commands[device]))
    auto, cpu, cuda = (statistics.median(times[device]) for device in DEVICES)
    costly = name == COSTLY and gib >= COSTLY_LEAST and cpus == 1
    met = auto <= max(BAR * cpu, cpu + NOISE) and (not costly or auto <= COSTLY_BAR * cuda)
    print(f"{gib:8g} GiB {cpus:3} CPUs  {name:14} {auto:8.3f} {cpu:8.3f} {cuda:8.3f} "
          f"{auto / cpu:8.2f} {auto / cuda:8.2f}  {'met' if met else 'MISSED'}", flush=True)
    return met


def table():
    print(f"{'input':24}{'':14} {'auto':>8} {'cpu':>8} {'cuda':>8} {'over cpu':>8} {'and cuda':>8}", flush=True)
    with frames_file(COMPARED) as source:
        for _, options, _ in KINDS:
            assert len({digest(options, device, counts[0], source.name) for device in DEVICES}) == 1, options
    results = []
    for gib in sizes:
        with frames_file(gib) as source, frames_file(gib / FILES) as part:
            fill_batch(part.name)
            results += [row(name, options, way, gib, cpus, source.name)
                        for cpus in counts for name, options, way in KINDS]
    print(f"{results.count(False)} of {len(results)} missed")
    return results.count(False) > 0


def main():
    beside = None

    skip_without_device()
    if neighbour:
        beside = subprocess.Popen(["sh", "-c", f"while :; do {neighbour}; done >/dev/null 2>&1"],
                                  start_new_session=True)
    try:
        return table()
    finally:
        if beside is not None:
            os.killpg(beside.pid, signal.SIGKILL)
            beside.wait()


if __name__ == "__main__":
    sys.exit(main())
