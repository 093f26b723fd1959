#!/usr/bin/python3
"""Samples of more than float32 holds, in every form: wide.py PROGRAM CASES [SEED]

They come as raw samples, arrays, tables and sound files, and go to every type that holds more than float32, and to
those that do not. wide_reference.py works out what is due, and the program does the same work in several ways.
More than 100 cases: also files of other programs, batches and long streams. SEED repeats one case."""

import itertools
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from fractions import Fraction

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, Run, argument, check, cut, feed, finish, gpuenv, need, needed_modules, tool, wav

with needed_modules():
    import numpy as np
    import pandas
    import scipy.ndimage
    from wide_reference import (LEAST, MOST, Samples, array_source, bounds, doubles_of, integers_as, raw_source, reals,
                                sound_source, table_source)

EMITS = ["min", "max", "abs", "range", "mid"]
ALIGNS = ["valid", "causal", "center", "forward"]
ISAS = ["scalar", "sse4", "avx2", "avx512"]
WIDE = {"f64", "s32", "u32", "s64", "u64", "csv", "tsv", "txt", "npy"}
SINKS = ["f64", "f64", "f64be", "s32", "u32be", "s64", "s64", "u64", "u64be", "csv", "csv", "tsv", "txt", "npy", "npy",
         "npy:f64", "npy:s64", "npy:u64", "npy:s32", "wav:f64", "wav:s32", "au:f64", "w64:f64", "rf64:f64", "caf:f64",
         "aiff:f64", "caf:s32", "", "f32", "s16", "s24", "u8", "f16", "wav", "npy:f32", "npy:s16"]
WAYS = ([["--isa", isa] for isa in ISAS] + [["--threads", n] for n in (1, 2, 3, 4)] + [["--algorithm", "lemire"]]
        + [["--chunk", n] for n in (1, 3, 17, 64, 400)])


# ---- forms of output


def integer_bytes(values, name, big, scaled):
    """Exact numbers as integers of a type, and how many of them were clipped or NaN."""
    bits, signed = int(name[1:]), name[0] == "s"
    half = 2 ** (bits - 1)
    least, most = (-half, half - 1) if signed else (0, 2 * half - 1)
    scale, shift = (half, 0 if signed else half) if scaled else (1, 0)
    made, clipped = [], 0
    for value in values:
        if isinstance(value, float) and not math.isfinite(value):
            whole = shift if math.isnan(value) else value * math.inf
            clipped += math.isnan(value)
        else:
            whole = round(Fraction(value) * scale) + shift
        clipped += not least <= whole <= most
        made.append(min(max(whole, least), most).to_bytes(bits // 8, "big" if big else "little", signed=signed))
    return b"".join(made), clipped


def float_bytes(values, bits, big=False):
    with np.errstate(all="ignore"):
        made = np.array(values, "f8").astype(f"f{bits // 8}")
    codes = made.view(f"u{bits // 8}")
    codes[np.isnan(made)] = {16: 0x7E00, 32: 0x7FC00000, 64: 0x7FF8 << 48}[bits]
    return (codes.byteswap() if big else codes).tobytes()


def right_digits(text, value, kind):
    """Is this how a number is written: the fewest digits, and where is an exponent?"""
    if isinstance(value, int) or not math.isfinite(value):
        return text == str(value)
    shortest = np.format_float_scientific(np.float32(value), unique=True, trim="-") if kind == "f32" else repr(value)
    plain = value == 0 or 1e-5 <= abs(value) <= 1e15
    return (Decimal(text) == Decimal(shortest) and text.startswith("-") == (math.copysign(1, value) < 0)
            and not (plain and "e" in text))


def difference(got, want):
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want))) // 8 * 8
    return f"{len(got)} bytes, {len(want)} due; at {at}: {got[at:at + 8].hex()}, not {want[at:at + 8].hex()}"


class Result:
    """What must come out of some samples. `stop`: the first NaN of --nan error."""

    def __init__(self, source, samples, width, align, edge, hop, emits, nan, first):
        self.source, self.samples, self.emits = source, samples, emits
        self.edge, self.hop, self.first = edge, hop, first
        self.low, self.high, self.undefined, self.stop = bounds(samples, width, align, edge, hop, nan)
        self.columns = self.low.shape[1] * len(emits)

    def values(self, whole):
        """In order: floats, or with `whole` exact numbers where integers of 64 bits stay so."""
        samples, columns = self.samples, []
        whole = whole and samples.kind == "i64" and self.edge != "nan"
        for channel, emit in itertools.product(range(self.low.shape[1]), self.emits):
            if whole and emit in ("min", "max"):
                keys = map(int, (self.high if emit == "max" else self.low)[:, channel])
                columns.append([key + samples.lift if samples.unit == 1 else Fraction(key, 2**63) for key in keys])
            else:
                columns.append(reals(samples, self.low, self.high, self.undefined, emit)[:, channel].tolist())
        return [value for row in zip(*columns) for value in row]

    def fault(self, sink, got):
        """What is wrong with an output, or nothing, and how many values are clipped."""
        form, _, name = sink.partition(":")
        if form in ("csv", "tsv", "txt"):
            return self.table_fault(form, got), 0
        if sink == "npy":
            return self.array_fault(got), 0
        big = form.endswith("be") or form in ("au", "aiff", "caf")
        name = name or ("f32" if form in ("", "wav") else form.removesuffix("be"))
        if name[0] == "f":
            want, clipped = float_bytes(self.values(False), int(name[1:]), big), 0
        else:
            scaled = self.source.scaled and form != "npy"
            # An array that is not scaled back is made from floats.
            values = self.values(form != "npy" or self.samples.unit == 1)
            want, clipped = integer_bytes(values, name, big, scaled)
        if form == sink != "wav":
            return got != want and difference(got, want), clipped
        # The samples are the end of a container, but for bytes that make it even.
        ends = any(got[:len(got) - more].endswith(want) for more in range(8))
        return (not ends or len(got) - len(want) > 5000) and difference(got[-len(want):], want), clipped

    def table_fault(self, form, got):
        mark = {"csv": ",", "tsv": "\t", "txt": " "}[form]
        head, *rows = (line.split(mark) for line in got.decode().splitlines())
        skip = 2 if head[1] == "time" else 1
        flat = self.values(self.samples.unit == 1)
        if len(rows) * self.columns != len(flat) or any(len(row) != skip + self.columns for row in rows):
            return f"{len(rows)} rows, {len(flat)} values due"
        for k, row in enumerate(rows):
            if row[0] != str(self.first + k * self.hop):
                return f"frame {row[0]} of row {k}"
            for text, value in zip(row[skip:], flat[k * self.columns:]):
                if not right_digits(text, value, self.samples.kind):
                    return f"frame {row[0]}: {text}, not {value!r}"
        return ""

    def array_fault(self, got):
        """-T npy keeps a type that was read, for minimum and maximum."""
        source, samples = self.source, self.samples
        dtype = np.dtype("f4" if samples.kind == "f32" else "f8")
        if set(self.emits) <= {"min", "max"}:
            kept = source.dtype
            if kept is not None and kept.kind != "c" and (self.edge != "nan" or kept.kind == "f"):
                dtype = kept
            elif samples.kind == "i64" and samples.unit == 1 and self.edge != "nan":
                dtype = np.dtype("u8" if samples.lift else "i8")
        flat = self.values(dtype.kind != "f")
        if dtype.kind == "f":
            want = np.frombuffer(float_bytes(flat, 8 * dtype.itemsize), dtype)
        else:
            want = np.array([int(value) for value in flat], dtype)
        want = want if source.flat and self.columns == 1 else want.reshape(len(self.low), self.columns)
        pathlib.Path("got.npy").write_bytes(got)
        array = np.load("got.npy")
        if array.dtype != want.dtype or array.shape != want.shape or not array.dtype.isnative:
            return f"{array.dtype.str} {array.shape}, not {want.dtype.str} {want.shape}"
        return array.tobytes() != want.tobytes() and difference(array.tobytes(), want.tobytes())


# ---- cases


def slowly(words, data, draw):
    """A run whose input comes in small pieces."""
    words = [PROGRAM, *map(str, words)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    most = max(draw.choice([3, 17, 1021]), len(data) // 60)
    feeder = feed(os.dup(child.stdin.fileno()), cut(data, (draw.randint(1, most) for _ in itertools.count())))
    child.stdin.close()
    out, errors = child.stdout.read(), child.stderr.read()
    feeder.join()
    return Run(words, child.wait(), out, errors)


def anything(seed):
    """What is wrong in a case of which everything is drawn."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    n, channels = draw.choice([0, 1, 2, 5, 40, 200, 900]), draw.choice([1, 1, 1, 2, 3, 8, 17])
    form = draw.choice([raw_source, raw_source, array_source, table_source, sound_source])
    source = form(draw, rng, max(n, int(form is table_source)), channels)
    width = draw.choice([1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 64, 150, 1000, draw.randint(1, 300)])
    align, edge = draw.choice(ALIGNS), draw.choice(["shrink", "shrink", "nan"])
    edge = "shrink" if align == "valid" else edge
    hop, nan = draw.choice([1, 1, 1, 2, 5, 64, width]), draw.choice(["propagate", "propagate", "omit", "error"])
    emits = ["min", "max"] if draw.random() < 0.4 else draw.sample(EMITS, draw.randint(1, 5))
    first, samples, words = 0, source.samples, [*source.words]
    if draw.random() < 0.15 and n > 2:
        first, count = draw.randint(0, n), draw.randint(1, n)
        words += ["--skip", first, "--frames", count]
        samples = samples.part(first, count)
    sink = draw.choice(SINKS)
    if nan == "error" and samples.missing().any() and (":" in sink or sink in ("wav", "npy")):
        sink = "f64"  # a file that fails is not there
    container = ":" in sink or sink in ("wav", "npy")
    if sink.rpartition(":")[2].removesuffix("be") not in WIDE:
        samples = samples.narrow()
    words += ["-w", width, "--align", align, "--edge", edge, "--hop", hop, "--emit", ",".join(emits), "--nan", nan]
    words += (["-T", sink] if sink else []) + ["-r", 8000] * (container and form is not sound_source)
    quiet = draw.random() < 0.2
    words += ["-q"] * quiet
    result = Result(source, samples, width, align, edge, hop, emits, nan, first)
    pathlib.Path(source.name).write_bytes(source.data)
    wrong, out = [], pathlib.Path("out")

    def look(*way, how="stdout"):
        out.unlink(missing_ok=True)
        if how == "pipe":
            done = slowly([*words, *way], source.data, draw)
        else:
            done = gpuenv(*words, *way, *(["-o", out] if how == "file" else []), source.name)
        got = out.read_bytes() if how == "file" and out.exists() else done.out
        why, clipped = result.fault(sink, got) if done.status == (2 if result.stop else 0) else ("status", 0)
        if why:
            wrong.append(f"{why}\n    {done}")
        return done, clipped, got

    usual = "file" if container else "stdout"
    done, clipped, right = look(how=usual)
    if wrong:
        return wrong
    told = source.told and sink in ("", "wav") and not quiet
    if source.dtype is None and done.said.count("rounded to float32") != told:
        wrong.append(f"the loss of digits is {'not ' * told}told: {done}")
    counts = [line for line in done.lines if "clipped" in line or "written as zero" in line]
    if not quiet and sum(int(line.split(": ")[2].split()[0]) for line in counts) != clipped:
        wrong.append(f"{clipped} values are to be clipped: {done}")
    if result.stop and not f"NaN in frame {first + result.stop[0]}, channel {result.stop[1]}" in done.said:
        wrong.append(f"the first NaN is at {result.stop}: {done}")
    look(*draw.choice(WAYS), how=usual)
    look(*itertools.chain(*draw.sample(WAYS, 2)), how=usual if result.stop else "file")
    if not container:
        look(*draw.choice(WAYS), how="pipe")
    if not container and sink not in ("csv", "tsv", "txt") and not result.stop and form is not table_source:
        total = draw.randint(1, 4)
        parts = [gpuenv(*words, "--shard", f"{i + 1}/{total}", source.name) for i in range(total)]
        if b"".join(part.out for part in parts) != right:
            wrong.append(f"in {total} parts: {parts[0]}")
    return wrong + (statistics(source, draw) if nan != "error" and "--skip" not in words else [])


def statistics(source, draw):
    """--stats beside any output are those of the samples as they are."""
    way = draw.choice([[], ["-T", "f32"], ["-T", "f64"], ["--emit", "none"]]) + draw.choice(WAYS)
    done = gpuenv(*source.words, "-q", "-w", 3, *way, "--stats", "stats", source.name)
    samples = source.samples
    records = [json.loads(line) for line in pathlib.Path("stats").read_text().splitlines()] if done.status == 0 else []
    if len(records) != samples.values.shape[1]:
        return [f"{len(records)} records: {done}"]
    wrong = []
    for channel, record in enumerate(records):
        keys, missing = samples.keys()[:, channel], samples.missing()[:, channel]
        places = np.flatnonzero(~missing)
        if record["nan"] != missing.sum() or record["frames"] != len(keys):
            wrong.append(f"{record}: {done}")
        if len(places) == 0:
            there = [name for name in ("min", "max", "abs", "mean") if record[name] is not None]
            wrong += [f"{there} of nothing: {done}"] * bool(there)
            continue
        numbers = samples.values[places, channel].tolist()
        numbers = [number + samples.lift for number in numbers] if samples.kind == "i64" else numbers
        best = {"min": int(keys[places].argmin()), "max": int(keys[places].argmax()),
                "abs": max(range(len(numbers)), key=lambda i: (abs(numbers[i]), -i))}
        for name, at in best.items():
            want, got = numbers[at] * (samples.unit if samples.unit != 1 else 1), record[name]
            want = abs(want) if name == "abs" else want
            got = float(np.float32(got)) if samples.kind == "f32" else got
            if got != want or math.copysign(1, got) != math.copysign(1, want) or record["arg" + name] != places[at]:
                wrong.append(f"{name} {got!r} at {record['arg' + name]}, not {want!r} at {places[at]}: {done}")
        floats = [float(number) * samples.unit for number in numbers]
        if max(map(abs, floats)) < 1e290:
            exact, size = math.fsum(floats), math.fsum(map(abs, floats))
            if abs(record["sum"] - exact) > 1e-12 * size or record["mean"] != record["sum"] / len(floats):
                wrong.append(f"sum {record['sum']}, not {exact}: {done}")
        if all(1e-140 < abs(number) < 1e140 or number == 0 for number in floats):
            rms = math.sqrt(math.fsum(number * number for number in floats) / len(floats))
            if abs(record["rms"] - rms) > 1e-12 * rms:
                wrong.append(f"rms {record['rms']}, not {rms}: {done}")
    return wrong


# ---- tables


def peers():
    """What scipy, pandas and numpy say themselves."""
    rng = np.random.default_rng(2)
    values = 123456789 + rng.standard_normal(700)
    series = pandas.Series(values)
    for width in (1, 2, 9, 64, 333):
        windows = np.lib.stride_tricks.sliding_window_view(values, width)
        ahead = series.rolling(pandas.api.indexers.FixedForwardWindowIndexer(window_size=width), min_periods=width)
        behind = series.rolling(width)
        for align, edge, low, high in (
                ("valid", "shrink", windows.min(1), windows.max(1)), ("causal", "nan", behind.min(), behind.max()),
                ("forward", "nan", ahead.min(), ahead.max()),
                ("center", "shrink", scipy.ndimage.minimum_filter1d(values, width, mode="nearest"),
                 scipy.ndimage.maximum_filter1d(values, width, mode="reflect"))):
            words = ["-t", "f64", "-T", "f64", "-w", width, "--align", align, "--edge", edge]
            got = np.frombuffer(gpuenv(*words, data=values.tobytes()).out, "f8").reshape(-1, 2)
            check(np.array_equal(got, np.stack([low, high], 1), equal_nan=True), words)
    # scipy rounds integers beyond 2^53, numpy does not.
    for name in "i8", "u8":
        array = rng.integers(np.iinfo(name).max - 99, np.iinfo(name).max, (500, 2), name, endpoint=True)
        np.save("x.npy", array)
        windows = np.lib.stride_tricks.sliding_window_view(array, 20, axis=0)
        gpuenv("-w", 20, "-o", "got.npy", "x.npy")
        due = np.stack([windows.min(2), windows.max(2)], 2).reshape(-1, 4)
        check(np.array_equal(np.load("got.npy"), due), name)


def magnitudes():
    """Complex numbers: hypot but for two units of the last place, and infinite where a part is."""
    rng = np.random.default_rng(1)
    pairs = rng.standard_normal((3000, 2)) * 2.0 ** rng.integers(-1070, 1020, (3000, 1))
    pairs[::7, 1] *= 2.0 ** rng.integers(-60, 0, len(pairs[::7]))
    pairs[:6] = [[np.inf, 1], [np.nan, -np.inf], [-np.inf, np.nan], [np.nan, 1], [0.0, -0.0], [5e-324, 0]]
    done = gpuenv("-t", "cf64", "-w", 1, "--emit", "min", "-T", "f64", data=pairs.tobytes())
    got, exact = np.frombuffer(done.out, "f8"), np.array([math.hypot(*pair) for pair in pairs])
    with np.errstate(all="ignore"):
        fine = (got == exact) | (np.isnan(got) & np.isnan(exact)) | (abs(got - exact) <= 2 * np.spacing(exact))
    check(fine.all() and not np.signbit(got[~np.isnan(got)]).any(), "cf64", pairs[~fine][:4], got[~fine][:4])
    np.save("x.npy", pairs.copy().view("c16").ravel())
    check(gpuenv("-w", 1, "--emit", "min", "-T", "f64", "x.npy").out == done.out, "complex128 is not cf64")


def edges_of_valid():
    """--edge has no effect with --align valid: no digit is lost, and an array keeps its type."""
    integers = np.array([2**53 + 1, LEAST, MOST, 3], "i8")
    np.save("x.npy", integers)
    np.save("y.npy", integers.astype("i2"))
    integers.tofile("x.s64")
    for words in ["-T", "s64", "x.s64"], ["-T", "u64", "-t", "u64", "x.s64"], ["-T", "csv", "--counts", "x.s64"], \
            ["-T", "npy", "x.npy"], ["-T", "npy", "y.npy"], ["-T", "csv", "x.npy"]:
        both = [gpuenv("-w", 1, *words, "--edge", edge).out for edge in ("shrink", "nan")]
        check(both[0] == both[1], "--edge nan with --align valid", words)


def told_once():
    """Lost digits are told once, where they are lost; a number of a text has the same digits in a table."""
    raw = np.arange(99, dtype="f8").tobytes()
    for words, told in (["-t", "f64"], True), (["-t", "s32"], True), (["-t", "f64", "-T", "f32"], False), \
            (["-t", "f64", "-q"], False), (["-t", "f64", "-T", "f64"], False), (["-t", "f64", "-T", "csv"], False), \
            (["-t", "f32"], False), (["-t", "s24"], False), (["-t", "f64", "--emit", "none", "--stats", "-"], False):
        done = gpuenv("-w", 1, *words, data=raw)
        check(done.status == 0 and ("-T f64" in done.said) == told and done.said.count("\n") == told, done)
    done = gpuenv("-t", "txt", "-w", 1, data=b"123456789.25\n")
    check(done.said == "" and np.frombuffer(done.out, "f4")[0] == np.float32(123456789.25), "text", done)
    for text in "123456789.25", "1700000060", "0.00001", "-0.1", "1e+300", "5e-324", "0.30000000000000004":
        done = gpuenv("-t", "txt", "-w", 1, "--emit", "min", "-T", "csv", data=text.encode())
        check(done.out.decode() == f"frame,min\n0,{text}\n", text, done.out)


def losses():
    """float32 for more is told, of arrays too, unless somebody asked for it; it has the bytes of float32 that comes."""
    rng = np.random.default_rng(6)
    for name in "f8", "i4", "u4", "i8", "u8", "c16":
        np.save("x.npy", rng.integers(0, 99, 9).astype(name))
        for words, told in ([], 1), (["-q"], 0), (["-T", "f32"], 0), (["-T", "f64"], 0), (["-T", "caf", "-r", 1], 1):
            done = gpuenv("-w", 1, *words, "x.npy")
            check(done.said.count("rounded to float32") == told, done)
    values = {"f64": rng.standard_normal(4000), "s32": rng.integers(-2**31, 2**31, 4000).astype("i4"),
              "s64": rng.integers(LEAST, MOST, 4000), "u64": rng.integers(0, 2**64 - 1, 4000, "u8")}
    values["f64"][99:102] = np.nan
    for kind, numbers in values.items():
        floats = kind == "f64"
        whole = Samples(kind, numbers) if floats else integers_as(numbers, int(kind[1:]), kind[0] == "s", False)
        narrow = whole.narrow().values.astype("f4")
        for sink in "dat", "dat:s8", "json", "svg", "flac", "wav:s16", "aiff:s24", "caf", "s8", "u16", "f16", "npy:f16":
            words = ["-q", "-r", 8000, "-T", sink, *(["--zoom", 10] if sink[0] in "dj" else ["-w", 10, "--hop", 4])]
            both = []
            for one, data in (kind, numbers), ("f32", narrow):
                pathlib.Path("got").unlink(missing_ok=True)
                done = gpuenv(*words, "-t", one, "-o", "got", data=data.tobytes())
                both.append(pathlib.Path("got").read_bytes() if done.status == 0 else b"")
            check(both[0] == both[1] != b"", kind, sink, "is not that of float32", done)


def sounds():
    """Sound files of ffmpeg and sox in, and what ffmpeg reads out."""
    rng = np.random.default_rng(3)
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-nostdin"]
    inputs = {"f64": (rng.standard_normal((500, 2)) / 8, 1),
              "s32": (rng.integers(-2**31, 2**31, (500, 2)).astype("i4"), 2.0**-31)}
    words = ["-w", 20, "--hop", 3]
    for (kind, (values, scale)), form in itertools.product(inputs.items(), ("wav", "rf64", "w64", "au", "aiff", "caf")):
        values.tofile("raw")
        name = "in." + form.replace("rf64", "wav")
        codec = f"pcm_{kind}{'be' if form in ('au', 'aiff', 'caf') else 'le'}"
        tool(*ffmpeg, "-f", kind + "le", "-ar", 8000, "-ac", 2, "-i", "raw", "-c:a", codec,
             *["-rf64", "always"] * (form == "rf64"), name)
        names = [name]
        if kind == "s32" and form != "rf64":
            tool("sox", "-t", "s32", "-r", 8000, "-c", 2, "raw", "-b", 32, "-e", "signed", "sox." + form)
            names.append("sox." + form)
        low, high, _, _ = bounds(Samples("f64", values * scale), 20, "valid", "shrink", 3, "propagate")
        due = np.stack([doubles_of(low), doubles_of(high)], 2).reshape(-1, 4)
        for name in names:
            for there in {}, {"data": pathlib.Path(name).read_bytes()}:
                done = gpuenv(*words, "-T", "f64", *([] if there else [name]), **there)
                check(done.out == due.tobytes() and done.said == "", done, kind, name)
            done = gpuenv(*words, name)
            check(done.out == due.astype("f4").tobytes() and done.said.count("rounded to float32") == 1, done)
        for out, want in ("f64", due), ("s32", due * 2.0**31):
            gpuenv(*words, "-T", f"{form}:{out}", "-o", "out." + form, name)
            want = want if out == "f64" else np.rint(want).astype("i4")
            got = tool(*ffmpeg, "-i", "out." + form, "-f", out + "le", "-")
            check(got == want.tobytes(), form, kind, out, "as ffmpeg reads it")


def batches():
    """A batch has the bytes of single runs, whatever its files hold, and tells a loss once."""
    rng = np.random.default_rng(5)
    os.mkdir("many")
    floats, integers = rng.standard_normal(300), rng.integers(LEAST, MOST, 300)
    for name, values in {"a.f64": floats, "b.f32": floats.astype("f4"), "c.s32": integers.astype("i4"),
                         "d.s64": integers, "e.u64": integers.view("u8")}.items():
        values.tofile("many/" + name)
    for name, values in {"f": integers, "g": floats, "h": integers.astype("i2"), "i": integers.view("u8")}.items():
        np.save(f"many/{name}.npy", values)
    pathlib.Path("many/j.csv").write_text("".join(f"{x!r}\n" for x in floats.tolist()))
    pathlib.Path("many/k.wav").write_bytes(wav(floats.tobytes(), bits=64, floating=True))
    pathlib.Path("many/l.wav").write_bytes(wav(bytes(600)))
    names = sorted(os.listdir("many"))
    for sink in "", "f64", "f32", "csv", "npy", "s64", "s32", "wav:f64", "wav":
        words = ["-w", 7, "-r", 8000, *(["-T", sink] if sink else [])]
        told = sink in ("", "wav")
        for jobs in (1, 3):
            files = [f"many/{name}" for name in names]
            done = gpuenv(*words, "--out-dir", "made", "--jobs", jobs, "--name", "{name}.out", *files)
            check(done.status == 0 and done.said.count("rounded to float32") == told, done)
            for name in names:
                alone = gpuenv(*words, "-q", "-o", "alone", f"many/{name}")
                due = pathlib.Path("alone").read_bytes() if alone.status == 0 else None
                check(pathlib.Path("made", name[0] + ".out").read_bytes() == due, "in a batch", alone)


def long_stream(seed):
    """Several chunks for several threads, in a file and in a pipe."""
    draw, rng = random.Random(seed), np.random.default_rng(seed)
    kind, channels = ["f64", "s64", "u64", "s32"][seed % 4], draw.choice([1, 1, 2, 3])
    n = draw.randint(200_000, 700_000) // channels
    width = draw.choice([1, 2, 31, 1000, 4096, 65536, n // 2, n - 1, n])
    align, hop = draw.choice(ALIGNS), draw.choice([1, 1, 7, 1000, width])
    nan, edge = draw.choice(["propagate", "omit"]), "nan" if kind == "f64" and draw.random() < 0.3 else "shrink"
    if kind == "f64":
        values = rng.standard_normal(n * channels)
        values[rng.random(n * channels) < draw.choice([0, 1e-5])] = np.nan
        samples = Samples("f64", values.reshape(n, channels))
    else:
        dtype = {"s64": "i8", "u64": "u8", "s32": "i4"}[kind]
        values = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, n * channels, dtype, endpoint=True)
        samples = integers_as(values.reshape(n, channels), int(kind[1:]), kind[0] == "s", False)
    low, high, undefined, _ = bounds(samples, width, align, edge, hop, nan)
    if kind in ("f64", "s32"):
        pair = [reals(samples, low, high, undefined, emit) for emit in ("min", "max")]
        due = np.stack(pair, 2).ravel()
        due = float_bytes(due, 64) if kind == "f64" else (due * 2.0**31).astype("i4").tobytes()
    else:
        due = np.stack([low, high], 2).view("u8")
        due = (due ^ np.uint64(2**63) if kind == "u64" else due).tobytes()
    values.tofile("long")
    words = ["-q", "-t", kind, "-T", kind, "-c", channels, "-w", width]
    words += ["--align", align, "--hop", hop, "--edge", edge, "--nan", nan]
    ways = [["--threads", k, "--isa", draw.choice(ISAS)] for k in (1, 2, 3, 4)]
    for way in [*ways, ["--algorithm", "lemire"], ["--chunk", draw.choice([4096, 10007, 100000])]]:
        done = gpuenv(*words, *way, "-o", "due", "long")
        got = pathlib.Path("due").read_bytes()
        check(got == due, seed, done, difference(got, due))
    check(gpuenv(*words, *way, data=values.tobytes()).out == due, seed, done, "from a pipe")
    parts = [gpuenv(*words, "--shard", f"{i}/3", "long").out for i in (1, 2, 3)]
    check(b"".join(parts) == due, seed, words, "in parts")


def main():
    cases, one = argument(2, 100), argument(3, -1)
    if cases > 100:
        need("ffmpeg", "sox")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if one < 0:
            peers()
            magnitudes()
            edges_of_valid()
            told_once()
        if one < 0 and cases > 100:
            losses()
            sounds()
            batches()
            for seed in range(cases // 100):
                long_stream(seed)
        # The quick test has always the same cases.
        first = one if one >= 0 else random.randrange(2**32) if cases > 100 else 0
        for seed in range(first, first + (1 if one >= 0 else cases)):
            wrong = anything(seed)
            check(not wrong, PROGRAM, 1, seed, *("\n    " + why for why in wrong))
        os.chdir("/")
    finish(f"seeds from {first}:")


if __name__ == "__main__":
    main()
