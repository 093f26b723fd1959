#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds --pick, --mix and --iq against Python, in every way of the program: channels.py PROGRAM [CASES [SEED]]

Each seed is a random table or array. What the option makes of its channels is worked out here, and written as a table
or an array of its own: the same way over that gives the same bytes, however the first is cut into chunks and threads."""

import csv
import io
import math
import pathlib
import random
import re
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check_cases, finish, gpuenv, gpuenv_reads, needed_modules

with needed_modules():
    import numpy

ROWS = [["-w", 1], ["-w", 3], ["-w", 5, "--align", "center"], ["-w", 4, "--hop", 3, "--align", "forward"], ["--zoom", 7]]
TIMES = [["-w", "7s"], ["-w", "20s", "--align", "center"], ["--zoom", "10s"], ["--zoom", "3s", "--gaps", "skip"]]
EMITS = [[], ["--emit", "max"], ["--emit", "abs,range,mid"], ["--emit", "argmin,min"]]
SUMS = ["--emit", "mean,rms,count,max,std"]


def option(draw, channels):
    """An option, what it makes of the values of a row, and the channels that keep their names."""
    picks = draw.choice([[], [draw.randrange(channels) for _ in range(draw.choice([1, 2, 2, 4]))]])
    pick = ["--pick", ",".join(str(place + 1) for place in picks)] * (len(picks) > 0)
    places = picks or list(range(channels))
    pairs = list(zip(places[::2], places[1::2])) if len(places) % 2 == 0 else []
    mean = lambda values: [sum(values) / len(values)]
    magnitudes = lambda row: [math.sqrt(row[i] * row[i] + row[q] * row[q]) for i, q in pairs]
    ways = [(pick, lambda row: [row[place] for place in places], places)] if picks else []
    ways += [([*pick, "--mix"], lambda row: mean([row[place] for place in places]), [])]
    if pairs:
        ways += [([*pick, "--iq"], magnitudes, []), ([*pick, "--iq", "--mix"], lambda row: mean(magnitudes(row)), [])]
    return draw.choice(ways)


def table_of(rows, names, delayed):
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n").writerow
    write(["t", "key", *names])
    for time, key, values in sorted(rows, key=lambda row: row[0] + delayed[row[0]]) if delayed else rows:
        write([time, key, *("" if math.isnan(value) else repr(float(value)) for value in values)])
    return file.getvalue().encode()


def array_of(rows):
    file = io.BytesIO()
    numpy.save(file, numpy.array([values for *_, values in rows]))
    return file.getvalue()


def way_of(draw, by_times):
    """Options of a way through the program; `by_times`: of rows with times, too."""
    cut = draw.choice(TIMES if by_times else ROWS)
    if draw.random() < 0.25:
        every = ["--stats-every", draw.choice([3, "10s"] if by_times else [3, 50])]
        return ["--emit", "none", "--stats", "-", *draw.choice([[], every])]
    if draw.random() < 0.25:
        return [*(cut if "--align" not in cut else cut[:2]), "-T", "spans", "--level", draw.choice(["above:2.5", "below:3"])]
    emit = SUMS if cut[0] == "--zoom" and draw.random() < 0.5 else draw.choice(EMITS)
    kind = draw.choice(["csv", "npy", "f32"] if "argmin,min" not in emit else ["csv"])
    return [*cut, *emit, "-T", kind, *draw.choice([[], ["--overall"]] if "argmin,min" not in emit else [[]])]


def faults_of(seed):
    draw = random.Random(seed)
    channels = draw.choice([1, 2, 2, 3, 4, 6])
    is_array = draw.random() < 0.2
    by_times = not is_array and draw.random() < 0.8
    time, rows = draw.randrange(100), []
    for _ in range(draw.choice([1, 5, 40, 300])):
        time += draw.choice([0, 1, 1, 2, 9])
        rows.append((time, draw.choice("ab"),
                     [math.nan if draw.random() < 0.05 else draw.randint(-99, 99) / 4 for _ in range(channels)]))
    words, work, kept = option(draw, channels)
    made = [(time, key, work(values)) for time, key, values in rows]
    way = way_of(draw, by_times)
    timed = by_times and "--stats" not in way
    delayed = {row[0]: draw.choice([0, 0, 6]) for row in rows} if timed and draw.random() < 0.3 else None
    frames = "--stats" not in way and "spans" not in way
    if by_times:
        way += ["--time", "t", *["--late", "6s"] * (delayed is not None)]
        way += ["--by", "key"] * (frames and "csv" in way and draw.random() < 0.4)
    way += ["--nan", draw.choice(["omit", "propagate"]), "-q"]
    if is_array:
        kind, data, due = "npy", array_of(rows), array_of(made)
    else:
        kind, data = "csv", table_of(rows, [f"v{i}" for i in range(channels)], delayed)
        due = table_of(made, [f"v{i}" for i in kept] or ["x"] * len(made[0][2]), delayed)
        way += ["--columns", None]
    # Each kind of chunks, and of threads.
    cut = draw.choice([[], ["--chunk", 1], ["--chunk", 2], ["--chunk", 7], ["--chunk", 64]]) + \
        draw.choice([[], ["--threads", 1], ["--threads", 3], ["--algorithm", "lemire"]])
    columns = lambda count: [",".join(str(i + 3) for i in range(count)) if word is None else word for word in way]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "out")  # .npy begins with its length
        to = ["-o", file] if "npy" in way else []
        one = gpuenv_reads(draw, data, "in." + kind, "-t", kind, *columns(channels), *words, *cut, *to)
        got = file.read_bytes() if to and one.status == 0 else one.out
        other = gpuenv("-t", kind, *columns(len(made[0][2])), *to, "-", data=due)
        due = file.read_bytes() if to else other.out
    # A table made of others has no names.
    named = re.compile(rb'"column":("\w+"|null)') if "--stats" in way else re.compile(rb"^(frame|key),.*|(?m:^)(x|ch[0-9]+),")
    same = named.sub(b"", got) == named.sub(b"", due) and one.status == other.status == 0
    return [] if same else [str(one), str(other), f"{got[:300]!r}, not {due[:300]!r}", repr(data[:300])]


check_cases(faults_of, 150)
finish()
