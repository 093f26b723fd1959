#!/usr/bin/python3
"""Holds --stats against numpy and math.fsum: stats.py PROGRAM [OPTION...]

The extremes and their places are numpy's, exactly, for samples of every kind; the sums are those of
the summation tree that the manual describes, to the bit, and math.fsum's to 1e-12. Then the same
text must come out however the work is done and the input is cut."""

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import harness
from harness import PROGRAM, cut, feed, finish, needed_modules

with needed_modules():
    import numpy
    from records import NAMES, due, same_number

# Options of every run: --device=cuda. An emulated device takes a hundred times as long, and what only the cores differ by
# does not matter to it: fewer sizes and ways. tests/emu/test_stats_emu.c has all sizes.
ALWAYS = sys.argv[2:]
ISAS = ["scalar", "sse4", "avx2", "avx512", "neon"]


def complain(*words):
    harness.check(False, *words)


def run(data, *options):
    """The text, from a file."""
    with tempfile.NamedTemporaryFile(suffix=".f32") as file:
        file.write(data)
        file.flush()
        return subprocess.run([PROGRAM, "--emit", "none", "--stats", "-", *ALWAYS, *options,
                               file.name], stdout=subprocess.PIPE, check=True).stdout


def run_pipe(data, sizes, *options):
    """The text, from a pipe that is written to in pieces."""
    process = subprocess.Popen([PROGRAM, "--emit", "none", "--stats", "-", *ALWAYS, *options],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    feeder = feed(os.dup(process.stdin.fileno()), cut(data, itertools.cycle(sizes)))
    process.stdin.close()
    text = process.stdout.read()
    feeder.join()
    if process.wait() != 0:
        complain("exit status", process.returncode)
    return text


def check(what, text, samples, channels, every, skip=0, unit=1, ends=(-1, 1)):
    """`samples` are those that were worked on, the unit is that of integers, the ends are full scale
    (None: not known)."""
    harness.check(text, what, "no records")
    frames = samples.reshape(-1, channels)
    lines = text.decode().splitlines()
    wanted = []
    for first in range(0, max(len(frames), 1), every):
        for channel in range(channels):
            block = numpy.ascontiguousarray(frames[first:first + every, channel])
            wanted.append((due(block, skip + first, channel, unit, ends), block))
    if len(lines) != len(wanted):
        complain(what, len(lines), "records,", len(wanted), "are due")
        return
    for line, (record, block) in zip(lines, wanted):
        got = json.loads(line)
        if list(got) != NAMES:
            complain(what, "names", list(got))
            return
        for name in NAMES:
            if not same_number(got[name], record[name]):
                complain(what, name, got[name], "is not", record[name], line)
                return
        doubles = block[~numpy.isnan(block)].astype(numpy.float64) * unit
        if not numpy.isfinite(doubles).all():
            continue
        exact = math.fsum(doubles)
        scale = math.fsum(numpy.abs(doubles))
        if abs(got["sum"] - exact) > 1e-12 * scale:
            complain(what, "sum", got["sum"], "but math.fsum", exact)
        squares = math.fsum(doubles * doubles)
        if len(doubles) > 0 and abs(got["rms"] - math.sqrt(squares / len(doubles))) > 1e-12 * got["rms"]:
            complain(what, "rms", got["rms"])


def shapes(rng, n, dtype=numpy.float32):
    i = numpy.arange(n)
    with_nan = rng.standard_normal(n)
    with_nan[rng.random(n) < 0.1] = numpy.nan
    infinite = rng.standard_normal(n)
    infinite[rng.random(n) < 0.01] = numpy.inf
    both = infinite.copy()
    both[rng.random(n) < 0.01] = -numpy.inf
    least, most = (1e-45, 3.4e38) if dtype == numpy.float32 else (5e-324, 1e150)
    odd = rng.choice([0.0, -0.0, least, -least, 1e-38, 1.0, -1.0, most, -most, numpy.nan], n)
    made = {
        "noise": rng.standard_normal(n),
        "unit": rng.random(n),
        "up": i / 7,
        "down": -i / 7,
        "flat": numpy.full(n, -2.5),
        "zeros": rng.choice([0.0, -0.0], n),
        "minus zeros": numpy.full(n, -0.0),
        "all nan": numpy.full(n, numpy.nan),
        "steps": rng.integers(-3, 4, n),
        "nan": with_nan,
        "infinite": infinite,
        "both infinities": both,
        "odd": odd,
    }
    return {name: values.astype(dtype) for name, values in made.items()}


def check_shapes(rng):
    for n in [0, 33, 4096, 4097, 3 * 4096 * 5 + 77] + [1, 2, 31, 32, 4095, 8192, 20000] * (not ALWAYS):
        for name, samples in shapes(rng, n).items():
            check(f"{name} {n}", run(samples.tobytes()), samples, 1, 1 << 62)


def check_blocks(rng):
    """Every size of block around the borders of chunks and leaves, also longer than the stream."""
    samples = shapes(rng, 10000)["odd"]
    for chunk in [64, 4096] + [1, 7, 1000] * (not ALWAYS):
        for every in {chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 333, 4095, 4096, 4097, 9999, 10000,
                      10001, 1 << 40} - {0}:
            if every < 16 and chunk < 64:
                part = samples[:500]
            else:
                part = samples
            text = run(part.tobytes(), "--chunk", str(chunk), "--stats-every", str(every))
            check(f"chunk {chunk} every {every}", text, part, 1, every)


def check_channels(rng):
    for channels in [1, 3, 17, 257] + [2, 4, 5, 8, 255, 256, 300] * (not ALWAYS):
        samples = shapes(rng, 6000 * min(channels, 17) // channels * channels)["nan"]
        options = ["-c", str(channels), "--stats-every", "1000"]
        check(f"{channels} channels", run(samples.tobytes(), *options), samples, channels, 1000)
        text = run(samples.tobytes(), *options, "--skip", "33", "--frames", "2000")
        part = samples[33 * channels:2033 * channels]
        check(f"{channels} channels, a part", text, part, channels, 1000, 33)
        counts = rng.integers(-32768, 32768, 300 * channels).astype("<i2")
        text = run(counts.tobytes(), "-t", "s16", "-c", str(channels))
        check(f"s16 {channels}", text, (counts / 32768).astype(numpy.float32), channels, 1 << 62,
              ends=(-1, 32767 / 32768))


def integers(rng, n, dtype):
    """Shapes of integers: all bits, ends, ties, and neighbours that are the same float64."""
    least, most = int(numpy.iinfo(dtype).min), int(numpy.iinfo(dtype).max)
    made = {
        "noise": rng.integers(least, most, n, dtype, endpoint=True),
        "ends": rng.choice(numpy.array([least, least + 1, most - 1, most], dtype), n),
        "lowest": numpy.full(n, least, dtype),
        "highest": numpy.full(n, most, dtype),
        "up": numpy.arange(n).astype(dtype) + dtype(most - n - 5),
        "down": dtype(least + n + 5) - numpy.arange(n).astype(dtype),
    }
    return {name: values.astype(dtype) for name, values in made.items()}


def wide_cases(rng, n):
    """Samples of more than 24 bits: a name, options, raw samples, those worked on, their unit, and full
    scale."""
    for name, values in shapes(rng, n, numpy.float64).items():
        yield f"f64 {name}", ["-t", "f64"], values, values, 1, (-1, 1)
        yield f"f64be {name}", ["-t", "f64be"], values.astype(">f8"), values, 1, (-1, 1)
    for dtype, name, scale in ((numpy.int32, "s32", 2.0 ** -31), (numpy.uint32, "u32", 2.0 ** -31),
                               (numpy.int64, "s64", 2.0 ** -63), (numpy.uint64, "u64", 2.0 ** -63)):
        if "--device=cuda" in ALWAYS and name in ("s64", "u64"):
            continue  # only the cores work on them
        for shape, values in integers(rng, n, dtype).items():
            what, options = f"{name} {shape}", ["-t", name]
            if name in ("s32", "u32"):
                middle = 0 if name == "s32" else 2.0 ** 31
                yield what, options, values, (values - middle) * scale, 1, (-1, 1 - scale)
                yield f"{what} counts", [*options, "--counts"], values, values.astype(numpy.float64), 1, None
            else:
                keys_of = values if name == "s64" else (values ^ dtype(1 << 63)).view(numpy.int64)
                yield what, options, values, keys_of, scale, (-2 ** 63, 2 ** 63 - 1)
                yield f"{what} counts", [*options, "--counts"], values, values, 1, None
    # Magnitudes that are exact, and so are their squares: 5 times whole numbers.
    sizes = rng.integers(-2 ** 23, 2 ** 23, n) * rng.choice([1.0, 0.5, 2.0 ** -60], n)
    values = sizes * (3 + 4j)
    values[rng.random(n) < 0.1] = complex(numpy.nan, 1)
    yield "cf64", ["-t", "cf64"], values, numpy.where(numpy.isnan(values), numpy.nan, abs(sizes * 5)), 1, None


def isas():
    """The instruction sets that this machine and this build have."""
    return [isa for isa in ISAS
            if subprocess.run([PROGRAM, "-w", "1", "--isa", isa], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0]


def check_wide(rng):
    """Samples of more than 24 bits keep them."""
    for n in [33, 4097] + [1, 10000] * (not ALWAYS):
        for name, options, raw, samples, unit, ends in wide_cases(rng, n):
            check(f"{name} {n}", run(raw.tobytes(), *options), samples, 1, 1 << 62, unit=unit, ends=ends)
    for channels in [3] + [2, 300] * (not ALWAYS):
        for name, options, raw, samples, unit, ends in wide_cases(rng, 50 * 300):
            text = run(raw.tobytes(), *options, "-c", str(channels), "--stats-every", "1000")
            check(f"{name} {channels} channels", text, samples, channels, 1000, unit=unit, ends=ends)


def check_wide_ways(rng):
    """The same text however the work is done, and beside an envelope of float32."""
    ways = itertools.cycle(["--isa", isa, "--threads", str(threads), "--chunk", str(chunk)]
                           for isa in isas() for threads in (1, 2) for chunk in (1023, 4096, 77777))
    settings = ((2, 4096),) if ALWAYS else ((1, 1 << 40), (2, 4096), (5, 1237))
    for name, options, raw, samples, unit, ends in wide_cases(rng, 30000 if ALWAYS else 100000):
        data = raw.tobytes()
        for channels, every in settings:
            some = [*options, "-c", str(channels), "--stats-every", str(every)]
            right = run(data, *some)
            check(f"{name} {channels} channels every {every}", right, samples, channels, every, unit=unit, ends=ends)
            for way in itertools.islice(ways, 1 if ALWAYS else 2):
                harness.check(run(data, *some, *way) == right, "another text from", *some, *way)
        harness.check(run_pipe(data, [1000003, 13], *some) == right, "another text from pieces", *some)
        parts = [run(data, *some, "--shard", f"{part}/3") for part in (1, 2, 3)]
        harness.check(b"".join(parts) == right, "another text from shards", *some)
        text = subprocess.run([PROGRAM, "-w", "100", "-q", *ALWAYS, *some, "-T", "f32", "--stats",
                               "/dev/stderr"], input=data, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=True).stderr
        harness.check(text == right, "another text beside an envelope", *some)


def check_ways(rng):
    """The same text from every instruction set, number of threads, chunk and cut."""
    sets = isas()[-1:] if ALWAYS else isas()
    print("instruction sets:", *sets)
    for channels in [1, 2, 5]:
        samples = shapes(rng, 150000)["nan"]
        data = samples.tobytes()
        for every in ["1000000", "4096", "12345"]:
            options = ["-c", str(channels), "--stats-every", every]
            right = run(data, *options)
            check(f"{channels} channels every {every}", right, samples, channels, int(every))
            for isa in sets:
                for threads in ["2"] + ["1"] * (not ALWAYS):
                    chunk = str(random.choice([1023, 4096, 5001, 77777]))
                    way = ["--isa", isa, "--threads", threads, "--chunk", chunk]
                    if run(data, *options, *way) != right:
                        complain("another text from", *options, *way)
            for sizes in [[1000003], [65536, 1], [4097, 13], [16384]]:
                if run_pipe(data, sizes, *options) != right:
                    complain("another text from pieces of", sizes)
            # Beside an envelope, whatever computes it.
            for way in [[], ["--algorithm", "lemire"], ["--hop", "100", "--align", "center"]]:
                text = subprocess.run([PROGRAM, "-w", "100", "-q", *ALWAYS, *options, *way,
                                       "--stats", "/dev/stderr"], input=data, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, check=True).stderr
                if text != right:
                    complain("another text beside an envelope", *options, *way)


def check_tsv(rng):
    """A header, and the numbers of the JSON lines."""
    for name, samples in shapes(rng, 5000).items():
        data = samples.tobytes()
        records = [json.loads(line) for line in run(data, "--stats-every", "999").splitlines()]
        text = run(data, "--stats-every", "999", "--stats-format", "tsv").decode()
        rows = [line.split("\t") for line in text.splitlines()]
        if rows[0] != NAMES or len(rows) != len(records) + 1:
            complain("tsv", name, rows[0])
            continue
        for row, record in zip(rows[1:], records):
            for value, wanted in zip(row, record.values()):
                if not (float(value) == wanted or (value == "nan" and wanted is None)):
                    complain("tsv", name, value, wanted)


rng = numpy.random.default_rng(7)
random.seed(7)
check_shapes(rng)
check_blocks(rng)
check_channels(rng)
check_ways(rng)
check_wide(rng)
check_wide_ways(rng)
check_tsv(rng)
finish()
