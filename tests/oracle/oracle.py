#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds the program against numpy, scipy and pandas: oracle.py PROGRAM quick|full|long|device

Are the bytes right? Inputs of every form, type and kind, and every option that the output depends on, against
reference.py, and where there is no NaN also against what the peers say themselves. Do the bytes stay the same, however
the input is cut and whatever the engine? A case is a row of a table: oracle.py PROGRAM TABLE ROW repeats it. `device`:
means and statistics on one, by the program of tests/emu."""

import functools
import io
import itertools
import json
import math
import os
import pathlib
import random
import re
import sys
import tempfile
import time
from decimal import Decimal
from fractions import Fraction

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, PROGRAM, check, check_seeds, cut, finish, gpuenv, needed_modules

with needed_modules():
    import numpy as np
    import pandas
    import scipy.ndimage
    from records import NAMES, due, same_number
    from reference import (ARRAYS, BYTES, RAW, SHAPES, array_source, bounds, ends, positions, raw_source, reals,
                           sound_source, table_source, window_sums)

WIDTHS = [1, 2, 3, 7, 16, 17, 31, 32, 33, 64, 100, 512, 1000, 4096]
EMITS = ["min", "max", "abs", "range", "mid"]
POSITIONS = ["argmin", "argmax"]
MEANS = ["mean", "rms", "count", "std"]
ENDS = ["first", "last"]
ALIGNS = ["valid", "causal", "center", "forward"]
EDGES = ["shrink", "nan"]
NANS = ["propagate", "omit", "error"]
# Outputs that hold more than float32.
TEXT = {"csv", "tsv", "txt"}
WIDE = {"f64", "s32", "u32", "s64", "u64", "npy", *TEXT}
SINKS = ["f64", "f64", "f64be", "s32", "u32be", "s64", "s64", "u64", "u64be", "csv", "csv", "tsv", "txt", "npy", "npy",
         "npy:f64", "npy:s64", "npy:u64", "npy:s32", "wav:f64", "wav:s32", "au:f64", "w64:f64", "rf64:f64", "caf:f64",
         "aiff:f64", "caf:s32", "", "f32", "f32", "f32", "f32", "s16", "s24", "u8", "f16", "wav", "npy:f32", "npy:s16"]
RAW_SINKS = ["s8", "u8", *(name + order for order in ("", "be") for name in
                           ("f16", "f32", "f64", "s16", "u16", "s24", "u24", "s32", "u32", "s64", "u64"))]
ISAS = [isa for isa in ("scalar", "sse4", "avx2", "avx512", "neon") if gpuenv("-w", 1, "--isa", isa).status == 0]
WAYS = ([["--isa", isa] for isa in ISAS] + [["--threads", n] for n in (1, 2, 3, 4, 5)]
        + [["--algorithm", "lemire"], ["--device", "cpu"], ["--device", "auto"]]
        + [["--chunk", n] for n in (1, 3, 7, 17, 64, 400, 1000, 65536)])
DEVICE = "emu" in os.path.basename(PROGRAM)
if DEVICE:
    WAYS = [["--device", "cuda", *chunk] for chunk in ([], ["--chunk", 5000], ["--chunk", 20000])]


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


def holds_all(name, dtype):
    """Does an integer type of the program's hold all integers of an array?"""
    bits = 8 * dtype.itemsize if dtype.kind != "b" else 1
    return int(name[1:]) - (name[0] == "s") >= bits - (dtype.kind == "i") and (name[0] == "s" or dtype.kind != "i")


def float_bytes(values, bits, big=False):
    with np.errstate(all="ignore"):
        made = values.astype(f"f{bits // 8}")
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


def array_in(got):
    """The array of a .npy, and all bytes behind its header."""
    return np.load(io.BytesIO(got)), got[10 + int.from_bytes(got[8:10], "little"):]


class Case:
    """An input, the options, and so what must come out. `stop`: the first NaN of --nan error."""

    def __init__(self, source, width, align="valid", edge="shrink", hop=1, emits=("min", "max"), nan="propagate",
                 sink="f32", first=0, count=None, picks=None, mix=False, overall=False, zoom=False):
        self.source, self.samples, self.width, self.emits = source, source.samples, width, list(emits)
        self.whole = source.whole and re.match("npy:[su]", sink)  # integers in an array of integers
        if self.whole:
            self.samples = source.whole
        ending = source.name.rpartition(".")[2]
        self.align, self.hop, self.first = ("forward", width, first) if zoom else (align, hop, first)
        self.edge = "shrink" if self.align == "valid" else edge
        words = [*source.words, "--zoom" if zoom else "-w", width, *(["-T", sink] if sink else [])]
        self.sink = sink = sink or (ending if ending in TEXT else "")  # tables stay tables
        given = {"edge": edge, "emit": ",".join(emits), "nan": nan} | ({} if zoom else {"align": align, "hop": hop})
        usual = {"align": "valid", "edge": "shrink", "hop": 1, "emit": "min,max",
                 "nan": "omit" if ending in TEXT else "propagate"}
        for name, value in given.items():
            if value != usual[name] or width % 2 == 0:  # half of the cases leave out what is the default
                words += ["--" + name, value]
        if count is not None:
            words += ["--skip", first, "--frames", count]
            self.samples = self.samples.part(first, count)
        if picks:
            words += ["--pick", ",".join(str(channel + 1) for channel in picks)]
            self.samples = self.samples.pick(picks)
        self.mix = mix
        if mix:
            words.append("--mix")
            self.samples = self.samples.mix()
        words += ["--overall"] * overall
        summed = self.samples
        self.told = False
        # Means are rounded once, by all but float32.
        once = {*emits} <= {*MEANS} and sink.startswith(("s", "u", "f16"))
        if sink.rpartition(":")[2].removesuffix("be") not in WIDE:
            self.told = source.told and self.samples.loses() and sink.removesuffix("be") != "f32" and not once
            self.samples = self.samples.narrow()
        self.words = words
        self.low, self.high, self.undefined, self.stop = bounds(self.samples, width, self.align, edge, self.hop, nan,
                                                                overall)
        self.means = {*MEANS} & {*emits} and window_sums(summed, width, self.hop, self.align, edge, len(self.low),
                                                         nan == "omit", overall, "std" in emits)
        self.ends = {*ENDS} & {*emits} and ends(self.samples, width, self.align, edge, self.hop, len(self.low),
                                                nan == "omit")
        self.at = {name: positions(self.samples, width, self.align, self.hop, self.undefined, side)
                   for side, name in enumerate(POSITIONS) if name in emits}
        self.columns = self.low.shape[1] * len(emits)
        self.fails = bool(self.stop or source.stray)

    def real(self, emit):
        """The values of a word of --emit."""
        if emit in self.means:
            return self.means[emit]
        if emit in self.ends:
            keys, none = self.ends[emit]
            return reals(self.samples, keys, keys, none, "min")
        return reals(self.samples, self.low, self.high, self.undefined, emit)

    def floats(self):
        return np.stack([self.real(emit) for emit in self.emits], 2).ravel()

    def values(self, whole):
        """In order: floats, or with `whole` exact numbers where integers of 64 bits stay so."""
        samples, columns = self.samples, []
        whole = whole and samples.kind == "i64" and self.edge != "nan"
        if not whole and not self.at:
            return self.floats().tolist()
        for channel, emit in itertools.product(range(self.low.shape[1]), self.emits):
            if emit in self.at:
                columns.append([self.first + at if at >= 0 else math.nan for at in self.at[emit][:, channel].tolist()])
            elif whole and emit in ("min", "max", *ENDS):
                keys = {"min": self.low, "max": self.high, **{end: keys for end, (keys, _) in dict(self.ends).items()}}
                keys = map(int, keys[emit][:, channel])
                columns.append([key + samples.lift if samples.unit == 1 else Fraction(key, 2**63) for key in keys])
            else:
                columns.append(self.real(emit)[:, channel].tolist())
        return [value for row in zip(*columns) for value in row]

    @functools.cached_property
    def due(self):
        """The raw samples of an output, and how many of them are clipped."""
        form, _, name = self.sink.partition(":")
        big = self.sink.endswith("be") or form in ("au", "aiff", "caf")
        name = (name or ("f32" if form in ("", "wav") else form)).removesuffix("be")
        if name[0] == "f":
            return float_bytes(self.floats(), int(name[1:]), big), 0
        source = self.source
        scaled = source.scaled
        if self.whole or source.dtype is not None and np.dtype(source.dtype).kind in "biu" and (
                ":" not in self.sink or form == "npy" or holds_all(name, np.dtype(source.dtype))):
            scaled = False  # numbers
        wide = name in ("s64", "u64") and source.samples.kind == "i64"
        # An array that is not scaled back is made from floats.
        values = self.values(form != "npy" or wide or self.samples.unit == 1)
        return integer_bytes(values, name, big, scaled and (form != "npy" or wide))

    def fault(self, got):
        """What is wrong with an output, or nothing, and how many values are clipped."""
        form = self.sink.partition(":")[0]
        if form in TEXT:
            return self.table_fault(form, got), 0
        if self.sink == "npy":
            return self.array_fault(got), 0
        want, clipped = self.due
        if form == "npy":
            array, data = array_in(got)
            name = self.sink[4:].removesuffix("be")
            kind = name[0].replace("s", "i") + str(int(name[1:]) // 8)
            kind = np.dtype((">" if self.sink.endswith("be") else "<") + kind)
            flat = self.source.flat and self.columns == 1
            if array.dtype != kind or array.shape != ((len(self.low),) if flat else (len(self.low), self.columns)):
                return f"{array.dtype.str} {array.shape}", clipped
            return data != want and difference(data, want), clipped
        if form == self.sink != "wav":
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
            for text, value, emit in zip(row[skip:], flat[k * self.columns:], itertools.cycle(self.emits)):
                if not right_digits(text, value, "f64" if emit in MEANS else self.samples.kind):
                    return f"frame {row[0]}: {text}, not {value!r}"
        return ""

    def array_fault(self, got):
        """-T npy keeps a type that was read, for minimum and maximum; a mean of channels is none."""
        source, samples = self.source, self.samples
        dtype = np.dtype("f4" if samples.kind == "f32" and not self.means and not self.ends else "f8")
        if self.at:
            dtype = np.dtype("i8")
        elif set(self.emits) <= {"min", "max"}:
            kept = None if self.mix else source.dtype
            if kept is not None and kept.kind != "c" and (self.edge != "nan" or kept.kind == "f"):
                dtype = kept
            elif samples.kind == "i64" and samples.unit == 1 and self.edge != "nan":
                dtype = np.dtype("u8" if samples.lift else "i8")
        if dtype.kind == "f":
            want = np.frombuffer(float_bytes(self.floats(), 8 * dtype.itemsize), dtype)
        else:
            want = np.array([-1 if value != value else int(value) for value in self.values(True)], dtype)
        want = want if source.flat and self.columns == 1 else want.reshape(len(self.low), self.columns)
        array, data = array_in(got)
        if array.dtype != want.dtype or array.shape != want.shape or not array.dtype.isnative:
            return f"{array.dtype.str} {array.shape}, not {want.dtype.str} {want.shape}"
        return data != want.tobytes() and difference(data, want.tobytes())

    def peers(self):
        """What scipy, pandas or numpy say of the minimum and the maximum, before a hop; or None."""
        x, width, rule = self.samples.values, self.width, (self.align, self.edge)
        if self.samples.kind == "i64" or self.low.shape[1:] != x.shape[1:] or np.isnan(x).any() or len(x) == 0:
            return None
        if rule == ("center", "shrink"):
            filters = scipy.ndimage.minimum_filter1d, scipy.ndimage.maximum_filter1d
            return [slide(x, width, axis=0, mode="nearest" if width % 2 else "reflect") for slide in filters]
        if self.align in ("causal", "forward") and rule != ("forward", "shrink"):
            # pandas takes infinities for missing, so they travel as numbers that are rarer.
            finite = pandas.DataFrame(np.clip(x, -1e300, 1e300))
            window = (width if self.align == "causal" else
                      pandas.api.indexers.FixedForwardWindowIndexer(window_size=width))
            rolling = finite.rolling(window, min_periods=width if self.edge == "nan" else 1)
            both = [rolling.min().to_numpy(), rolling.max().to_numpy()]
            far = np.abs(x[np.isfinite(x)]) >= 1e300
            return None if far.any() else [np.where(abs(y) == 1e300, np.copysign(np.inf, y), y) for y in both]
        if self.align == "valid" and width <= len(x) and x.size * width < 1_000_000:
            views = np.lib.stride_tricks.sliding_window_view(x, width, axis=0)
            return [views.min(axis=-1), views.max(axis=-1)]
        return None

    def peers_differ(self, got):
        peers = self.peers() if self.sink in ("f32", "f64") and self.emits == ["min", "max"] else None
        if peers is None:
            return False
        due = np.stack([peer[::self.hop] for peer in peers], axis=-1)
        return not np.array_equal(np.frombuffer(got, self.sink.replace("f32", "f4").replace("f64", "f8")), due.ravel(),
                                  equal_nan=True)


# ---- runs of a case


def slowly(data, draw):
    """In small pieces, with pauses."""
    most = max(draw.choice([3, 17, 256, 1021]), len(data) // 60)
    for piece in cut(data, (draw.randint(1, most) for _ in itertools.count())):
        yield piece
        time.sleep(draw.choice([0, 0, 0, 0.0005]))


class Trial:
    """Runs of a case in a folder, and what was wrong."""

    def __init__(self, case, folder, draw):
        self.case, self.draw, self.wrong, self.right = case, draw, [], None
        self.input, self.output = folder / case.source.name, folder / "out"
        self.input.write_bytes(case.source.data)

    def look(self, *way, how="stdout"):
        """One run, whose frames go to standard output or to a file, or whose input comes through a pipe, at once or
        slowly. Returns it and them, and how many values are clipped."""
        case, words = self.case, [*self.case.words, *way]
        self.output.unlink(missing_ok=True)
        where = {"file": ["-o", self.output, self.input], "stdout": [self.input]}.get(how, [])
        data = slowly(case.source.data, random.Random(self.draw.random())) if how == "slow pipe" else case.source.data
        done = gpuenv(*words, *where, data=None if where else data)
        got = self.output.read_bytes() if how == "file" and self.output.exists() else done.out
        why, clipped = "status", 0
        if done.status == (2 if case.fails else 0):
            why, clipped = (None, None) if got == self.right else case.fault(got)
        if why:
            self.wrong.append(f"{why}\n    {done}")
        else:
            self.right = got
        return done, got, clipped

    def expect(self, condition, *why):
        if not condition:
            self.wrong.append(" ".join(map(str, why)))

    def first(self, how):
        """A run, and what it must say."""
        case = self.case
        done, got, clipped = self.look(how=how)
        if self.wrong:
            return got
        quiet = "-q" in case.words
        told = case.told and not quiet
        if case.source.dtype is None and not case.stop:
            self.expect(done.said.count("rounded to float32") == told, f"the loss of digits is {told} told:", done)
        counts = [line for line in done.lines if "clipped" in line or "written as zero" in line]
        if not quiet:
            self.expect(sum(int(line.split(": ")[2].split()[0]) for line in counts) == clipped,
                        f"{clipped} values are to be clipped:", done)
        if case.stop:
            first = f"NaN in frame {case.first + case.stop[0]}, ch{case.stop[1] + 1}"
            self.expect(first in done.said, "not", first, done)
        elif case.source.stray:
            self.expect(str(case.source.stray) in done.said, "stray bytes:", done)
        elif case.sink == "f32" and case.align != "valid" and case.source.dtype is None:
            self.expect(all("nothing is left: --skip" in line for line in done.lines), "says something:", done)
        self.expect(len(done.lines) <= 2 or case.sink != "f32", "says too much:", done)
        self.expect(not case.peers_differ(got), "the peers have other values:", done)
        return got

    def ways(self):
        """The same in other ways."""
        case, draw = self.case, self.draw
        container = ":" in case.sink or case.sink in ("wav", "npy")
        usual = "file" if container else "stdout"
        right = self.first(usual)
        if self.wrong:
            return
        self.look(*draw.choice(WAYS), how=usual)
        self.look(*itertools.chain(*draw.sample(WAYS, 2)), how=usual if case.fails else "file")
        if not container:
            self.look(*draw.choice(WAYS), how="slow pipe")
        if not container and not {case.sink, self.input.suffix[1:]} & TEXT and not case.fails:
            total = draw.randint(1, 4)
            parts = [gpuenv(*case.words, "--shard", f"{i + 1}/{total}", self.input) for i in range(total)]
            self.expect(b"".join(part.out for part in parts) == right, f"in {total} parts:", parts[0])


def record_faults(text, samples, first, every, source):
    """What is wrong with the records of samples that begin at this frame."""
    lines = text.decode().splitlines()
    if text.startswith(b"frame\t"):
        names, *rows = (line.split("\t") for line in lines)
        got = [{name: None if cell == "nan" else cell if name == "column" else json.loads(cell.replace("inf", "Infinity"))
                for name, cell in zip(names, row)} for row in rows]
    else:
        got = [json.loads(line) for line in lines]
    whole, unit = samples.numbers()
    frames, channels = whole.shape
    places = list(itertools.product(range(0, max(frames, 1), every), range(channels)))
    if len(got) != len(places):
        return [f"{len(got)} records, due are {len(places)}"]
    wrong = []
    for record, (begin, channel) in zip(got, places):
        block = np.ascontiguousarray(whole[begin:begin + every, channel])
        want = due(block, first + begin, channel, unit, source.ends) | dict.fromkeys(["peak_db", "rms_db"] * (source.name[2:] in ("npy", "csv", "tsv", "txt")))
        wrong += [f"{name} is {record[name]}, not {want[name]}: {record}" for name in NAMES
                  if not same_number(record[name], want[name])]
        exact = block[~np.isnan(block)].astype("f8") * unit
        if len(exact) and abs(exact).max() < 1e150 and not wrong:
            near = abs(want["sum"] - math.fsum(exact)) <= 1e-12 * math.fsum(abs(exact))
            if not near or not math.isclose(want["rms"] ** 2, math.fsum(exact * exact) / len(exact), rel_tol=1e-11):
                wrong.append(f"the sums of this test are wrong: {want}")
    return wrong[:3]


def statistics(trial, thorough=False):
    """--stats beside any output are those of the samples as they are, block by block; `thorough`: the same text in every
    way."""
    source, draw = trial.case.source, trial.draw
    frames, channels = source.samples.values.shape
    words, first, samples = [*source.words, "-q"], 0, source.samples
    if draw.random() < 0.3 and frames:
        first, count = draw.randrange(frames), draw.randint(1, frames)
        words += ["--skip", first, "--frames", count]
        samples = samples.part(first, count)
    every = 1 << 62
    if draw.random() < 0.8:
        every = draw.choice([1, 31, 333, 999, 1000, 4095, 4096, 4097, 8191, 8193, 10000, frames + 1,
                             draw.randint(1, frames + 1)])
        every = max(every, frames * channels // 3000)
        words += ["--stats-every", every]
    words += draw.choice([[], [], ["--stats-format", "tsv"]])
    path = trial.output.with_name("stats")

    def text(*way, data=None):
        path.unlink(missing_ok=True)
        done = gpuenv(*words, *way, "--stats", path, *([trial.input] if data is None else []), data=data)
        trial.expect(done.status == 0, done)
        records = path.read_bytes() if done.status == 0 else b""
        # The last column of tsv is the name of the input.
        return re.sub(rb"\t[^\t]*\n", b"\n", records) if "tsv" in words else records

    besides = [["-w", 3], ["-w", 3, "-T", "f32"], ["-w", 3, "-T", "f64"], ["-w", 100, "--hop", 100, "--align", "center"],
               ["--emit", "none"]]
    right = text(*draw.choice(besides), *draw.choice(WAYS))
    if right:
        for why in record_faults(right, samples, first, every, source):
            trial.expect(False, why, *words)
    if thorough and not trial.wrong:
        ways = [draw.choice(besides) + draw.choice(WAYS) + draw.choice(WAYS) for _ in range(3)]
        trial.expect(all(text(*way) == right for way in ways), "another text from one of", ways, words)
        trial.expect(text("--emit", "none", data=slowly(source.data, draw)) == right, "another text from pieces", words)
        if every < 1 << 62:
            parts = [text("--emit", "none", "--shard", f"{i}/3") for i in (1, 2, 3)]
            trial.expect(b"".join(parts) == right, "another text from parts", words)


# ---- tables of cases


def width_rows():
    """Each width, with streams about as long as it, each alignment."""
    for width in WIDTHS:
        for n, align in itertools.product(sorted({0, 1, 2, width - 1, width, width + 1, 2 * width + 3, 257}), ALIGNS):
            yield dict(n=n, name="f32", shape=SHAPES[(width + 3 * n) % len(SHAPES)], nans=0), dict(
                width=width, align=align, edge=EDGES[(width + n) % 5 == 0])


def type_rows():
    for name, big, counts, channels in itertools.product(RAW, (False, True), (False, True), (1, 3)):
        if not (big and name in BYTES) and not (counts and "f" in name):
            yield dict(n=200, name=name, big=big, counts=counts, channels=channels, nans=0), dict(width=5)


def channel_rows():
    """More channels than fit into a block, converted."""
    for channels, name, big in (16385, "s16", False), (65535, "s16", True), (300, "u8", False):
        yield dict(n=3, name=name, big=big, counts=True, channels=channels), dict(width=3, sink=name + "be" * big)


def nan_rows():
    cases = [(1, 0.3), (2, 0.5), (7, 0.02), (33, 0.01), (64, 0.9)]
    for nan, align, edge, (width, rate) in itertools.product(NANS, ALIGNS, EDGES, cases):
        yield dict(n=150, name="f32", channels=1 + width % 3, nans=rate), dict(width=width, nan=nan, align=align,
                                                                              edge=edge)


def half(*lists):
    """Every other row of the product of lists: any two of their values still meet."""
    for row in itertools.product(*map(enumerate, lists)):
        if sum(number for number, _ in row) % 2 == 0:
            yield [value for _, value in row]


def array_rows():
    """Each type, byte order and layout; an array keeps its type for the minimum and the maximum."""
    outputs = [{"sink": "f32"}, {"sink": "npy"}, {"sink": "npy", "emits": ["max"]}, {"sink": "npy", "emits": ["range"]},
               {"sink": "npy", "emits": ["min"], "align": "center", "edge": "nan"}, {"sink": "npy", "edge": "nan"},
               *({"sink": sink, "emits": ["max"]} for sink in ("s8", "u16", "s32be", "u64"))]
    for name, order, layout, output in half(ARRAYS, "<>", ("flat", "C", "F"), outputs):
        yield dict(n=300, name=order + name, channels=1 if layout == "flat" else 3, flat=layout == "flat",
                   fortran=layout == "F"), dict(width=7, **output)
    meetings = [dict(picks=[0]), dict(picks=[0, 0]), dict(mix=True), dict(overall=True), dict(picks=[0, 0], mix=True),
                dict(picks=[0, 0], overall=True)]
    causal = dict(align="causal", edge="nan")
    outputs = [{"sink": "npy"}, {"sink": "npy", "emits": ["max"]}, {"sink": "npy", "emits": ["max", "range"]},
               {"sink": "npy", **causal}, {"sink": "npy", "emits": ["max", "range"], **causal},
               {"sink": "npy:f32", "emits": ["max"]}, {"sink": "npy:s16", "emits": ["max"]}]
    for name, meeting, flat, output in half(ARRAYS, meetings, (True, False), outputs):
        yield dict(n=7, name="<" + name, channels=1 if flat else 2, flat=flat), dict(width=3, **meeting, **output)


def sink_rows():
    """Each raw type of an output, alone and in an array, from floats and from integers of 64 bits."""
    for (name, counts), sink in itertools.product((("f32", False), ("f64", False), ("s64", False), ("s64", True),
                                                   ("u64", False), ("u64", True)), RAW_SINKS):
        for form in ("", "npy:") if "24" not in sink else ("",):
            yield dict(n=60, name=name, counts=counts, nans=0.02), dict(width=3, emits=EMITS, sink=form + sink)
    for counts, emit in itertools.product((False, True), ("max", "mid")):
        yield dict(n=9, name="s64", counts=counts), dict(width=1, emits=[emit], sink="npy")


def position_rows():
    """Where extremes are, in each kind of samples."""
    cases = itertools.product(("f32", "f64", "s16", "s64", "u64"), SHAPES, ("csv", "npy"), (1, 2, 5, 17, 40, 70, 300))
    for number, (name, shape, sink, width) in enumerate(cases):
        emits = [POSITIONS, ["argmax"], ["argmin"]][number % 3] if sink == "npy" else [*EMITS[:number % 4], *POSITIONS]
        if sink == "npy" or width % 2 or name != "s16":
            yield dict(n=400, name=name, shape=shape, channels=1 + number % 5 // 4), dict(
                width=width, emits=emits, sink=sink, align=ALIGNS[number // 2 % 4], edge=EDGES[number % 9 == 0],
                nan=NANS[number % 2], hop=(1, 1, 1, 2, width)[number % 5])


TABLES = {"width": list(width_rows()), "type": list(type_rows()), "nan": list(nan_rows()), "many": list(channel_rows()),
          "array": list(array_rows()),
          "sink": list(sink_rows()), "position": list(position_rows())}


def row(table, number, draw, rng):
    how, options = TABLES[table][number]
    if table == "array":
        return Case(array_source(draw, rng, **how), **options)
    return Case(raw_source(draw, rng, **{"channels": 1, "big": False, "counts": False, **how}), **options)


def anything(draw, rng, channels_meet=False):
    """A case of which everything is drawn. `channels_meet`: some of the channels, their mean, or one answer for all."""
    n, channels = draw.choice([0, 1, 2, 5, 40, 200, 900, draw.randint(0, 3000)]), draw.choice([1, 1, 1, 2, 3, 6, 8, 17, 20])
    form = draw.choice([raw_source, raw_source, raw_source, array_source, table_source, sound_source])
    form = raw_source if channels_meet else form
    more = {"stray": True} if form is raw_source and draw.random() < 0.05 else {}
    source = form(draw, rng, max(n, int(form is table_source)), channels, **more)
    width = draw.choice([1, 2, 3, 4, 7, 8, 9, 16, 17, 33, 64, 150, 1000, max(n, 1), n + 1, draw.randint(1, 300)])
    options = {"align": draw.choice(ALIGNS), "hop": draw.choice([1, 1, 1, 2, 5, 64, width, 5000]),
               "nan": draw.choice(["propagate", "propagate", "omit", "error"]),
               "emits": ["min", "max"] if draw.random() < 0.4 else draw.sample(EMITS, draw.randint(1, 5)),
               "sink": draw.choice(SINKS)}
    if not channels_meet and draw.random() < 0.25:
        options["sink"] = draw.choice(["csv", "tsv", "npy"])
        options["emits"] = draw.sample([*POSITIONS, *EMITS][:2 if options["sink"] == "npy" else 7], draw.randint(1, 2))
    options["edge"] = draw.choice(["shrink", "shrink", "nan"])
    if draw.random() < 0.15 and not source.stray:
        options["first"], options["count"] = draw.randint(0, n + 2), draw.randint(1, n + 2)
    if channels_meet:
        mixed = draw.random() < 0.3
        options |= {"nan": draw.choice(["propagate", "omit"]), "mix": mixed, "overall": draw.random() < 0.6}
        options["sink"] = draw.choice(["f64", "f64be", "s64", "u64", "s32"] if mixed else
                                      ["f64", "f32", "f32", "s64", "u64", "s16"])
        if draw.random() < 0.6:
            options["picks"] = [draw.randrange(channels) for _ in range(draw.randint(1, 4))]
    sink = options["sink"]
    if (source.stray or options["nan"] == "error") and (":" in sink or sink in ("wav", "npy")):
        # A file that fails is not there.
        options["sink"] = sink = "csv" if set(options["emits"]) & set(POSITIONS) else "f64"
    case = Case(source, width, **options)
    if (":" in sink or sink in ("wav", "npy")) and form is not sound_source:
        case.words += ["-r", 8000]
    if draw.random() < 0.2:
        case.words.append("-q")
    return case


def means(draw, rng):
    """Blocks around the borders of leaves of sums, and windows of several, with means beside their extremes."""
    length = draw.choice([1, 2, 5, 31, 32, 33, 63, 64, 100, 256, 1024, 4095, 4096, 4097, 10000, 100000])
    channels = draw.choice([1, 2, 3, 5, 300])
    n = max(1, draw.choice([0, 1, length - 1, length, length + 1, 5 * length, 20000]) + draw.choice([0, 0, 1, 77]))
    n = min(n, 600_000 // channels // (8 if length < 32 else 1))
    name = draw.choice(["f32", "f32", "f64", "s16", "u8", "s32"] + ([] if DEVICE else ["s64", "u64", "f16", "cs16"]))
    overall = draw.random() < 0.3
    emits = draw.sample(EMITS + MEANS + ENDS * (not overall), draw.randint(1, 7))
    emits += [] if {*MEANS, *ENDS} & {*emits} else [draw.choice(["rms", "std"])]
    sinks = ["f64", "f64", "f64be", "", "f32", "npy", "npy:f64"]
    if "count" not in emits:  # which these cannot hold
        sinks += ["wav:f64", "s64", "s16", "s8", "u24be", "s32", "f16"]
    if n * channels * len(emits) < 50_000 * length:
        sinks += ["csv", "txt"]
    sink = draw.choice(sinks)
    source = raw_source(draw, rng, n, channels, name=name)
    hops = draw.choice([1, 1, 2, 3, 4] + [7, 40] * (length < 100_000))
    how = {"zoom": True} if hops == 1 else {"hop": length, "align": draw.choice(ALIGNS)}
    case = Case(source, hops * length, emits=emits, nan=draw.choice(["propagate", "omit"]), sink=sink,
                edge=draw.choice(["shrink", "shrink", "nan"]), overall=overall, **how)
    case.words += ["-r", 8000] * (sink in ("npy", "npy:f64", "wav:f64"))
    return case


def blocks(draw, rng):
    """A stream for its statistics."""
    channels = draw.choice([1, 1, 1, 2, 3, 5, 17, 255, 256, 257, 300])
    n = draw.choice([0, 1, 2, 33, 4095, 4096, 4097, 8192, 3 * 4096 * 5 + 77, 150_000])
    name = draw.choice(["f32"] * 4 + [name for name in RAW if not (DEVICE and name in ("s64", "u64"))])
    return Case(raw_source(draw, rng, min(n, 600_000 // channels), channels, name=name), 3)


def large(draw, rng):
    """A stream of several chunks, long enough for several threads; the window may be longer than a chunk, and hardly
    shorter than the stream."""
    name = draw.choice(["f32", "f32", "s16", "cs8", "f64", "s32", "s64", "u64"])
    whole = name in ("s64", "u64")
    channels = draw.choice([1, 1, 2, 3])
    n = (200_000 if whole else draw.randint(600_000, 1_400_000)) // channels
    width = draw.choice([1, 2, 16, 31, 1000, 4096, 65536, 262143, 262144, 262145, n // 2, n - 1, n, draw.randint(1, n)])
    options = {"align": draw.choice(ALIGNS), "hop": draw.choice([1, 1, 3, 160, width]),
               "nan": draw.choice(NANS), "sink": name if whole else "f64" if name in ("f64", "s32") else "f32"}
    if not whole:
        options["edge"] = draw.choice(["shrink", "shrink", "nan"]) if options["align"] != "valid" else "shrink"
        options["emits"] = draw.choice([["min", "max"]] * 3 + [["max"], ["min"], ["max", "min"], ["abs", "range", "mid"],
                                                               ["mid", "min", "max", "abs"]])
    source = raw_source(draw, rng, n, channels, name=name, nans=draw.choice([0, 0, 1e-5]))
    return Case(source, width, **options)


def large_ways(trial):
    draw = trial.draw
    trial.first("stdout")
    trial.look("--algorithm", "lemire")
    for threads in (1, 2, 3, 5):
        trial.look("--threads", threads, "--isa", draw.choice(ISAS), how="stdout" if trial.case.fails else "file")
    trial.look("--chunk", draw.choice([4096, 10_007, 100_000, 1_000_000, 10_000_000]))
    trial.look(how="slow pipe")
    if not trial.case.fails:
        parts = [gpuenv(*trial.case.words, "--shard", f"{i}/3", trial.input).out for i in (1, 2, 3)]
        trial.expect(not trial.case.fault(b"".join(parts))[0], "in parts")


DRAWN = {"any": anything, "channels": functools.partial(anything, channels_meet=True), "means": means, "stats": blocks,
         "large": large}


def faults_of(at):
    table, number = at
    draw, rng = random.Random(number), np.random.default_rng(number)
    with tempfile.TemporaryDirectory() as folder:
        case = row(*at, draw, rng) if table in TABLES else DRAWN[table](draw, rng)
        trial = Trial(case, pathlib.Path(folder), draw)
        if table == "large":
            large_ways(trial)
        elif table in TABLES:
            trial.first("stdout" if case.sink.startswith("npy") or table != "array" and number % 2 else "pipe")
        elif table != "stats":
            trial.ways()
        if table == "stats" or table in ("any", "channels") and not case.fails:
            statistics(trial, table == "stats")
        return trial.wrong


def main():
    part = sys.argv[2]
    if part in TABLES or part in DRAWN:
        cases = [(part, int(sys.argv[3]))]
        larges = []
    else:
        step, counts = {"quick": (16 * (1 + FEW), [20, 10, 6, 6, 1]), "full": (1, [300, 150, 100, 60, 6]),
                        "long": (1, [6000, 3000, 1000, 1000, 60]), "device": (0, [0, 0, 24, 12, 0])}[part]
        # The quick test has always the same cases.
        first = 0 if part == "quick" else random.randrange(2**32)
        print("seeds from", first)
        cases = [(table, i) for table, rows in TABLES.items() if step for i in range(0, len(rows), step)]
        *cases_drawn, larges = [[(table, first + i) for i in range(count // (1 + 2 * FEW))]
                                for table, count in zip(DRAWN, counts)]
        cases += itertools.chain(*cases_drawn)
    check("scalar" in ISAS, "--isa scalar is not accepted")
    print("instruction sets:", *ISAS)
    check_seeds(faults_of, cases, lambda at: [PROGRAM, *at])
    # One after another: they are for the threads of the program, and large.
    for at in larges:
        wrong = faults_of(at)
        check(not wrong, PROGRAM, *at, *("\n    " + why for why in wrong))
    finish()


if __name__ == "__main__":
    main()
