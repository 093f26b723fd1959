#!/usr/bin/python3
"""Samples of 64 bits against numpy, scipy and pandas: wide.py PROGRAM CASES

Every case is a random stream with random options. It is worked out from the definitions, one output
frame at a time, with Python's integers where samples are integers; where a peer defines the same,
also by that. Then the program does the same work in another way, and must write the same bytes."""

import os
import random
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, needed_modules

with needed_modules():
    import numpy
    import pandas
    import scipy.ndimage

EMITS = ["min", "max", "abs", "range", "mid"]
NAN_BITS = 0x7FF8000000000000
FLOATS = ["f64", "f64be", "s32", "s32be", "u32", "cf64", "cf64be"]
INTEGERS = ["s64", "s64be", "u64", "u64be"]


def make_floats(rng, n):
    """Doubles that float32 would confuse, or that filters trip over."""
    shape = rng.integers(6)
    if shape == 0:
        made = rng.standard_normal(n)
    elif shape == 1:
        made = 123456789 + rng.integers(0, 1000, n) / 8
    elif shape == 2:
        made = rng.choice([0.0, -0.0, 5e-324, -5e-324, 1e-310, 1.0, -1.0, numpy.inf, -numpy.inf, 1e300], n)
    elif shape == 3:
        made = 1 + rng.integers(-3, 4, n) * 2.0**-52
    elif shape == 4:
        made = numpy.arange(n) * (-1.0) ** rng.integers(2) / 3
    else:
        made = numpy.full(n, rng.choice([-0.0, 0.0, 1 / 3]))
    if rng.random() < 0.5:
        where = rng.random(n) < rng.choice([0.01, 0.3, 1.0])
        kinds = numpy.array([0x7FF8000000000000, 0xFFF8000000000000, 0x7FF0000000000001, 2**64 - 1], "u8")
        made.view("u8")[where] = rng.choice(kinds, int(where.sum()))
    return made


def make_integers(rng, n, dtype):
    info = numpy.iinfo(dtype)
    least, most = int(info.min), int(info.max)
    near = [least, least + 1, most, most - 1, 0, 1, 2**31 % most, 2**53 % most, (2**53 + 1) % most]
    if rng.random() < 0.5:
        return rng.integers(least, most, n, dtype, endpoint=True)
    return numpy.array([near[i] for i in rng.integers(0, len(near), n)], dtype)


class Stream:
    """Raw samples of a type; `numbers` are what they stand for, as floats or as Python's integers
    in units of `unit`."""

    def __init__(self, rng, kind, counts, n, channels):
        order = ">" if kind.endswith("be") else "<"
        name = kind.replace("be", "")
        self.kind, self.counts, self.unit = kind, counts, None
        total = n * channels
        if name == "f64":
            samples = make_floats(rng, total)
            self.raw = samples.view("u8").astype(order + "u8").tobytes()
            self.numbers = samples
        elif name == "cf64":
            samples = rng.integers(-2**20, 2**20, total) * rng.choice([1.0, 2.0**600, 2.0**-600], total)
            pairs = numpy.stack([3 * samples, 4 * samples], 1)
            self.raw = pairs.astype(order + "f8").tobytes()
            self.numbers = 5 * abs(samples)
        else:
            dtype = numpy.dtype({"s": "i", "u": "u"}[name[0]] + str(int(name[1:]) // 8))
            samples = make_integers(rng, total, dtype)
            self.raw = samples.astype(dtype.newbyteorder(order)).tobytes()
            half = 2 ** (int(name[1:]) - 1)
            middle = half if name[0] == "u" and not counts else 0
            if name[1:] == "32":
                self.numbers = (samples.astype("f8") - middle) / (1 if counts else half)
            else:
                self.unit = 1 if counts else 2.0**-63
                self.numbers = numpy.array([int(sample) - middle for sample in samples], object)
        self.numbers = self.numbers.reshape(n, channels)
        self.words = ["-t", kind] + ["--counts"] * counts + (["-c", channels] if channels != 1 else [])


def keys_of(numbers):
    """Integers in the order of the numbers, -0 below +0; NaN are to be looked at before."""
    if numbers.dtype == object:
        return numbers
    bits = numpy.ascontiguousarray(numbers).view("i8")
    return numpy.where(bits >= 0, bits, bits ^ (2**63 - 1))


def extremes(numbers, nan):
    """The least and the greatest number of a window of one channel; None: NaN."""
    if numbers.dtype != object:
        missing = numpy.isnan(numbers)
        if missing.any() and (nan == "propagate" or missing.all()):
            return None
        numbers = numbers[~missing]
    keys = keys_of(numbers)
    return numbers[keys.argmin()], numbers[keys.argmax()]


def result(emit, pair, unit):
    """A float64, rounded once, of exact numbers: integers, or doubles."""
    low, high = pair
    if unit is not None:
        exact = {"min": low, "max": high, "abs": max(-low, high), "range": high - low, "mid": low + high}[emit]
        return float(exact) * unit / (2 if emit == "mid" else 1)
    with numpy.errstate(all="ignore"):
        if emit == "mid":
            middle = (low + high) * 0.5
            return middle if numpy.isfinite(middle) or numpy.isinf([low, high]).any() else low * 0.5 + high * 0.5
        return {"min": low, "max": high, "abs": max(abs(low), abs(high)), "range": high - low}[emit]


def windows(n, width, align, edge, hop):
    """For each output frame: from, to (exclusive), and whether it is cut."""
    for k in range(0, n, hop):
        start = {"valid": k, "forward": k, "causal": k - width + 1, "center": k - width // 2}[align]
        end = start + width
        if align == "valid" and end > n:
            return
        yield max(start, 0), min(end, n), edge == "nan" and (start < 0 or end > n)


def due(stream, width, align, edge, hop, emits, nan):
    """Rows of pairs, one a channel; None: NaN."""
    n, channels = stream.numbers.shape
    return [[None if cut else extremes(stream.numbers[start:end, c], nan) for c in range(channels)]
            for start, end, cut in windows(n, width, align, edge, hop)]


def as_doubles(rows, emits, unit):
    flat = [numpy.nan if pair is None else result(emit, pair, unit)
            for row in rows for pair in row for emit in emits]
    made = numpy.array(flat, "f8")
    made.view("u8")[numpy.isnan(made)] = NAN_BITS
    return made


def against_peers(stream, width, align, edge, got):
    """Streams without NaN, all values, no hop: scipy and pandas."""
    numbers = stream.numbers[:, 0]
    got = got.reshape(-1, 2)
    if align == "center" and edge == "shrink":
        check(numpy.array_equal(got[:, 0], scipy.ndimage.minimum_filter1d(numbers, width, mode="nearest")), "scipy")
        check(numpy.array_equal(got[:, 1], scipy.ndimage.maximum_filter1d(numbers, width, mode="nearest")), "scipy")
    if align == "causal" and edge == "nan":
        rolling = pandas.Series(numbers).rolling(width)
        check(numpy.array_equal(got[:, 0], rolling.min(), equal_nan=True), "pandas")
        check(numpy.array_equal(got[:, 1], rolling.max(), equal_nan=True), "pandas")


def another_way(rng, words, raw, out):
    """The same bytes from other kernels, threads, chunks, cuts and parts."""
    way = int(rng.integers(6))
    some = [["--isa", rng.choice(["scalar", "sse4", "avx2"])], ["--threads", int(rng.integers(1, 5))],
            ["--chunk", int(rng.integers(1, 60))], ["--algorithm", "lemire"], [], []][way]
    if way == 5:
        with open("input", "wb") as file:
            file.write(raw)
        parts = [gpuenv(*words, "--shard", f"{i}/3", "input").out for i in (1, 2, 3)]
        check(b"".join(parts) == out, words, "in parts")
        return
    done = gpuenv(*words, *some, data=raw)
    check(done.out == out, words, *some)


def check_case(seed):
    rng = numpy.random.default_rng(seed)
    kind = str(rng.choice(FLOATS + INTEGERS))
    counts = bool(rng.random() < 0.5) and kind[0] in "su"
    n, channels = int(rng.choice([0, 1, 2, 5, 40, 200])), int(rng.choice([1, 1, 1, 2, 3]))
    stream = Stream(rng, kind, counts, n, channels)
    width = int(rng.choice([1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 64, 150]))
    align = str(rng.choice(["valid", "causal", "center", "forward"]))
    edge, hop = str(rng.choice(["shrink", "shrink", "nan"])), int(rng.choice([1, 1, 1, 2, 5, 64]))
    nan = str(rng.choice(["propagate", "omit"]))
    emits = ["min", "max"] if rng.random() < 0.5 else [str(e) for e in rng.permutation(EMITS)[:rng.integers(1, 6)]]
    words = ["-q", "-w", width, *stream.words, "--align", align, "--edge", edge, "--hop", hop, "--nan", nan,
             "--emit", ",".join(emits)]
    rows = due(stream, width, align, edge, hop, emits, nan)
    doubles = as_doubles(rows, emits, stream.unit)

    done = gpuenv(*words, "-T", "f64", data=stream.raw)
    check(done.status == 0 and done.out == doubles.tobytes(), seed, words, "-T f64", done.status, done.said)
    another_way(rng, [*words, "-T", "f64"], stream.raw, done.out)
    if stream.unit is None and emits == ["min", "max"] and hop == 1 and channels == 1 and n > 0 \
            and not numpy.isnan(stream.numbers).any():
        against_peers(stream, width, align, edge, numpy.frombuffer(done.out, "f8"))
    if stream.unit is not None and edge == "shrink":
        check_integers(rng, seed, stream, words, rows, emits)
    # Rounded first or last: the same bytes.
    with numpy.errstate(all="ignore"):
        narrow = doubles.astype("f4")
    if set(emits) <= {"min", "max", "abs"}:
        done = gpuenv(*words, "-T", "f32", data=stream.raw)
        narrow.view("u4")[numpy.isnan(narrow)] = 0x7FC00000
        check(done.out == narrow.tobytes(), seed, words, "-T f32")


def check_integers(rng, seed, stream, words, rows, emits):
    """Minima and maxima are whole as integers, and as digits if they are counts."""
    name = stream.kind.replace("be", "")
    low, high = (-2**63, 2**63 - 1) if name == "s64" else (0, 2**64 - 1)
    raised = 2**63 if name == "u64" and not stream.counts else 0
    half = 1 if stream.counts else 2**63

    def integer(emit, pair):
        if emit in ("min", "max"):
            return pair[emit == "max"] + raised
        return min(max(round(result(emit, pair, stream.unit) * half) + raised, low), high)

    flat = [integer(emit, pair) for row in rows for pair in row for emit in emits]
    done = gpuenv(*words, "-T", name, data=stream.raw)
    made = numpy.array(flat, {"s64": "i8", "u64": "u8"}[name])
    check(done.out == made.tobytes(), seed, words, "-T", name)
    another_way(rng, [*words, "-T", name], stream.raw, done.out)
    if stream.counts:
        done = gpuenv(*words, "-T", "csv", data=stream.raw)
        got = [field for line in done.out.decode().splitlines()[1:] for field in line.split(",")[1:]]
        want = [integer(emit, pair) if emit in ("min", "max") else result(emit, pair, 1)
                for row in rows for pair in row for emit in emits]
        check(len(got) == len(want) and all(int(g) == w if isinstance(w, int) else float(g) == w
                                            for g, w in zip(got, want)), seed, words, "-T csv")


def check_words():
    """Lost digits are told once, where they are lost."""
    raw = numpy.arange(100, dtype="f8").tobytes()
    for words, told in (["-t", "f64"], True), (["-t", "s32"], True), (["-t", "f64", "-T", "f32"], False), \
            (["-t", "f64", "-q"], False), (["-t", "f64", "-T", "f64"], False), (["-t", "f64", "-T", "csv"], False), \
            (["-t", "f32"], False), (["-t", "s24"], False), (["-t", "f64", "--emit", "none", "--stats", "-"], False):
        done = gpuenv("-w", 1, *words, data=raw[:792])
        check(done.status == 0 and ("-T f64" in done.said) == told and done.said.count("\n") == told, words, done.said)
    done = gpuenv("-t", "txt", "-w", 1, data=b"123456789.25\n")
    check(done.said == "" and numpy.frombuffer(done.out, "f4")[0] == numpy.float32(123456789.25), "text", done)
    for text in "123456789.25", "1700000060", "0.00001", "-0.1", "1e+300", "5e-324", "0.30000000000000004":
        done = gpuenv("-t", "txt", "-w", 1, "--emit", "min", "-T", "csv", data=text.encode())
        check(done.out.decode() == f"frame,min\n0,{text}\n", text, done.out)


work = tempfile.TemporaryDirectory()
os.chdir(work.name)
check_words()
first = random.randrange(2**32)
print("seeds from", first)
for number in range(int(sys.argv[2])):
    check_case(number if number < 100 else first + number)
finish()
