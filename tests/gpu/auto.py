#!/usr/bin/python3
"""`--device auto` over the better of `cpu` and `cuda`, whole processes: auto.py PROGRAM [GIB,... [CPUS,... [RUNS]]]

Eight kinds of work, several sizes of input, on some of the CPUs. The three take turns, and a row has
their medians. Outputs are compared first. The bar: auto takes at most 1.1 times as long as the better
of the two, or 0.01 s longer."""

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

BAR = 1.1
NOISE = 0.01  # seconds
COMPARED = 1 / 16  # GiB
DEVICES = ["auto", "cpu", "cuda"]

# Name, options, and how it runs.
KINDS = [
    ("w=512", "-w 512", "null"),
    ("w=10^6", "-w 1000000", "null"),
    ("hop 512", "-w 512 --hop 512", "null"),
    ("s16", "-t s16 -w 512", "null"),
    ("cu8", "-t cu8 -w 512", "null"),
    ("statistics", "--emit none --stats -", "null"),
    ("pipe", "-w 512", "pipe"),
    ("file to file", "-w 512", "file"),
]

program = sys.argv[1]
sizes = [float(size) for size in (sys.argv[2] if len(sys.argv) > 2 else "0.0625,1,4").split(",")]
counts = [int(count) for count in (sys.argv[3] if len(sys.argv) > 3 else "1,16").split(",")]
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 3
work = tempfile.TemporaryDirectory(prefix="gpuenv-auto-", dir="/dev/shm")
source = os.path.join(work.name, "in")
target = os.path.join(work.name, "out")


def make_source(gib):
    """Floats without NaN, which are as good as any bytes for the other types."""
    block = os.path.join(work.name, "block")
    subprocess.run(f"head -c 33554432 /dev/urandom | {program} -t s16 -w 1 --emit max -q > {block}",
                   shell=True, check=True)
    with open(block, "rb") as file:
        data = file.read()
    left = int(gib * (1 << 30)) // 4 * 4
    with open(source, "wb") as file:
        while left > 0:
            left -= file.write(data[:left])
    os.remove(block)


def command(options, way, device, cpus):
    ours = f"{program} {options} --device {device} -q"
    whole = {"null": f"{ours} {source} > /dev/null",
             "pipe": f"cat {source} | {ours} | cat > /dev/null",
             "file": f"{ours} -o {target}.f32 {source}"}[way]
    return ["taskset", "-c", f"0-{cpus - 1}", "sh", "-c", whole]


def seconds(arguments):
    start = time.perf_counter()
    subprocess.run(arguments, check=True)
    return time.perf_counter() - start


def digest(options, device, cpus):
    """Of the output for a part of the input, and of where it ends up."""
    run = subprocess.run(["taskset", "-c", f"0-{cpus - 1}", program, *options.split(), "--device",
                          device, "-q", source], stdout=subprocess.PIPE, check=True)
    return hashlib.blake2b(run.stdout).hexdigest()


def row(name, options, way, gib, cpus):
    """True when the bar is met."""
    times = {device: [] for device in DEVICES}
    for device in DEVICES:
        seconds(command(options, way, device, cpus))
    for _ in range(runs):
        for device in DEVICES:
            times[device].append(seconds(command(options, way, device, cpus)))
    auto, cpu, cuda = (statistics.median(times[device]) for device in DEVICES)
    best = min(cpu, cuda)
    met = auto <= max(BAR * best, best + NOISE)
    print(f"{gib:8g} GiB {cpus:3} CPUs  {name:14} {auto:8.3f} {cpu:8.3f} {cuda:8.3f} "
          f"{auto / best:6.2f}  {'met' if met else 'MISSED'}", flush=True)
    return met


if subprocess.run([program, "-w", "1", "--device", "cuda", "/dev/null"], stderr=subprocess.DEVNULL,
                  check=False).returncode == 3:
    print("there is no device")
    sys.exit(77)
print(f"{'input':24}{'':14} {'auto':>8} {'cpu':>8} {'cuda':>8} {'over':>6}", flush=True)
make_source(COMPARED)
for _, options, _ in KINDS:
    assert len({digest(options, device, counts[0]) for device in DEVICES}) == 1, options
results = []
for gib in sizes:
    make_source(gib)
    for cpus in counts:
        results += [row(name, options, way, gib, cpus) for name, options, way in KINDS]
print(f"{results.count(False)} of {len(results)} missed")
sys.exit(results.count(False) > 0)
