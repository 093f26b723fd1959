#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What each way from samples to windows gains (CONTRIBUTING, "From samples to windows"): ways.py FOLDER [ROUNDS]

Builds the program and the Python package once as they are, and once without each way, by changing one line of a copy of
the sources in FOLDER. Then runs the two by turns on one thread, compares what they give, and prints how many times as
long it takes without the way: the median of CPU seconds, pair by pair. Without a way, another one gives the same bytes."""

import array
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(sys.argv[1]).resolve()
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 7
CPU = "src/core/cpu/"
# A way, and its changes: a file, what stands in it once, and what shall stand there.
WAYS = {
    "straight": [(CPU + "block.c", "if (plan->setup.channels != 1 || plan->hops", "if (plan->setup.channels != 0 || plan->hops"),
                 (CPU + "block_across.c", "return out->together && plan->setup.emits.count > 1",
                  "return out->together < 0 && plan->setup.emits.count > 1")],
    "pairs": [(CPU + "block_plan.c", "plan->pairs = setup->emits.count == 2", "plan->pairs = setup->emits.count == 0")],
    "across": [(CPU + "block_plan.h", "ACROSS_CHANNELS = 8", "ACROSS_CHANNELS = 1 << 30")],
    "stateless": [("src/lib/filter.c", "if (unit->plan->across == NULL ||", "if (unit->row < UINT64_MAX ||")],
    "hopper": [(CPU + "hopper.c", "HOP_LEAST = 64,", "HOP_LEAST = 1 << 30,"),
               (CPU + "hopper.c", "HOP_LEAST_PLACES = 128", "HOP_LEAST_PLACES = 1 << 30")],
    "hopper with places": [(CPU + "hopper.c", "HOP_LEAST_PLACES = 128", "HOP_LEAST_PLACES = 1 << 30")],
    "compact kinds": [(CPU + "block_plan.c", "if (kind == VALUE_KINDS || rounds", "if (kind <= VALUE_KINDS || rounds")],
    "short rows": [("src/lib/rows.c", "in->rows < BATCH_ROWS ||", "in->rows < SIZE_MAX ||")],
}  # fmt: skip


def ways_of(text):
    """Of each line the ways behind it."""
    return {what: ways.split(", ") for what, ways in (line.split(" | ") for line in text.splitlines())}


# Commands over samples of the type behind -t (float32), each with its ways.
COMMANDS = ways_of("""\
-w 512 --emit max | straight
-t u8 -T u8 -w 512 --emit max | straight, compact kinds
-t s16 -T s16 -w 512 --emit max | compact kinds
-t f16 -T f16 -w 512 --emit max | compact kinds
-w 512 --emit min,max | straight, pairs
-c 2 -w 512 --emit min,max | pairs
-c 16 -w 512 --emit min,max | straight, pairs, across
-c 4 -w 512 --emit max | straight, across
-c 6 -w 512 --emit max | across
-t s16 -T s16 -c 4 -w 512 --emit max | across
-t s16 -T s16 -c 6 -w 512 --emit max | across
-c 64 -w 512 --emit max | straight, across
-w 512 --hop 64 --emit max | hopper
--zoom 1000 --emit min,max | hopper
-w 19200 --hop 480 --emit max | hopper
-w 512 --hop 128 --emit argmax -T npy | hopper, hopper with places
-w 4000 --hop 1000 --emit argmin,argmax -T npy | hopper, hopper with places
--zoom 128 --emit argmin,argmax -T npy | hopper with places
--zoom 1000000 --emit argmin,argmax -T npy | hopper""")
# Calls of the package on arrays (shape, dtype, arguments), and their ways.
CALLS = ways_of("""\
maximum((10000000,), 'f4', w=101) | straight
maximum((10000000,), 'u1', w=101) | straight, compact kinds
maximum((10000000,), 'i2', w=101) | compact kinds
argmax((10000000,), 'i2', w=101) | compact kinds
maximum((1000000, 8), 'f4', w=101, axis=0) | straight, across
minmax((100000, 64), 'f4', w=101, axis=0) | straight, across
maximum((1000000, 16), 'f4', w=5, axis=0) | stateless
maximum((1080, 5760), 'f4', w=3, axis=0) | stateless
maximum((1080, 5760), 'u1', w=15, axis=0) | stateless
maximum((1080, 5760), 'f4', w=15, axis=0) | stateless
maximum((1080, 5760), 'f4', w=31, axis=0) | stateless
maximum((1080, 5760), 'f4', w=51, axis=0) | stateless
maximum((1080, 5760), 'f4', w=101, axis=0) | stateless
maximum((1080, 5760), 'u1', w=51, axis=0) | stateless
maximum((1080, 5760), 'u1', w=101, axis=0) | stateless
maximum((20000, 256), 'f4', w=15, axis=0) | stateless
maximum((20000, 256), 'f4', w=51, axis=0) | stateless
maximum((20000, 256), 'f4', w=101, axis=0) | stateless
maximum((200, 64), 'f4', w=9, axis=0) | stateless
maximum((1000000, 8), 'f4', w=3, axis=1) | short rows
maximum((100000, 64), 'f4', w=5, axis=1) | short rows
minmax((100000, 64), 'u1', w=9, axis=1) | short rows""")
CALL = """
import sys, time, hashlib
sys.path.insert(0, sys.argv[1])
import numpy, gpuenv
def made(shape, dtype):
    rng = numpy.random.default_rng(1)
    return rng.standard_normal(shape, "f4") if dtype == "f4" else rng.integers(0, 200, shape, dtype)
def timed(function):
    def run(shape, dtype, **named):
        x = made(shape, dtype)
        out = function(x, threads=1, **named)
        parts = out if isinstance(out, tuple) else (out,)
        times = []
        for _ in range(max(5, 30000000 // x.size // 3)):
            begin = time.thread_time()
            function(x, threads=1, out=out, **named)
            times.append(time.thread_time() - begin)
        print(sorted(times)[len(times) // 2], hashlib.md5(b"".join(p.tobytes() for p in parts)).hexdigest())
    return run
maximum, minmax, argmax = timed(gpuenv.maximum), timed(gpuenv.minmax), timed(gpuenv.argmax)
eval(sys.argv[2])
"""


def build(sources, into):
    """The program and the package of the sources as they are now, as a folder of their own."""
    subprocess.run(["ninja", "-C", sources / "ways", "src/gpuenv", "gpuenv_python"], check=True, stdout=subprocess.DEVNULL)
    into.mkdir()
    shutil.copy(sources / "ways/src/gpuenv", into)
    shutil.copytree(sources / "ways/python/gpuenv", into / "python/gpuenv")


def build_all():
    sources = FOLDER / "sources"
    sources.mkdir(parents=True)
    for name in ("src", "cuda", "python", "cmake", "man", "CMakeLists.txt", "LICENSE"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        if (ROOT / name).exists():
            copy(ROOT / name, sources / name)
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DGPUENV_CUDA=OFF", "-DBUILD_TESTING=OFF", "-DGPUENV_PYTHON=ON"]
    subprocess.run(["cmake", "-G", "Ninja", "-S", sources, "-B", sources / "ways", *options], check=True, stdout=subprocess.DEVNULL)
    build(sources, FOLDER / "all")
    for way, changes in WAYS.items():
        kept = {name: (sources / name).read_text() for name, _, _ in changes}
        for name, old, new in changes:
            text = (sources / name).read_text()
            assert text.count(old) == 1, (way, name, old)
            (sources / name).write_text(text.replace(old, new))
        build(sources, FOLDER / way)
        for name, text in kept.items():
            (sources / name).write_text(text)


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def gains(ways, what, rounds, samples):
    """How many times as long it takes without each of the ways, pair by pair, sorted."""
    pairs = {way: [] for way in ways}
    options = what if "-t " in what else "-t f32 " + what

    def run(way):
        if what in CALLS:
            out = subprocess.run([sys.executable, "-c", CALL, FOLDER / way / "python", what], check=True, capture_output=True, text=True)
            seconds, digest = out.stdout.split()
            return float(seconds), digest
        return cpu_seconds([FOLDER / way / "gpuenv", "--threads", "1", *options.split(), samples]), None

    def digest(way):
        command = f"'{FOLDER / way}/gpuenv' {options} '{samples}' | md5sum"
        return run(way)[1] if what in CALLS else subprocess.check_output(command, shell=True)

    right = digest("all")
    for way in ways:
        assert digest(way) == right, f"not the same without {way}: {what}"
    for _ in range(rounds):
        for way in ways:
            base = run("all")[0]
            pairs[way].append(run(way)[0] / base)
    return {way: sorted(ratios) for way, ratios in pairs.items()}


def samples_file():
    file = tempfile.NamedTemporaryFile(dir="/dev/shm")
    random.seed(1)
    part = array.array("f", (random.gauss(0, 1) for _ in range(3 << 18))).tobytes()
    for _ in range(170):
        file.write(part)
    file.flush()
    return file


if not (FOLDER / "all").exists():
    build_all()
samples = samples_file()
print("| way | without it it takes | of |\n|---|---|---|")
for what, ways in (COMMANDS | CALLS).items():
    for way, ratios in gains(ways, what, ROUNDS, samples.name).items():
        middle = ratios[len(ratios) // 2]
        print(f"| {way} | {middle:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f}) | `{what}` |", flush=True)
