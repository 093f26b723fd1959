#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds tables as other programs write them against pandas: foreign.py PROGRAM [CASES [SEED]]

Each seed is a small table as pandas, R, spreadsheets or loggers write it: names that are numbers, lines of units, rows
without values, rows of delimiters alone, headers in the middle, all ends of lines. The program has to find by itself what
pandas' read_csv() is told here: how many lines of header there are, and which columns have numbers."""

import io
import random
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import check_cases, finish, gpuenv_reads, needed_modules, table_faults

with needed_modules():
    import pandas

MISSING = ["", "NA", "nan", "#N/A", "<NA>", "#DIV/0!", "#VALUE!", "null", "1.#QNAN", "-"]
LABELS = {
    "none": None,
    "date": lambda i: f"2026-03-{i % 28 + 1:02}",
    "month": lambda i: f"{1959 + i // 12}-{i % 12 + 1:02}",
    "dotted": lambda i: f"{i % 28 + 1:02}.02.2026 10:00",
    "slashes": lambda i: f"{i % 12 + 1}/7/2026",
    "clock": lambda i: f"{i % 24:02}:30",
    "words": lambda i: f"site {chr(97 + i % 26)}",
}


class Table:
    def __init__(self, draw):
        self.draw = draw
        self.delimiter = draw.choice([",", ",", ";", "\t", "|"])
        self.labels = draw.choice(list(LABELS))
        self.rows = draw.choice([3, 4, 10, 40])
        self.columns = draw.randint(1 if self.labels != "none" else 2, 4)
        dated = self.labels not in ("none", "words")
        # Years above numbers need a word above a date to be names.
        self.style = draw.choice(["words", "words", "units"] + ["years", "counted", "frame"] * dated)
        self.make_names()
        self.make_rows()
        self.make_text()

    def make_names(self):
        draw, count = self.draw, self.columns
        self.names = {"years": [str(1990 + 3 * i) for i in range(count)], "counted": [str(i) for i in range(count)],
                      "frame": [str(i) for i in range(count)]}.get(self.style) or \
            draw.sample(["pm10", "air temp", "NOx", "Na", "größe", "v1", "10 m wind"], count)
        if all(name.lower() in ("na", "v1") for name in self.names):
            self.names[0] = "hPa"
        self.label = "" if self.style == "frame" else draw.choice(["Month", "station", "date/time"])

    def make_rows(self):
        draw = self.draw
        dense = draw.random() < 0.5
        # Where a name is a missing word, only the first row can say that it is one.
        lost = draw.random() < 0.3 and "Na" not in self.names
        self.cells = []
        for i in range(self.rows):
            row = [str(round(draw.uniform(-99, 99), draw.randint(0, 4))) for _ in range(self.columns)]
            if not dense:
                row = [cell if draw.random() < 0.7 else draw.choice(MISSING) for cell in row]
            if i == 0 and lost:
                row = [""] * self.columns
            if i == 1 or (i == 2 and lost):
                row = [str(draw.randint(0, 9)) for _ in row]
            if self.labels == "none" and not any(row):
                row[0] = "NA"
            self.cells.append(row)

    def line(self, label, cells):
        cells = ([] if self.labels == "none" else [label]) + cells
        quote = lambda cell: f'"{cell}"' if self.delimiter in cell else cell
        return self.delimiter.join(map(quote, cells))

    def make_text(self):
        draw = self.draw
        label = LABELS[self.labels]
        head = [self.line(self.label, self.names)]
        if self.style == "units":
            head.append(self.line("", [draw.choice(["hPa", "m/s", "°C", "%"]) for _ in self.names]))
        body = [self.line(label(i) if label else "", row) for i, row in enumerate(self.cells)]
        surplus = self.delimiter if self.style != "frame" and draw.random() < 0.15 else ""
        body = [line + surplus for line in body]
        if draw.random() < 0.3:
            head = [line + surplus for line in head]
        # Rows are more than lines of header.
        self.repeats = 1 if draw.random() < 0.2 and not self.style == "frame" and len(body) > 2 * len(head) else 0
        if self.repeats:
            at = draw.randint(2, len(body))
            body[at:at] = head
        if draw.random() < 0.2:
            body += [self.delimiter * (self.columns + 1)] * draw.randint(1, 3)
        self.head = len(head)
        self.ends = draw.choice(["\n", "\n", "\r\n", "\r\r\n", "\r"])
        self.data = (self.ends.join(head + body) + draw.choice([self.ends, ""])).encode()
        self.lines = [line for line in body if line not in head and line.strip(self.delimiter)]

    def frame(self):
        """The numbers, as pandas reads them."""
        text = "\n".join(self.lines)
        frame = pandas.read_csv(io.StringIO(text), sep=self.delimiter, header=None, keep_default_na=False,
                                na_values=MISSING, float_precision="round_trip", index_col=False)
        first = 0 if self.labels == "none" else 1
        return frame.iloc[:, first:first + self.columns].astype(float).to_numpy()


def faults_of(seed):
    draw = random.Random(seed)
    table = Table(draw)
    run = gpuenv_reads(draw, table.data, "in.csv", "-t", "csv", "-w", 1, "--emit", "min", "-T", "csv", "--no-frame")
    faults = table_faults(run, [f"{name}_min" for name in table.names], [([], row) for row in table.frame()])
    if run.said.count("repeat") != table.repeats:
        faults.append(f"{table.repeats} headers are repeated: {run}")
    return faults + [repr(table.data[:500])] if faults else []


check_cases(faults_of, 300)
finish()
