#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds tables against pandas: tables.py PROGRAM [CASES [SEED]]

Each seed is a random table, as sensors write them, and a run over it: windows of rows against
rolling(), windows of time against rolling() of a time, intervals of the clock against
resample(origin="epoch"), all after pandas' own read_csv() of the same text. Beyond the years that
pandas has, Python's integers count."""

import bisect
import calendar
import datetime
import io
import itertools
import json
import math
import random
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import check_cases, finish, gpuenv_reads, needed_modules, table_faults

with needed_modules():
    import numpy
    import pandas
    from records import deviations, tree_sum

SECOND = 10**9
UNITS = {"s": SECOND, "ms": 10**6, "us": 10**3, "ns": 1, "min": 60 * SECOND, "h": 3600 * SECOND, "d": 86400 * SECOND}
SPANS = {"250ms": SECOND // 4, "1s": SECOND, "7s": 7 * SECOND, "1min": 60 * SECOND, "15min": 900 * SECOND,
         "1h": 3600 * SECOND, "1d": 86400 * SECOND}
MISSING = ["", "nan", "NA", "N/A", "null", "none", "-", "--", "na", "NaN", "None", "NULL"]
NAMES = ["pressure", "air temp", "größe", 'a "quoted" one', "x,y", "x;y", "p|q", "t\tu", "v1", "7 of 9"]


# ---- times, in nanoseconds since 1970


def civil(ns):
    """The date and time, and the nanoseconds of the second."""
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=ns // SECOND), ns % SECOND


def fraction(ns, least):
    digits = f"{ns:09}"
    while len(digits) > least and digits.endswith("0"):
        digits = digits[:-1]
    return "." + digits if digits else ""


class Form:
    """A way to write times: as the table has them, and as they come out."""

    def __init__(self, draw):
        self.kind = draw.choice(["iso", "iso", "iso", "date", "number", "number", "format", "two", "parts"])
        self.between = draw.choice("T ")
        self.zone = draw.choice(["", "", "Z", "+01:00", "-0530", "+09"])
        self.digits = draw.choice([0, 0, 0, 1, 3, 6, 9]) if self.kind in ("iso", "number", "format") else 0
        self.unit = draw.choice(list(UNITS)) if self.kind == "number" else "s"
        self.format = draw.choice(["%d.%m.%Y %H:%M:%S", "%m/%d/%Y %H-%M-%S", "%Y %j %H:%M:%S"])
        self.names = {"two": ["day", "clock"], "parts": ["y", "m", "d", "h", "min", "s"]}.get(self.kind, ["when"])
        if self.kind == "parts":
            self.kind, self.format = "format", "%Y %m %d %H %M %S"
        self.digits = min(self.digits, len(str(UNITS[self.unit])) - 1)
        # The unit of the last digit, of which times are multiples.
        self.step = 86400 * SECOND if self.kind == "date" else UNITS[self.unit] // 10**self.digits

    def options(self):
        if self.kind == "number":
            return ["--time-unit", self.unit] if self.unit != "s" else []
        if self.kind == "format":
            return ["--time-format", self.format + (".%f" if self.digits else "")]
        return []

    def offset(self):
        digits = self.zone.strip("+-Z").replace(":", "")
        if not digits:
            return 0
        seconds = int(digits[:2]) * 3600 + int(digits[2:] or 0) * 60
        return -seconds if self.zone[0] == "-" else seconds

    def shift(self):
        """From UTC to the clock that the table shows."""
        return self.offset() * SECOND if self.kind == "iso" else 0

    def text(self, ns):
        if self.kind == "number":
            return self.number(ns, self.digits)
        if self.kind == "date":
            return civil(ns)[0].strftime("%Y-%m-%d").rjust(10, "0")
        moment, rest = civil(ns + self.shift())
        part = "." + f"{rest:09}"[:self.digits] if self.digits else ""
        if self.kind == "format":
            return moment.strftime(self.format).replace(str(moment.year), f"{moment.year:04}", 1) + part
        between = " " if self.kind == "two" else self.between
        return moment.isoformat(between, "seconds") + part + (self.zone if self.kind == "iso" else "")

    def number(self, ns, least):
        """The fewest digits that read back as the same nanoseconds."""
        unit = UNITS[self.unit]
        for digits in range(least, 15):
            tens = 10**digits
            shown = (abs(ns) * tens + unit // 2) // unit
            if (shown * unit + tens // 2) // tens == abs(ns):
                break
        return ("-" if ns < 0 else "") + str(shown // tens) + (f".{shown % tens:0{digits}}" if digits else "")

    def out(self, ns, period=None):
        """As it is written: a row's time, or the beginning of an interval of such a period."""
        least = self.digits
        if period is not None:
            least = 0
            while self.kind in ("iso", "two", "date") and period % (SECOND // 10**least):
                least += 1
        if self.kind == "number":
            return self.number(ns, self.digits if period is None else 0)
        moment, rest = civil(ns + self.shift())
        if self.kind == "date" and (period is None or period % (86400 * SECOND) == 0):
            return moment.strftime("%Y-%m-%d").rjust(10, "0")
        if self.kind == "format":
            part = fraction(rest, max(1, self.digits)) if period is None else fraction(rest, 1)
            text = moment.strftime(self.format).replace(str(moment.year), f"{moment.year:04}", 1)
            return text + (part if self.digits else "")
        between = " " if self.kind == "two" else "T" if self.kind == "date" else self.between
        zone = self.zone if self.kind == "iso" else ""
        return moment.isoformat(between, "seconds") + fraction(rest, least) + zone


# ---- tables


class Table:
    """A random text, the options that read it, and what pandas reads in it."""

    def __init__(self, draw):
        self.draw = draw
        self.delimiter = draw.choice([",", ",", ";", "\t", "|", " "])
        self.decimal = draw.choice(".,") if self.delimiter != "," else "."
        self.form = Form(draw) if draw.random() < 0.8 else None
        self.rows = draw.choice([1, 2, 3, 10, 50, 200])
        self.channels = draw.randint(1, 4)
        self.header = draw.choice(["names", "names", "units", "none", "lines"])
        self.skipped = draw.choice([0, 0, 0, 2])
        self.words = draw.random() < 0.3
        self.equal = self.form is not None and draw.random() < 0.3
        self.missing = draw.random() < 0.4
        self.make_times()
        self.make_columns()
        self.make_text()

    def make_times(self):
        draw, form = self.draw, self.form
        if form is None:
            return
        # Whole steps of the last digit, and no more than a few thousand intervals.
        self.span = draw.choice([span for span, ns in SPANS.items()
                                 if form.kind != "format" or ns % (form.step if form.digits else SECOND) == 0])
        period = SPANS[self.span]
        years = draw.choice([(1800, 2200), (1970, 2026), (1, 9990)]) if form.kind != "number" else (1960, 2100)
        # The fraction of a day has no place in pandas' own years; whole seconds are enough of a start.
        start = calendar.timegm((draw.randint(*years), draw.randint(1, 12), draw.randint(1, 28), draw.randint(0, 23),
                                 draw.randint(0, 59), draw.randint(0, 59))) * SECOND
        start -= start % form.step
        typical = max(1, draw.choice([period // 10, period // 2, period, period * 3]) // form.step)
        times = [start]
        while len(times) < self.rows:
            step = typical if self.equal else draw.choice(
                [0, 1, draw.randint(0, 2 * typical), draw.randint(0, 2 * typical), draw.randint(0, 40 * typical)])
            times.append(times[-1] + step * form.step)
        if (times[-1] - times[0]) // period > 20000:
            self.span = "1d"
        self.times = times
        self.distance = typical * form.step

    def make_columns(self):
        draw = self.draw
        self.names = draw.sample(NAMES, self.channels)
        self.values = []
        for _ in range(self.channels):
            digits = draw.randint(0, 8)
            scale = 10.0**draw.randint(-4, 12)
            self.values.append([math.nan if self.missing and draw.random() < 0.1
                                else round(draw.uniform(-scale, scale), digits) for _ in range(self.rows)])
        # What a column holds in the first row decides whether it is read.
        columns = [(name, [self.cell(value) for value in values]) for name, values in zip(self.names, self.values)]
        if self.words:
            columns.insert(draw.randint(0, len(columns)), ("state", [draw.choice(["ok", "bad", "on hold"])
                                                                     for _ in range(self.rows)]))
        self.time_names = []
        if self.form is not None:
            texts = [self.form.text(ns) for ns in self.times]
            self.time_names = self.form.names
            if len(self.time_names) > 1:
                columns[0:0] = [(name, [text.split(" ")[i] for text in texts])
                                for i, name in enumerate(self.time_names)]
            else:
                columns.insert(draw.randint(0, len(columns)), ("when", texts))
        self.columns = columns

    def cell(self, value):
        if math.isnan(value):
            # An empty field between blanks is none, and a line of nothing else is passed over.
            alone = self.channels == 1 and self.form is None and not self.words
            return self.draw.choice(MISSING[1:] if alone or self.delimiter == " " else MISSING)
        text = numpy.format_float_positional(value, trim="-") if self.draw.random() < 0.8 else repr(value)
        return text.replace(".", self.decimal)

    def quote(self, text, name=False):
        special = self.delimiter in text or '"' in text or (self.delimiter == " " and ("\t" in text or not text))
        if special or (name and self.draw.random() < 0.2):
            return '"' + text.replace('"', '""') + '"'
        return text

    def make_text(self):
        draw = self.draw
        lines = [draw.choice(["station 4", "1,2;3", "# x", '"'])] * self.skipped
        line = lambda cells, name=False: self.delimiter.join(self.quote(cell, name) for cell in cells)
        if self.header != "none":
            if draw.random() < 0.3:
                lines.append("# a comment" + self.delimiter)
            lines.append(line([name for name, _ in self.columns], True))
        if self.header == "units":
            lines.append(line([draw.choice(["hPa", "m/s", "deg C"]) for _ in self.columns]))
        if self.header == "lines":
            lines.append(line(["1" for _ in self.columns]))
        body = []
        for i in range(self.rows):
            body.append(line([cells[i] for _, cells in self.columns]))
            if draw.random() < 0.02:
                body.append(draw.choice(["", "# later"]))
        end = draw.choice(["\n", "\n", "\r\n"])
        mark = "\ufeff" if draw.random() < 0.1 else ""
        self.data = (mark + end.join(lines + body) + draw.choice([end, ""])).encode()
        self.type = {",": "csv", ";": "csv", "|": "csv", "\t": draw.choice(["csv", "tsv"]), " ": "txt"}[self.delimiter]

    def options(self):
        draw = self.draw
        options = ["-t", self.type]
        # A comma in the first line, or nothing but one column, hides the others.
        alone = len(self.columns) == 1
        if self.type != "csv" or self.delimiter != "," or alone:
            if self.type == "csv" or draw.random() < 0.3:
                options += ["--delimiter", {"\t": "tab", " ": "blank"}.get(self.delimiter, self.delimiter)]
        if self.decimal == ",":
            options += ["--decimal", ","]
        if self.skipped:
            options += ["--skip-lines", self.skipped]
        if self.header == "none":
            options += ["--header", "no"]
        if self.header == "lines":
            options += ["--header", 2]
        if self.form is not None:
            named = self.header != "none" and draw.random() < 0.7
            places = [[name for name, _ in self.columns].index(name) + 1 for name in self.time_names]
            options += ["--time", ",".join(self.time_names if named else map(str, places)), *self.form.options()]
        return options

    def frame(self):
        """As pandas reads it: the channels, in their order."""
        skipped = self.skipped + (self.data.count(b"# a comment") > 0)
        head = {"names": 1, "units": 2, "lines": 2, "none": 0}[self.header]
        text = self.data.decode("utf-8-sig")
        rows = pandas.read_csv(io.StringIO("".join(text.splitlines(True)[skipped + head:])), sep=self.delimiter,
                               decimal=self.decimal, header=None, comment="#", keep_default_na=False,
                               na_values=MISSING, skip_blank_lines=True, float_precision="round_trip",
                               dtype={i: str for i, (name, _) in enumerate(self.columns) if name not in self.names})
        chosen = [i for i, (name, _) in enumerate(self.columns) if name in self.names]
        return rows[chosen].astype(float).set_axis(self.names, axis=1)


# ---- what is due


def values_of(rows, words, omit):
    """Of each column of some rows of a table."""
    values = []
    for cells in rows.T:
        numbers = cells[~numpy.isnan(cells)]
        count = len(numbers)
        one = {"count": count}
        if omit and count:
            one |= {"first": numbers[0], "last": numbers[-1]}
        elif len(cells):
            one |= {"first": cells[0], "last": cells[-1]}
        if count and (omit or count == len(cells)):
            low, high = numbers.min(), numbers.max()
            one |= {"min": low, "max": high, "abs": max(abs(low), abs(high)), "range": high - low, "mid": (low + high) * 0.5}
            if "mean" in words:
                doubles = numpy.where(numpy.isnan(cells), 0, cells)
                one |= {"mean": tree_sum(doubles) / count, "rms": math.sqrt(tree_sum(doubles * doubles) / count)}
            if "std" in words and count > 1:
                one |= {"std": math.sqrt(float(deviations(cells[None])[2, 0]) / (count - 1))}
        values += [one.get(word, math.nan) for word in words]
    return values


def by_clock(table, skip):
    """(frame, time, first row, row behind the last) of every interval, from the integers."""
    period = SPANS[table.span]
    shift = table.form.shift()
    indices = [(ns + shift) // period for ns in table.times]
    found = []
    at = 0
    for index in range(indices[0], indices[-1] + 1):
        first = at
        while at < len(indices) and indices[at] == index:
            at += 1
        if first < at or not skip:
            found.append((first, table.form.out(index * period - shift, period), first, at))
    return found


def by_window(table, width, center):
    """The same of the window of time around every row."""
    found = []
    twice = [2 * ns for ns in table.times]
    for i, at in enumerate(twice):
        # What lies in (t - w, t] without later rows at t, or in (t - w/2, t + w/2].
        first = bisect.bisect_right(twice, at - (width if center else 2 * width))
        last = bisect.bisect_right(twice, at + width) if center else i + 1
        found.append((i, table.form.out(table.times[i]), first, last))
    return found


def by_rows(table, width):
    times = [None] * table.rows if table.form is None else [table.form.out(ns) for ns in table.times]
    return [(i, times[i], i, i + width) for i in range(table.rows - width + 1)]


def judge(again, frame, rows, words, omit=True):
    """What pandas gives for the same, means nearly."""
    if not rows:
        return []
    table = frame.to_numpy()
    ours = numpy.array([values_of(table[first:last], words, omit) for *_, first, last in rows])
    theirs = numpy.stack([getattr(again, word)().to_numpy() for word in words], axis=2)
    theirs = theirs.reshape(-1, ours.shape[1])[-len(rows):]
    near = numpy.tile([{"mean": 1e-12, "std": 1e-8}.get(word, 0) * frame.abs().max().max() for word in words], len(frame.columns))
    same = (abs(theirs - ours) <= near) | (theirs == ours) | (numpy.isnan(theirs) & numpy.isnan(ours))
    return [] if same.all() else ["pandas does not give what this test thinks"]


def records_faults(run, table, frame, rows):
    """Records of the clock's intervals have the same numbers, and more."""
    records = [json.loads(line) for line in run.out.splitlines()]
    if run.status != 0 or len(records) != len(rows) * len(table.names):
        return [str(run), f"{len(records)} records of {len(rows)} intervals"]
    columns = list(zip(table.names, frame.to_numpy().T))
    for record, (row, (name, column)) in zip(records, itertools.product(rows, columns)):
        number, _, first, last = row
        cells = column[first:last]
        numbers = cells[~numpy.isnan(cells)]
        due = {"frame": number, "frames": last - first, "nan": len(cells) - len(numbers)}
        due |= dict(zip(["min", "max", "mean", "rms"], values_of(cells[:, None], ["min", "max", "mean", "rms"], True)))
        due |= {"first": numbers[0], "last": numbers[-1]} if len(numbers) else {"first": math.nan, "last": math.nan}
        due |= {"column": f"ch{table.names.index(name) + 1}" if table.header == "none" else name}
        wrong = [what for what, value in due.items() if record[what] != (None if value != value else value)]
        if len(numbers) > 1 and not abs(record["std"] - numbers.std(ddof=1)) <= 1e-9 * abs(numbers).max():
            wrong.append("std")
        if wrong:
            return [str(run), f"{wrong} of {record} are not those of {due}"]
    return []


# ---- runs


def index_of(table, shift=0):
    return pandas.DatetimeIndex([numpy.datetime64(ns + shift, "ns") for ns in table.times])


def cut(draw, table, frame, omit):
    """A way to cut the rows: its name, its options, the rows of each output, and what pandas says against them."""
    timed = table.form is not None and not table.equal
    inside = table.form is not None and all(1700 < civil(ns)[0].year < 2250 for ns in table.times)
    way = draw.choice(["clock", "clock", "window", "rows"]) if timed else draw.choice(["window", "rows", "rows"])
    if way == "window" and table.form is not None:
        width = max(1000, draw.choice([1, 3, 10, 60]) * table.distance // draw.choice([1, 1, 2]) // 1000 * 1000)
        center = draw.random() < 0.4
        align = ["--align", "center"] if center else draw.choice([[], ["--align", "causal"]])
        rows = by_window(table, width, center)
        return way, ["-w", f"{width // 1000}us", *align], rows, inside and judge(
            frame.set_axis(index_of(table)).rolling(pandas.Timedelta(width, "ns"), center=center), frame, rows, ["min", "max"])
    if way == "clock":
        skip = draw.random() < 0.3
        rows = by_clock(table, skip)
        words = ["min", "max", "count", "first", "last", *["mean", "std"] * (len(rows) < 300)]
        period = pandas.Timedelta(SPANS[table.span], "ns")
        return way, ["--zoom", table.span, *["--gaps", "skip"] * skip], rows, inside and not skip and judge(
            frame.set_axis(index_of(table, table.form.shift())).resample(period, origin="epoch"), frame, rows, words)
    width = draw.choice([1, 2, 3, 7])
    options = ["-w", width]
    if table.equal and table.distance % 1000 == 0:
        options = ["-w", f"{width * table.distance // 1000}us", "-r", f"{table.distance // 1000}us"]
    rows = by_rows(table, width)
    again = frame.rolling(width, min_periods=1 if omit else width)
    return "rows", options, rows, judge(again, frame, rows, ["min", "max"], omit)


def header_of(table, emits, kind):
    names = ["frame"] + table.time_names if table.header != "none" else \
        ["frame"] + (["date", "clock"] if len(table.time_names) == 2 else
                     ["time"] if len(table.time_names) == 1 else
                     [f"time{i + 1}" for i in range(len(table.time_names))])
    for i, name in enumerate(table.names):
        for emit in emits:
            if table.header == "none":
                name = f"ch{i + 1}" if table.channels > 1 else ""
            names.append(f"{name}_{emit}".lstrip("_"))
    return [name.replace(" ", "_").replace("\t", "_") if kind == "txt" else name for name in names]


def faults_of(seed):
    draw = random.Random(seed)
    table = Table(draw)
    frame = table.frame()
    if not numpy.array_equal(frame.to_numpy(), numpy.array(table.values).T, equal_nan=True):
        return ["the test's own table is not what pandas reads"]
    omit = draw.random() < 0.6
    kind = draw.choice(["csv", "csv", "tsv", "txt"])
    way, cutting, rows, faults = cut(draw, table, frame, omit)
    if faults:
        return faults
    emits = draw.choice([["min", "max"], ["min", "max"], ["max"], ["abs", "range", "mid"],
                         draw.choice([["min", "count", "mean", "max", "rms"], ["std", "first", "last"], ["first", "min"]]) if way == "clock" else ["mid", "min"]])
    options = [*table.options(), "-q", *cutting]
    run = gpuenv_reads(draw, table.data, "in.log", *options, "--emit", ",".join(emits), "-T", kind, "--nan",
                       "omit" if omit else "propagate")
    due = []
    cells = frame.to_numpy()
    for number, time, first, last in rows:
        # A blank would end a time in txt.
        if kind == "txt" and table.form is not None and table.form.kind == "iso":
            time = time.replace(" ", "T")
        times = [] if time is None else time.split(" ") if len(table.time_names) > 1 else [time]
        due.append(([str(number), *times], values_of(cells[first:last], emits, omit)))
    faults = table_faults(run, header_of(table, emits, kind), due, {"csv": ",", "tsv": "\t", "txt": " "}[kind])
    if way == "clock" and len(rows) < 1000 and not faults:
        run = gpuenv_reads(draw, table.data, "in.log", *options, "--emit", "none", "--stats", "-", "--stats-every",
                           table.span)
        faults = records_faults(run, table, frame, rows)
    return faults + [repr(table.data[:600])] if faults else []


check_cases(faults_of, 300)
finish()
