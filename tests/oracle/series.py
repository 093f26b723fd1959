#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds tables of several series, and rows that come late, against pandas: series.py PROGRAM [CASES [SEED]]

Each seed is a random long table: a key, a time, and values. With --by every key is a series of its own: its intervals
are those of groupby().resample(), its windows those of groupby().rolling(), and a loop over the rows says in which order
they come. With --late the output is that of the sorted table. What is written is read again as a table of these keys and names.
Spans, statistics and pictures of keys are those of tables that have one key each: only the numbers of rows differ."""

import bisect
import csv
import io
import math
import random
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import check_cases, finish, gpuenv, gpuenv_reads, needed_modules, table_faults

with needed_modules():
    import numpy
    import pandas

KEYS = ["kitchen", "bath, room", 'a "b"', "größe", "", "7", "1.0", "two  words", "x" * 1000]
HOSTILE = ["#", "# 1", "#N/A", " a", "a ", "\ta", "a\t", " ", '"', '"a', 'b"', "a;b", "a\nb", "\r", "NA", "-", "nan", "'", "\\t",
           "2026-01-01", "|", "sep=;", "a\tb", "a,b"]


def quoted(field):
    special = re.search(r'[",\n\r]|^#|^[ \t]|[ \t]\Z', field)
    return '"' + field.replace('"', '""') + '"' if special else field


class Table:
    def __init__(self, draw):
        self.draw = draw
        self.keys = draw.sample(draw.choice([KEYS, KEYS + HOSTILE]), draw.choice([1, 2, 3, 7])) + [f"k{i}" for i in range(draw.choice([0, 0, 200]))]
        self.rows = draw.choice([1, 2, 20, 300, 3000])
        self.channels = draw.choice([1, 1, 2])
        self.names = draw.choice([[f"v{i}" for i in range(self.channels)] + ["key"], draw.sample(HOSTILE, self.channels + 1)])
        # Series begin at different times, and are mixed, or one behind the other.
        mixed = draw.random() < 0.7
        times = {key: draw.randint(0, 500) for key in self.keys}
        self.table = []
        for i in range(self.rows):
            key = draw.choice(self.keys) if mixed else self.keys[i * len(self.keys) // self.rows]
            times[key] += draw.choice([0, 0, 1, 2, 5, 30])
            values = [math.nan if draw.random() < 0.1 else draw.randint(-99, 99) / 4 for _ in range(self.channels)]
            self.table.append((key, times[key], values))

    def text(self, rows):
        lines = [["t", *self.names]]
        lines += [[str(time), *("" if math.isnan(value) else str(value) for value in values), key] for key, time, values in rows]
        return "".join(",".join(map(quoted, line)) + "\n" for line in lines).encode()


def values_of(rows, channels):
    return numpy.array([values for _, _, values in rows], float).reshape(-1, channels)


def extremes(values, omit):
    """min and max of each channel over these rows."""
    if not len(values):
        return [math.nan] * (2 * values.shape[1])
    low, high = (numpy.fmin, numpy.fmax) if omit else (numpy.minimum, numpy.maximum)
    return numpy.stack([low.reduce(values), high.reduce(values)], axis=1).ravel().tolist()


def intervals(table, keys, rows, period, omit, skip):
    """(key, number, begin, values) in the order in which they are complete; `keys` in that of the file."""
    series = {}
    due = []

    def end(key, until):
        """All intervals of a series before the one that begins at `until`."""
        number, begin, inside = series[key]
        due.append((key, number, begin, extremes(values_of(inside, table.channels), omit)))
        return begin + period

    for number, row in enumerate(rows):
        key, begin = row[0], row[1] // period * period
        if key in series and series[key][1] < begin:
            after = end(key, begin)
            while after < begin and not skip:
                series[key] = (number, after, [])
                after = end(key, begin)
            series[key] = (number, begin, [])
        series.setdefault(key, (number, begin, []))[2].append(row)
    for key in keys:
        end(key, None)
    return due


def windows(table, keys, rows, width, center, omit):
    series = {}
    for number, row in enumerate(rows):
        series.setdefault(row[0], []).append((number, row))
    due = []
    for key, own in series.items():
        twice = [2 * row[1] for _, row in own]
        values = values_of([row for _, row in own], table.channels)
        for i, (number, row) in enumerate(own):
            first = bisect.bisect_right(twice, twice[i] - (width if center else 2 * width))
            last = bisect.bisect_right(twice, twice[i] + width) if center else i + 1
            # When it is complete: with its row, or with the first one beyond it, or at the end.
            behind = own[last][0] if last < len(own) else math.inf
            due.append(((behind if center else number), keys.index(key), i,
                        (key, number, row[1], extremes(values[first:last], omit))))
    return [line for *_, line in sorted(due, key=lambda line: line[:3])]


def judge(table, rows, due, way, length):
    """What pandas gives for the same."""
    names = [f"v{i}" for i in range(table.channels)]
    frame = pandas.DataFrame([[key, *values] for key, _, values in rows], columns=["key", *names],
                             index=pandas.to_datetime([time for _, time, _ in rows], unit="s"))
    for key in frame["key"].unique():
        own = frame[frame["key"] == key][names]
        again = own.resample(f"{length}s", origin="epoch") if way == "zoom" else own.rolling(f"{length}s", center=way == "center")
        both = numpy.stack([again.min().to_numpy(), again.max().to_numpy()], axis=2).reshape(-1, 2 * table.channels)
        if not numpy.array_equal(both, numpy.array([values for other, *_, values in due if other == key]), equal_nan=True):
            return False
    return True


def delay(rows, late, draw):
    """The rows, each up to `late` seconds late."""
    return [rows[at] for _, at in sorted((row[1] + draw.choice([0, 0, late // 2, late]), at) for at, row in enumerate(rows))]


def put_in_order(rows, late):
    """The rows in the order in which they go on: of each key when no earlier one can come."""
    held, newest, order = {}, {}, []
    for at, (key, time, _) in enumerate(rows):
        bisect.insort(held.setdefault(key, []), (time, at))
        newest[key] = max(newest.get(key, time), time)
        while held[key] and held[key][0][0] <= newest[key] - late:
            order.append(held[key].pop(0)[1])
    for own in held.values():
        order += [at for _, at in own]
    return [rows[at] for at in order]


def faults_of(seed):
    draw = random.Random(seed)
    table = Table(draw)
    keyed = draw.random() < 0.6
    late = draw.choice([0, 0, 10, 100]) if keyed else draw.choice([1, 10, 100, 1000])
    way = draw.choice(["zoom", "zoom", "causal", "center"])
    length = draw.choice([1, 7, 60, 1000])
    omit = draw.random() < 0.7
    skip = way == "zoom" and draw.random() < 0.3
    options = ["-q", "--time", "t", "--columns", ",".join(str(i + 2) for i in range(table.channels)),
               "--nan", "omit" if omit else "propagate", "--zoom" if way == "zoom" else "-w", f"{length}s"]
    options += ["--align", "center"] if way == "center" else []
    options += ["--gaps", "skip"] if skip else []
    options += ["--by", table.channels + 2 if table.names[-1] != "key" else draw.choice(["key", table.channels + 2])] if keyed else []
    options += ["--late", f"{late}s"] if late else []
    options += draw.choice([[], ["--chunk", draw.choice([1, 7])], ["--threads", 1]])
    rows = table.table if keyed else sorted((("", time, values) for _, time, values in table.table), key=lambda row: row[1])
    rows = delay(rows, late, draw) if late else rows
    order = put_in_order(rows, late)
    if not keyed and order != sorted(rows, key=lambda row: row[1]):
        return ["rows are later than this test thinks"]
    keys = list(dict.fromkeys(row[0] for row in rows))
    due = intervals(table, keys, order, length, omit, skip) if way == "zoom" else \
        windows(table, keys, order, length, way == "center", omit)
    if omit and not skip and not judge(table, order, due, way, length):
        return ["pandas does not give what this test thinks"]
    data = table.text(rows)
    run = gpuenv_reads(draw, data, "in.csv", "-t", "csv", "-T", "csv", *options)
    names = [f"{name}_{emit}" for name in table.names[:-1] for emit in ("min", "max")]
    head = table.names[-1:] * keyed + ["frame", "t", *names]
    faults = table_faults(run, head, [([key] * keyed + [str(number), str(time)], values) for key, number, time, values in due])
    return faults or (again_faults(draw, data, options, head, [key for key, *_ in due]) if keyed else [])


def again_faults(draw, data, options, head, keys):
    """What is written, as any kind of text, is read again: the same keys and names, but for blanks in txt."""
    kind = draw.choice(["csv", "tsv", "txt"])
    written = gpuenv("-t", "csv", "-T", kind, *options, "-", data=data)
    again = gpuenv("-q", "-t", kind, "--time", 3, "--by", 1, "--columns", ",".join(str(i + 4) for i in range(len(head) - 3)),
                   "-T", "csv", "-w", "1s", "--emit", "max", "-", data=written.out)
    own = (lambda text: re.sub("[ \t\r\n]", "_", text)) if kind == "txt" else str
    lines = list(csv.reader(io.StringIO(again.out.decode(), newline="")))
    due = [own(head[0]), "frame", "t", *(own(name) + "_max" for name in head[3:])]
    same = again.status == 0 and lines[:1] == [due] and [line[0] for line in lines[1:]] == list(map(own, keys))
    return [] if same else [str(written), str(again), f"{lines[:1]}, not {due}", repr(written.out[:500])]


def lines_of(text):
    return list(csv.reader(io.StringIO(text.decode(), newline="")))


def alone_faults(seed):
    """Spans and statistics with --by are those of the rows of each key alone, in order."""
    draw = random.Random(seed)
    table = Table(draw)
    channels = list(range(2, 2 + table.channels))
    options = ["-q", "-t", "csv", "--time", "t", "--columns", ",".join(map(str, channels))]
    options += draw.choice([[], ["--from", draw.randint(0, 300), "--to", draw.randint(400, 900)]])
    length = draw.choice([[], [], ["-w", "7s"], ["--zoom", "30s"], ["--zoom", "30s", "--gaps", "skip"]])
    if draw.random() < 0.5:
        options += ["-T", "spans", "--level", draw.choice(["above:5", "below:0"]), *length]
        options += draw.choice([[], ["--join", "20s"], ["--least", "10s"], *([] if length else [["--join", 5], ["--least", 2]])])
        options += draw.choice([[], ["--gap", "none"], ["--gap", "25s"]]) if "--zoom" not in length else []
        places = ["first"]
    else:
        options += ["--emit", "none", "--stats", "-", "--stats-format", "csv"]
        options += draw.choice([[], ["--stats-every", "1min"], ["--stats-every", 5]])
        places = ["frame", "argmin", "argmax", "argabs"]
    more = draw.choice([[], ["--chunk", draw.choice([1, 7])], ["--threads", 1]])
    run = gpuenv_reads(draw, table.text(table.table), "in.csv", *options, *more, "--by", table.channels + 2)
    if run.status != 0:
        return [str(run)]
    head, *got = lines_of(run.out)
    for key in dict.fromkeys(row[0] for row in table.table):
        own = [(number, row) for number, row in enumerate(table.table) if row[0] == key]
        alone = gpuenv(*options, "-", data=table.text([row for _, row in own]))
        due_head, *due = lines_of(alone.out)
        if head[1:] != due_head:
            return [f"{head}, not {due_head}", str(run)]
        if "frame" in places and len(due) == table.channels and due[0][due_head.index("frames")] == "0":
            due = []  # no row of the key is in the range
        for line in due:
            for place in places:
                at = due_head.index(place)
                # Behind the last row of the key stands the next row of the table; an interval without rows has no such row.
                if line[at] != "nan" and int(line[at]) < len(own):
                    line[at] = str(own[int(line[at])][0])
        mine = [line[1:] for line in got if line[0] == key]
        if "frame" in places:
            mine, due = ([line[:-1] for line in lines] for lines in (mine, due))  # without the name of the file
        if mine != due:
            return [f"{key!r}: {mine[:3]}, not {due[:3]}", str(run), str(alone)]
    return []


check_cases(faults_of, 150)
check_cases(alone_faults, 150)
finish()
