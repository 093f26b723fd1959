#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""One large file on all cores: file to /dev/null and file to file, against one thread, cat and dd.

Usage: pieces.py PROGRAM [GIB [RUNS [FOLDER]]]

The bars depend on the number of CPUs. The default number of workers is compared with the best one. FOLDER is for the
outputs that are compared with dd: a file system on a disk, by default /var/tmp."""

import os
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from alternate import CPUS, Bars, by_workers, ratios
from harness import PROGRAM, argument, memory_file, need, seconds

many = CPUS >= 8
gib = argument(2, 8.0 if many else 0.75)
runs = argument(3, 5)
disk = argument(4, "/var/tmp")
need("cat", "cmp", "dd")

work = tempfile.TemporaryDirectory(prefix="gpuenv-perf-", dir="/dev/shm")
bars = Bars()


samples = memory_file(int(gib * (1 << 30)))
source = samples.name
out = os.path.join(work.name, "out.f32")
out_bytes = 2 * os.path.getsize(source)

# Checks the output first.
part = f"{PROGRAM} --frames {1 << 24} -w 512 {source}"
subprocess.run(["bash", "-c", f"cmp <({part}) <({part} --algorithm lemire)"], check=True)


def over_one_thread(name, options, bar, reach, null="> /dev/null"):
    """How many times as fast as --threads 1."""
    ours = f"{PROGRAM} {options} {source} {null}"
    one = f"{PROGRAM} {options} --threads 1 {source} {null}"
    values = sorted(1 / ratio for ratio in ratios(ours, one, runs))
    bars.show(f"{name}, over one thread", values, bar, reach, at_most=False)


def dd(folder, count):
    """As many dd, together writing as much, each to its own file."""
    mib = out_bytes // count >> 20
    parts = [f"dd if=/dev/zero of={folder}/dd.{i} bs=1M count={mib} 2>/dev/null &"
             for i in range(count)]
    return "\n".join(parts) + "\nwait"


def to_file(name, folder, bar, reach):
    target = os.path.join(folder, "gpuenv-perf-out.f32")
    theirs_folder = tempfile.mkdtemp(prefix="gpuenv-perf-dd-", dir=folder)
    remove = f"rm -f {target} {theirs_folder}/dd.*"
    ours = f"{remove}; exec {PROGRAM} -w 512 {source} -o {target}"
    theirs = f"{remove}\n{dd(theirs_folder, min(CPUS, 16))}"
    bars.show(name, ratios(ours, theirs, runs), bar, reach)
    subprocess.run(["sh", "-c", remove], check=True)
    os.rmdir(theirs_folder)


if many:
    over_one_thread("/dev/null, w = 512", "-w 512", 8, 12)
    over_one_thread("/dev/null, w = 10^6", "-w 1000000", 6, 10)
    over_one_thread("/dev/null, hop 512", "-w 512 --hop 512", 6, 10)
    over_one_thread("statistics alone", f"--emit none --stats {work.name}/stats", 6, 10, "")
    over_one_thread("/dev/null, s16", "-t s16 -w 512", 6, 10)
    over_one_thread("/dev/null, cu8, hop 512", "-t cu8 -w 512 --hop 512", 6, 10)
    as_much = f"rm -f {out}; cat {source} {source} > {out}"
    ours = f"rm -f {out}; exec {PROGRAM} -w 512 {source} -o {out}"
    bars.show("to a file in memory, over cat of as much", ratios(ours, as_much, runs), 0.7, 0.5)
    os.unlink(out)
    to_file("to a file on disk, over dd to one each", disk, 2.2, 1.6)
else:
    ours = f"{PROGRAM} -w 512 {source} > /dev/null"
    bars.show("/dev/null, over cat", ratios(ours, f"cat {source} > /dev/null", runs), 1.2, 0.9)
    to_file("to a file in memory, over dd to one each", work.name, 1.5, 1.2)
    to_file("to a file on disk, over dd to one each", disk, 1.5, 1.2)

for name, options, sink in (("/dev/null", "-w 512", "> /dev/null"), ("a pipe", "-w 512", "| cat > /dev/null"),
                            ("statistics", f"--emit none --stats {work.name}/stats", "")):
    by_workers(bars, name, lambda number: f"{PROGRAM} {options} {number} {source} {sink}", runs)
table = os.path.join(work.name, "in.csv")
with open(table, "w", encoding="ascii") as file:
    lines = "".join(f"{i % 97 / 7:.7f},{i % 89 / 3:.7f},{-i % 83 / 9:.7f}\n" for i in range(100_000))
    for _ in range(150 if many else 12):
        file.write(lines)
by_workers(bars, "a table", lambda number: f"{PROGRAM} -q -w 512 -T f32 {number} {table} > /dev/null", runs)

if os.access("/proc/sys/vm/drop_caches", os.W_OK):
    cold = os.path.join(disk, "gpuenv-perf-cold.f32")
    subprocess.run(["sh", "-c", f"head -c 1G {source} > {cold}; sync"], check=True)
    drop = "echo 3 > /proc/sys/vm/drop_caches"
    try:
        values = []
        for _ in range(3):
            pair = []
            for command in (f"cat {cold} > /dev/null", f"{PROGRAM} -w 512 {cold} > /dev/null"):
                subprocess.run(["sh", "-c", drop], check=True, stderr=subprocess.DEVNULL)
                pair.append(seconds(command))
            values.append(pair[1] / pair[0])
        bars.show("a cold file, over cat", sorted(values), 1.1, 1.0)
    except subprocess.CalledProcessError:
        print("  a cold file: caches cannot be dropped here")
    finally:
        os.unlink(cold)
bars.end()
