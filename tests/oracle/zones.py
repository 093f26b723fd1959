#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds intervals of local clocks against pandas: zones.py PROGRAM [CASES [SEED]]

Each seed is a table of rows around a change of a zone's clock, or over years, with times in UTC, with the offset of
each row, or as the clock shows them. Days, weeks, months, quarters and years are those of pandas' resample(); shorter
intervals, the moments of doubled hours, and the hours that a clock skips follow from zoneinfo. Windows of time are those of
pandas' rolling()."""

import csv
import datetime
import io
import os
import random
import sys
import zoneinfo

sys.path.insert(1, sys.path[0] + "/..")
from harness import check_cases, finish, gpuenv, gpuenv_reads, needed_modules, skip

with needed_modules():
    import numpy
    import pandas

if not os.path.exists("/usr/share/zoneinfo/Europe/Berlin"):
    skip("no time zones")
UTC = datetime.timezone.utc
ZONES = ["Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata", "Australia/Lord_Howe",
         "America/St_Johns", "Asia/Tehran", "Europe/Dublin", "America/Havana", "Pacific/Apia", "Africa/Cairo", "UTC"]
CALENDAR = {"1d": ("D", {}), "1w": ("W-MON", {"closed": "left", "label": "left"}), "1mo": ("MS", {}), "3mo": ("QS", {}),
            "1y": ("YS", {})}
SHORT = {"10min": 600, "1h": 3600, "5h": 18000, "12h": 43200, "90s": 90}


def offset(zone, seconds):
    return int(datetime.datetime.fromtimestamp(seconds, zone).utcoffset().total_seconds())


def changes(zone, first, last):
    """The seconds in [first, last) from which the offset is another."""
    found = []
    for at in range(first - first % 3600, last, 3600):
        if offset(zone, at) != offset(zone, at + 3600):
            low, high = at, at + 3600
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == offset(zone, at) else (low, middle)
            found.append(high)
    return found


def moments(zone, shown):
    """When the clock shows this: none, one, or two."""
    found = set()
    for fold in (0, 1):
        at = int(shown.replace(tzinfo=zone, fold=fold).timestamp())
        if datetime.datetime.fromtimestamp(at, zone).replace(tzinfo=None, fold=0) == shown:
            found.add(at)
    return sorted(found)


def short_intervals(zone, times, length):
    """The beginning of the interval of each row."""
    begins = []
    for at in times:
        begin = (at + offset(zone, at)) // length * length - offset(zone, at)
        for change in changes(zone, begin, at + 1) if offset(zone, begin) != offset(zone, at) else []:
            begin = change
        begins.append(begin)
    return begins


class Case:
    def __init__(self, draw):
        self.name = draw.choice(ZONES)
        self.zone = zoneinfo.ZoneInfo(self.name)
        self.length = draw.choice(list(CALENDAR) + list(SHORT))
        start = int(datetime.datetime(draw.randint(1985, 2030), draw.randint(1, 12), draw.randint(1, 28),
                                      tzinfo=UTC).timestamp()) + draw.randint(0, 86399)
        if draw.random() < 0.7:
            found = changes(self.zone, start, start + 366 * 86400)
            start = draw.choice(found) - draw.randint(0, 86400) if found else start
        step = draw.choice([60, 600, 1800, 3600, 86400] if self.length in SHORT else [600, 3600, 86400, 30 * 86400])
        hourly = draw.random() < 0.2
        if hourly:
            self.length, step = draw.choice(["10min", "1h", "12h"]), 3600
        even = hourly or draw.random() < 0.5
        self.times = [start]
        while len(self.times) < draw.choice([3, 30, 120]):
            self.times.append(self.times[-1] + draw.choice([step, step, step if even else draw.randint(0, 2 * step)]))
        self.form = "local" if hourly else draw.choice(["utc", "offsets", "local", "epoch"])
        if self.form == "local":
            self.see_clock()
        self.values = [round(draw.uniform(-9, 9), 3) for _ in self.times]

    def see_clock(self):
        """Times without offsets are what pandas infers, or what they can be where it does not: of two moments the first
        that does not go back, nor repeats a time of rows at least an hour apart."""
        self.shown = [datetime.datetime.fromtimestamp(at, self.zone).replace(tzinfo=None, fold=0) for at in self.times]
        try:
            inferred = pandas.DatetimeIndex(self.shown).tz_localize(self.name, ambiguous="infer")
            self.inferred = [int(at.timestamp()) for at in inferred]
        except Exception:
            self.inferred = None
        last, coarse = None, True
        for i, shown in enumerate(self.shown):
            both = moments(self.zone, shown)
            if last is not None:
                both = [at for at in both if at > last or at == last and not (coarse and len(both) > 1)] or both[-1:]
                coarse = coarse and both[0] - last >= 3600
            last = self.times[i] = both[0]

    def time(self, i):
        if self.form == "local":
            return str(self.shown[i])
        if self.form == "epoch":
            return str(self.times[i])
        return datetime.datetime.fromtimestamp(self.times[i], self.zone if self.form == "offsets" else UTC).isoformat()

    def seconds(self, text):
        """The moment that the program wrote; as the clock shows it where the table does so."""
        return int(text) if self.form == "epoch" else text if self.form == "local" else \
            int(datetime.datetime.fromisoformat(text).timestamp())

    def due(self):
        """(begin, least, largest) of every interval that has rows."""
        index = pandas.to_datetime(self.times, unit="s", utc=True).tz_convert(self.name)
        series = pandas.Series(self.values, index=index)
        if self.length in CALENDAR:
            rule, how = CALENDAR[self.length]
            blocks = series.resample(rule, **how)
            rows = [(int(label.timestamp()), low, high)
                    for label, low, high in zip(blocks.min().index, blocks.min(), blocks.max()) if not numpy.isnan(low)]
        else:
            blocks = series.groupby(short_intervals(self.zone, self.times, SHORT[self.length]))
            rows = list(zip(blocks.min().index, blocks.min(), blocks.max()))
        if self.form == "local":
            clock = lambda at: str(datetime.datetime.fromtimestamp(at, self.zone).replace(tzinfo=None, fold=0))
            return [(clock(at), low, high) for at, low, high in rows]
        return rows


def windows_of(case, text):
    """What is wrong with windows of time, which are as long as they are on both sides of a change of the clock."""
    length = {"1d": "25h", "1w": "90min"}.get(case.length, "3h")
    run = gpuenv("-q", "-t", "csv", "--time", "when", "-w", length, "--time-zone", case.name, "--no-frame", data=text.encode())
    lines = list(csv.reader(io.StringIO(run.out.decode())))[1:]
    rolled = pandas.Series(case.values, index=pandas.to_datetime(case.times, unit="s", utc=True).tz_convert(case.name)).rolling(length)
    due = list(zip(rolled.min(), rolled.max()))
    return [] if [tuple(map(float, line[1:])) for line in lines] == due else [str(run), case.name, length, case.form, repr(text[:300])]


def faults_of(seed):
    case = Case(random.Random(seed))
    if case.form == "local" and any(later < earlier for earlier, later in zip(case.times, case.times[1:])):
        return []
    if case.form == "local" and case.inferred not in (None, case.times):
        return [f"pandas infers other times: {case.name}", repr(case.shown[:9])]
    text = "when,v\n" + "".join(f"{case.time(i)},{value}\n" for i, value in enumerate(case.values))
    try:
        due = case.due()
    except Exception as failed:  # pandas cannot name some beginnings of days
        return [] if "Time" in type(failed).__name__ else [repr(failed)]
    run = gpuenv_reads(random.Random(seed), text.encode(), "in.csv", "-t", "csv", "--time", "when", "--zoom", case.length,
                       "--gaps", "skip", "--time-zone", case.name, "-T", "csv")
    lines = list(csv.reader(io.StringIO(run.out.decode())))[1:]
    got = [(case.seconds(line[1]), float(line[2]), float(line[3])) for line in lines]
    if run.status == 0 and got == due:
        return windows_of(case, text)
    wrong = [(one, other) for one, other in zip(got, due) if one != other][:3]
    return [str(run), case.name, case.length, case.form, f"{len(got)} and {len(due)}", repr(wrong), repr(text[:300])]


check_cases(faults_of, 200)
finish()
