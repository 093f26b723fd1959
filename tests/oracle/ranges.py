#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Holds --from and --to against rows that are chosen before: ranges.py PROGRAM [CASES [SEED]]

Of tables the rows are chosen by their times in Python, over changes of summer time in five zones; what comes must be that of
the table of these rows, with frames that count from the whole one. Of sound the frames are chosen by --skip and --frames."""

import datetime
import os
import pathlib
import random
import sys
import tempfile
import zoneinfo

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, check_cases, finish, gpuenv, gpuenv_reads, needed_modules, wav

with needed_modules():
    import numpy

ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Sao_Paulo"]
UTC = datetime.timezone.utc
# Some hours before a change of the clocks in one of the zones.
BEGINS = ["2026-03-28T20:00", "2026-10-24T20:00", "2026-03-07T20:00", "2026-10-31T22:00", "2026-04-04T08:00", "2017-10-14T20:00"]


def first_moment(shown, zone):
    """The first moment at which the clock shows this, or a later time."""
    at = shown.replace(tzinfo=zone, fold=0)
    back = at.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if back != shown:  # skipped: the clocks change here, between the two readings
        low, high = sorted((at.astimezone(UTC), at.replace(fold=1).astimezone(UTC)))
        while high - low > datetime.timedelta(seconds=1):
            middle = low + (high - low) / 2
            low, high = (low, middle) if middle.astimezone(zone).utcoffset() != low.astimezone(zone).utcoffset() else (middle, high)
        return high.replace(microsecond=0)
    return at.astimezone(UTC)


def bound_of(draw, moment, kind, zone, first):
    """A text that means a moment near this one, and that moment."""
    how = draw.choice(["length", "date", "minute", "zoned", "whole"])
    if how == "length":
        seconds = max(int((moment - first).total_seconds()), 1)
        text = draw.choice([f"{seconds}s", f"{seconds // 3600}h{seconds % 3600}s", f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"])
        return text, first + datetime.timedelta(seconds=seconds)
    if kind == "number" and how != "zoned":
        seconds = int(moment.timestamp()) + draw.choice([0, 0.5])
        return f"{seconds}", datetime.datetime.fromtimestamp(seconds, UTC)
    shown = moment.astimezone(zone).replace(tzinfo=None)
    if how == "date":
        return f"{shown:%Y-%m-%d}", first_moment(shown.replace(hour=0, minute=0, second=0), zone)
    if how == "minute":
        return f"{shown:%Y-%m-%dT%H:%M}", first_moment(shown.replace(second=0), zone)
    if how == "zoned":
        return f"{moment:%Y-%m-%dT%H:%M:%SZ}", moment
    return f"{shown:%Y-%m-%d %H:%M:%S}", first_moment(shown, zone)


def table_of(draw):
    """The options of a table, the clock by which it counts, its times and its lines."""
    begin = datetime.datetime.fromisoformat(draw.choice(BEGINS)).replace(tzinfo=UTC)
    zone = zoneinfo.ZoneInfo(draw.choice(ZONES))
    kind = draw.choice(["utc", "offset", "number", "form"])
    steps = numpy.random.default_rng(draw.randrange(2**32)).integers(0, draw.choice([2, 600, 6000]), draw.choice([3, 40, 700])).cumsum()
    times = [begin + datetime.timedelta(seconds=int(step)) for step in steps]
    options = ["--time-zone", zone.key]
    if kind == "offset" and draw.random() < 0.5:
        zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
        options = []
    write = {"utc": lambda time: f"{time:%Y-%m-%dT%H:%M:%SZ}", "number": lambda time: str(int(time.timestamp())),
             "offset": lambda time: time.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30))).isoformat(),
             "form": lambda time: f"{time:%d.%m.%Y %H:%M:%S +0000}"}[kind]
    options += ["--time-format", "%d.%m.%Y %H:%M:%S %z"] if kind == "form" else []
    keyed = draw.random() < 0.3
    lines = [f"{write(time)},{draw.randrange(1000)}" + (f",k{draw.randrange(3)}" if keyed else "") for time in times]
    return options + (["--by", "k"] if keyed else []), kind, zone, times, lines


def faults_of(seed):
    draw = random.Random(seed)
    options, kind, zone, times, lines = table_of(draw)
    keyed = "--by" in options
    head = "t,v,k" if keyed else "t,v"
    way = draw.choice([["--zoom", "1h"], ["--zoom", "1d", "--emit", "max,count"], ["-w", "90min"], *([] if keyed else [["-w", 1], ["-w", 3]])])
    way = [*way, "-t", "csv", "--time", "t", "--columns", "v", *options, "--no-frame"]
    low, high = sorted(draw.sample(range(len(times)), 2))
    cut, begin, end = [], None, None
    if draw.random() < 0.8:
        text, begin = bound_of(draw, times[low], kind, zone, times[0])
        cut += ["--from", text]
    if draw.random() < 0.8 or not cut:
        text, end = bound_of(draw, times[high], kind, zone, times[0])
        cut += ["--to", text]
    kept = [i for i, time in enumerate(times) if (begin is None or time >= begin) and (end is None or time < end)]
    done = gpuenv_reads(draw, "\n".join([head, *lines, ""]).encode(), "in", *way, *cut)
    if begin is not None and end is not None and end <= begin:
        right = done.status == 1 and "is not after" in done.said or done.status == 0 and len(done.out.splitlines()) == 1
        return [] if right else [str(done), "not refused"]
    if not kept:
        return [] if done.status == 0 and len(done.out.splitlines()) == 1 and done.said else [str(done), "no rows"]
    due = gpuenv("-q", *way, data="\n".join([head, *(lines[i] for i in kept), ""]).encode())
    # Of series that are open at the end the keys count in the order in which they appear in the whole table.
    in_order = (lambda out: sorted(out.splitlines())) if keyed else (lambda out: out)
    if done.status != 0 or in_order(done.out) != in_order(due.out):
        return [str(done), f"{begin} to {end}", f"{done.out.decode()[:300]}\nnot {due.out.decode()[:300]}"]
    if keyed or way[1] in (3, "90min"):
        return []
    # Frames count from the beginning of the input.
    whole = [word for word in way if word != "--no-frame"]
    frames, parts = ([int(line.split(b",")[0]) for line in out.splitlines()[1:]] for out in (
        gpuenv("-q", *whole, *cut, data="\n".join([head, *lines, ""]).encode()).out,
        gpuenv("-q", *whole, data="\n".join([head, *(lines[i] for i in kept), ""]).encode()).out))
    return [] if frames == [part + kept[0] for part in parts] else [str(done), f"frames {frames[:5]}, not {parts[:5]} and {kept[0]}"]


def sounds(seed):
    """Positions are frames, from files that can be read anywhere, streams, compressed files and rows with a rate."""
    generator = numpy.random.default_rng(seed)
    data = generator.integers(-2**15, 2**15, 90000).astype("<i2").tobytes()
    with tempfile.TemporaryDirectory() as folder:
        path, raw = pathlib.Path(folder, "in.wav"), pathlib.Path(folder, "in.s16")
        path.write_bytes(wav(data, 1, 16, 1000))
        raw.write_bytes(data)
        os.system(f"gzip -k {folder}/in.s16")
        for cut, skip in ((["--from", "0:20", "--to", "1:10.5"], ["--skip", 20000, "--frames", 50500]),
                          (["--from", "1min5s"], ["--skip", 65000]), (["--to", "0:01:00"], ["--frames", 60000]),
                          (["--from", "20s", "--frames", "5s"], ["--skip", 20000, "--frames", 5000]),
                          (["--skip", 100, "--to", "500ms"], ["--skip", 100, "--frames", 400])):
            for way in (["-w", 100], ["--zoom", "1s", "-T", "csv"], ["-w", 5, "-T", "spans", "--level", "above:0.99"], ["--emit", "none", "--stats", "-"]):
                due = gpuenv(*way, *skip, path)
                for source in ([path], ["-t", "s16", "-r", 1000, raw], ["-t", "s16", "-r", "1k", f"{raw}.gz"]):
                    done = gpuenv(*way, *cut, *source)
                    check(done.status == 0 and done.out == due.out and len(due.out) > 0, done, len(done.out), len(due.out))
                done = gpuenv(*way, *cut, data=wav(data, 1, 16, 1000))
                check(done.status == 0 and done.out == due.out, done, len(done.out), len(due.out))


sounds(check_cases(faults_of, 60))
finish()
