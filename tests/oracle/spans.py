#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds -T spans against a loop over the windows, and silences against ffmpeg; -T labels: spans.py PROGRAM [CASES [SEED]]

The loop runs over random streams, and over the first rows of real logs, those of ../look that have times."""

import csv
import datetime
import io
import itertools
import math
import pathlib
import random
import re
import shutil
import sys
import tempfile
from fractions import Fraction

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, check, check_cases, finish, gpuenv, gpuenv_reads, needed_modules, run, wav

with needed_modules():
    import numpy



def order(value):
    """-0 lies below +0; a NaN is neither above nor below anything. A level may be exact, as text."""
    if isinstance(value, str):
        return Fraction(value), -1 if value.startswith("-") else 1
    return value, math.copysign(1, value)


def spans_of(values, windows, rule, level, is_joined, stretches=None):
    """(end, channel, first, extreme) by the words of the manual. `values`: output frames by channels; `windows`: the
    first input frame of each, and the one behind it; `stretches`: a number for each, which a gap changes."""
    spans = []
    for channel in range(values.shape[1]):
        held = None
        inside = False
        for k, value in enumerate(values[:, channel]):
            start, end = windows[k]
            hit = order(value) > order(level) if rule == "above" else order(value) < order(level)
            inside = inside and (stretches is None or stretches[k] == stretches[k - 1])
            if held and not (inside and hit) and not is_joined(held[1], start):
                spans.append((held[1], channel, held[0], held[2]))
                held = None
            if hit and held:
                held = (held[0], end, (max if rule == "above" else min)(held[2], value, key=order))
            elif hit:
                held = (start, end, value)
            inside = hit
        if held:
            spans.append((held[1], channel, held[0], held[2]))
    return sorted(spans)


def usual_of(steps):
    """The lower middle of the last 16 steps, from the eighth on; 0: a quarter of them is far from it."""
    last = sorted(steps[-16:])
    if len(last) < 8:
        return 0
    usual = last[(len(last) - 1) // 2]
    others = sum(step > 2 * usual or 2 * step < usual for step in last)
    return 0 if 4 * others >= len(last) else usual


def rows_of(times, gap):
    """For each row: in which stretch between gaps it is, and until when it lasts."""
    stretches, until, steps = [0] * bool(len(times)), [], []
    for before, after in itertools.pairwise(map(int, times)):
        step = after - before
        usual = usual_of(steps)
        ends = usual > 0 and step > 5 * usual if gap is None else gap != "none" and step > gap
        stretches.append(stretches[-1] + ends)
        until.append(before + usual if ends else after)
        steps = [] if ends else steps + [step] * (step > 0)
    return stretches, [*until, *(int(time) + usual_of(steps) for time in times[-1:])]


def times_of(draw, generator, frames):
    """Whole seconds: with any steps, or as loggers have them, with gaps, bursts and a little more or less now and then."""
    kind = draw.choice(["any", "even", "shaken", "changes"])
    if kind == "any":
        return generator.integers(0, 4, frames).cumsum()
    if kind == "changes":
        return numpy.exp(generator.uniform(0, 8, frames)).astype(int).cumsum()
    steps = numpy.full(frames, draw.choice([1, 10, 60]))
    if kind == "shaken":
        steps = generator.integers(7, 14, frames)
    far = generator.random(frames) < draw.choice([0.001, 0.02, 0.2])
    steps[far] = (steps[far] * generator.uniform(0, 12, far.sum())).astype(int)
    return steps.cumsum()


def faults_of(seed):
    draw = random.Random(seed)
    channels = draw.choice([1, 1, 2, 5])
    frames = draw.choice([1, 50, 3000, 20000])
    width = draw.choice([1, 1, 2, 9, 64])
    hop = draw.choice([1, 1, 3, width, 100])
    emit = draw.choice(["abs", "max", "min", "range"])
    rule = draw.choice(["above", "below"])
    join = draw.choice([None, None, 0, 1, 5, 200])
    generator = numpy.random.default_rng(seed)
    # Long stretches on either side of the level, and short ones.
    stretch = draw.choice([7, 7, 500])
    wave = numpy.repeat(generator.normal(size=(frames // stretch + 1, channels)), stretch, axis=0)[:frames]
    if stretch == 7:
        wave *= generator.choice([1, 1, 1, 0], size=(frames, channels))
    else:
        wave += generator.normal(size=(frames, channels)) / 50
    samples = wave.round(2).astype("<f4")
    if draw.random() < 0.3:
        samples[generator.random(samples.shape) < 0.01] = numpy.nan
    level = draw.choice([0, 0.5, 0.5 if emit in ("abs", "range") else -0.5, 1.25])  # these are never negative
    whole = draw.random() < 0.2
    if whole:
        # Where float64 has every second integer.
        emit = draw.choice(["min", "max"])
        samples = numpy.nan_to_num(samples * 10).astype("<i8") + draw.choice([0, 2**53, -(2**62)])
        level = int(samples.flat[draw.randrange(samples.size)])
    options = ["-w", width, "--hop", hop, "--emit", emit, "--threads", draw.choice([1, 3])]
    # As raw samples, or as a table of rows at any distance.
    times = times_of(draw, generator, frames) if draw.random() < 0.6 and not whole else None
    gap = draw.choice([None, None, None, "none", 1, 30, 200]) if times is not None else None
    of_time = times is not None and draw.random() < 0.5
    if of_time:
        options[1:4] = [f"{width}s"]
    number = int if whole else numpy.float32 if times is None else numpy.float64
    raw = "s64" if whole else "f32" if times is None else "f64"
    if times is None:
        options += ["-t", raw, "-c", channels, *(["--counts"] if whole else [])]
        data = samples.tobytes()
    else:
        options += ["-t", "csv", "--time", "t", "--time-unit", "s", "--header", 1, "--nan", "propagate"]
        rows = (",".join([str(time), *map(str, row)]) for time, row in zip(times, samples))
        data = "\n".join([",".join(["t", *(f"c{i}" for i in range(channels))]), *rows, ""]).encode()
    values = gpuenv("-q", *options, "-T", raw, data=data)
    values = numpy.frombuffer(values.out, "<" + raw.replace("s64", "i8").replace("f32", "f4").replace("f64", "f8")).reshape(-1, channels)
    windows = [(k * hop, k * hop + width) for k in range(len(values))]
    stretches = until = None
    if times is not None:
        stretch, until = rows_of(times, gap)
        if of_time:
            # Those that begin before the first row, or the first one behind a gap, do not count.
            windows = list(zip(numpy.searchsorted(times, times - width, "right"), range(1, frames + 1)))
            begin = times[numpy.searchsorted(stretch, stretch)]
            kept = times - width >= begin
        else:
            kept = numpy.array([stretch[first] == stretch[end - 1] for first, end in windows], bool)
        windows = [window for window, is_kept in zip(windows, kept) if is_kept]
        values = values[kept]
        stretches = [stretch[end - 1] for _, end in windows]
    if emit != "range" and draw.random() < 0.5:
        options += ["--overall"]
        # A NaN in one channel is one in all.
        best = (values.min if emit == "min" else values.max)(axis=1)
        # Of -0 and +0 NumPy takes any.
        minus = numpy.where(values == 0, numpy.signbit(values), emit != "min")
        minus = minus.any(axis=1) if emit == "min" else minus.all(axis=1)
        values = (best if whole else numpy.where(best == 0, numpy.copysign(best, numpy.where(minus, -1, 1)), best))[:, None]
    join_time = times is not None and join and draw.random() < 0.5
    is_joined = lambda end, start: join is not None and (times[start] - until[end - 1] if join_time else start - end) < join
    ends = lambda first, end: [] if times is None else [str(times[first]), str(until[end - 1])]
    duration = lambda first, end: [] if times is None else [str(until[end - 1] - times[first])]
    least = draw.choice([None, None, 1, 20, 100])
    least_time = times is not None and least and draw.random() < 0.5
    lasts = lambda first, end: least is None or (until[end - 1] - times[first] if least_time else end - first) >= least
    name = lambda channel: f"c{channel}" if times is not None and (channels == 1 or "--overall" not in options) else f"ch{channel + 1}"
    due = [[name(channel), *ends(first, end), str(first), str(end - first), number(extreme), *duration(first, end)]
           for end, channel, first, extreme in spans_of(values, windows, rule, level, is_joined, stretches) if lasts(first, end)]
    options += ["-T", "spans", "--level", f"{rule}:{level}"]
    options += [] if join is None else ["--join", f"{join}s" if join_time else join]
    options += [] if least is None else ["--least", f"{least}s" if least_time else least]
    options += [] if gap is None else ["--gap", gap if gap == "none" else f"{gap}s"]
    done = gpuenv_reads(draw, data, "in", "-q", *options)
    lines = list(csv.reader(io.StringIO(done.out.decode())))
    at = 3 if times is None else 5
    got = [line[:at] + [number(line[at])] + line[at + 1:] for line in lines[1:]]
    timed = times is not None
    head = ["column", *["start", "end"] * timed, "first", "frames", "highest" if rule == "above" else "lowest", *["duration"] * timed]
    if done.status != 0 or lines[0] != head or repr(got) != repr(due):
        return [str(done), f"{got[:3]}, not {due[:3]}"]
    return []


# Samples, their type and the word of --emit, and the levels beside them: 2^53 and the next integer, which float64 does not
# have; both ends of integers; zeros of either sign, also many at once.
LONGS = [2**53, 2**53 + 1, 2**53, 2**63 - 1, -2**63]
ZEROS = [0.0, -0.0, 0.5, -0.0, 0.0, math.nan, -0.0]
EXACT = [(LONGS, "<i8", ["--counts", "-t", "s64", "--emit", "max"],
          ["9007199254740992", "9007199254740992.5", "9007199254740993", "9223372036854775806", "9223372036854775806.5",
           "9223372036854775807", "1e30", "-9223372036854775807", "-9223372036854775807.5", "-9223372036854775808", "-1e19",
           "0", "-0.5"]),
         ([value % 2**64 for value in LONGS], "<u8", ["--counts", "-t", "u64", "--emit", "min"],
          ["9223372036854775807", "9223372036854775808", "9007199254740993", "-1", "0", "99999999999999999999",
           "18446744073709551616"]),
         (ZEROS, "<f8", ["-t", "f64", "--emit", "max"], ["-1", "0.25", "1", "0", "-0"]),
         (([0.0] * 100 + [-0.0] + [0.0] * 100) * 3, "<f4", ["-t", "f32", "--emit", "max"],
          ["0", "-0", "-1", "1e-60", "-1e-60", "1e300"])]


def exact(samples, dtype, words, levels):
    """Comparisons are exact."""
    values = numpy.array(samples, object)[:, None]
    windows = [(k, k + 1) for k in range(len(samples))]
    for rule, level in itertools.product(("above", "below"), levels):
        done = gpuenv("-w", 1, "-T", "spans", *words, f"--level={rule}:{level}", data=numpy.array(samples, dtype).tobytes())
        got = [line.split(",")[1:] for line in done.out.decode().splitlines()[1:]]
        due = [[str(first), str(end - first), str(value).removesuffix(".0")]
               for end, _, first, value in spans_of(values, windows, rule, level, lambda end, start: False)]
        check(done.status == 0 and got == due, done, got, "not", due)


def silences(seed):
    """As ffmpeg's silencedetect, to a frame."""
    generator = numpy.random.default_rng(seed)
    rate = 8000
    parts = []
    for _ in range(20):
        loud = generator.uniform(-0.9, 0.9, size=(generator.integers(1, 8000), 2))
        parts += [loud, loud[:generator.integers(1, 8000)] * generator.choice([0, 0.0005])]
    data = (numpy.concatenate(parts) * 32767).astype("<i2")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "in.wav")
        path.write_bytes(wav(data.tobytes(), 2, 16, rate))
        said = run("ffmpeg", "-hide_banner", "-i", path, "-af", "silencedetect=n=-50dB:d=0.2", "-f", "null", "-").said
        starts = [round(float(time) * rate) for time in re.findall(r"silence_start: ([\d.e-]+)", said)]
        ends = [round(float(time) * rate) for time in re.findall(r"silence_end: ([\d.e-]+)", said)]
        done = gpuenv("-w", "200ms", "-T", "spans", "--level", "below:-50dB", "--overall", path)
    spans = [(int(line["first"]), int(line["first"]) + int(line["frames"]))
             for line in csv.DictReader(io.StringIO(done.out.decode()))]
    near = len(spans) == len(starts) and all(abs(span[0] - start) <= 1 for span, start in zip(spans, starts)) and \
        all(abs(span[1] - end) <= 1 for span, end in zip(spans, ends))
    check(near, done, spans, "not", starts, ends)


def labels(seed):
    """Those for Audacity are the same spans."""
    data = numpy.random.default_rng(seed).normal(0, 0.3, 3000).astype("<f4").tobytes()
    words = ["-w", 3, "-r", 1000, "-c", 2, "--level", "above:0.5"]
    done = gpuenv(*words, "-T", "labels", data=data)
    rows = list(csv.DictReader(io.StringIO(gpuenv(*words, "-T", "spans", data=data).out.decode())))
    due = [f"{row['start']}\t{row['end']}\t{row['column']}: {row['highest']}" for row in rows]
    check(len(due) > 50 and done.out.decode().splitlines() == due, done, due[:3])
    one = gpuenv(*words, "--overall", "-T", "labels", data=data).out.decode().splitlines()
    check(len(one) > 50 and not any(":" in line for line in one), one[:3])
    done = gpuenv("-w", 3, "--level", "above:0.5", "-T", "labels", data=data)
    check(done.status == 1 and "labels files have a rate" in done.said, done)


def moment(text):
    """Nanoseconds since 1970; None: it is not written as ISO 8601."""
    try:
        time = datetime.datetime.fromisoformat(text.removesuffix("Z"))
    except ValueError:
        return None
    return round((time.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)) / datetime.timedelta(microseconds=1)) * 1000


def log(path, column):
    """The spans of a table with times, above and below its middle value; False: the times are written in another way."""
    options = ["-q", "--time", column, "--emit", "max"]
    rows = list(csv.reader(io.StringIO(gpuenv(*options, "-w", 1, "-T", "csv", "--no-frame", path).out.decode())))
    times = [moment(row[0]) for row in rows[1:]]
    if len(times) < 8 or None in times:
        return False
    values = numpy.array([row[1:] for row in rows[1:]], float)
    level = float(numpy.nanmedian(values))
    stretches, until = rows_of(times, None)
    windows = [(k, k + 1) for k in range(len(times))]
    for rule in ("above", "below"):
        done = gpuenv(*options, "-T", "spans", f"--level={rule}:{level!r}", path)
        got = [[row[0], moment(row[1]), moment(row[2]), int(row[3]), int(row[4]), float(row[5]), round(float(row[6]) * 1e9)]
               for row in list(csv.reader(io.StringIO(done.out.decode())))[1:]]
        due = [[rows[0][channel + 1].removesuffix("_max"), times[first], until[end - 1], first, end - first, extreme,
                until[end - 1] - times[first]]
               for end, channel, first, extreme in spans_of(values, windows, rule, level, lambda end, start: False, stretches)]
        check(done.status == 0 and got == due, done, got[:3], "not", due[:3])
        done = gpuenv(*options, "-T", "labels", f"--level={rule}:{level!r}", path)
        got = [[round(Fraction(word) * 10**9) for word in line.split("\t")[:2]] for line in done.out.decode().splitlines()]
        check(done.status == 0 and got == [[row[1] - times[0], row[2] - times[0]] for row in due], done, got[:3])
    return True


def logs():
    heads = pathlib.Path(__file__).resolve().parent.parent / "look" / "heads"
    found = [(path.with_suffix(""), match[1]) for path in sorted(heads.glob("*.look"))
             if (match := re.search(r"^times of rows: (\d+)$", path.read_text(encoding="utf-8"), re.MULTILINE))]
    check(sum(log(path, column) for path, column in found) >= 15, f"few of {len(found)} logs have times")


labels(check_cases(faults_of, 60))
logs()
for case in EXACT:
    exact(*case)
if shutil.which("ffmpeg"):
    for seed in range(1 if FEW else 5):
        silences(seed)
finish()
