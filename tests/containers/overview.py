#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Overviews and pictures: overview.py PROGRAM

--zoom and --align forward against numpy; -T dat and json against files of audiowaveform
(tests/golden/overview) and against numpy; the numbers of -T svg, read back from its paths and its
axes, against numpy.
"""
import json
import os
import pathlib
import re
import struct
import sys
import tempfile
import warnings
import xml.etree.ElementTree

sys.path.insert(1, sys.path[0] + "/..")
from harness import GOLDEN, check, finish, gpuenv, needed_modules

with needed_modules():
    import numpy as np

sys.path.append(str(GOLDEN / "overview"))
import make  # noqa: E402


def run(*options, data=b""):
    done = gpuenv(*options, data=data)
    check(done.status == 0, done)
    return done.out, done.said


def pixels(samples, zoom):
    """(pixels, channels, 2): minimum and maximum, NaN where there is one"""
    starts = range(0, len(samples), zoom)
    blocks = [samples[i:i + zoom] for i in starts]
    if not blocks:
        return np.zeros((0, samples.shape[1], 2), np.float32)
    return np.stack([np.stack([b.min(0), b.max(0)], -1) for b in blocks])


def f32(samples):
    return np.ascontiguousarray(samples, dtype="<f4").tobytes()


# ---- --zoom


def check_zoom():
    random = np.random.default_rng(1)
    for frames, channels, zoom in ((1000, 1, 64), (1024, 2, 64), (10, 3, 64), (0, 1, 5), (99, 1, 1)):
        samples = random.normal(0, 1, (frames, channels)).astype(np.float32)
        due = f32(pixels(samples, zoom))
        got, _ = run("--zoom", zoom, "-c", channels, data=f32(samples))
        check(got == due, "zoom", frames, channels, zoom)
        got, _ = run("-w", zoom, "--hop", zoom, "--align", "forward", "-c", channels,
                     data=f32(samples))
        check(got == due, "forward with a hop", frames, channels, zoom)
        got, _ = run("--zoom", zoom, "--edge", "nan", "-c", channels, data=f32(samples))
        if frames % zoom:
            last = np.frombuffer(got, "<f4")[-2 * channels:]
            check(np.isnan(last).all() and got[:-8 * channels] == due[:-8 * channels],
                  "zoom, the last pixel is cut", frames, channels, zoom)
    got, _ = run("--zoom", "10ms", "-r", 8000, data=f32(samples))
    check(got == f32(pixels(samples, 80)), "zoom by time")


# ---- dat and json


def check_golden(scratch):
    for name, zoom in make.OVERVIEWS:
        channels, rate, numbers, bits, wav = make.sound(name)
        path = scratch / f"{name}.wav"
        path.write_bytes(wav)
        # The same sound as raw samples, where PCM of this size is a raw type.
        raw = ("-t", {8: "u8", 16: "s16", 24: "s24"}[bits], "-c", channels, "-r", rate)
        for out_bits in make.BITS:
            for ending in make.ENDINGS:
                due = (GOLDEN / "overview" / make.overview_name(name, zoom, out_bits, ending)).read_bytes()
                kind = f"{ending}:s{out_bits}"
                out = scratch / f"out.{ending}"
                words = (name, zoom, kind)
                # The length is known; or it is filled in; or the data wait.
                run("--zoom", zoom, "-T", kind, "-o", out, path)
                check(out.read_bytes() == due, *words, "file to file")
                got, _ = run("--zoom", zoom, "-T", kind, path)
                check(got == due, *words, "file to pipe")
                run("--zoom", zoom, "-T", kind, "-o", out, *raw, data=wav[44:44 + len(numbers)
                                                                           * bits // 8])
                check(out.read_bytes() == due, *words, "pipe to file")
                got, _ = run("--zoom", zoom, "-T", kind, *raw,
                             data=wav[44:44 + len(numbers) * bits // 8])
                check(got == due, *words, "pipe to pipe")
    path = scratch / "s16-1.wav"
    out = scratch / "plain.json"
    run("--zoom", 64, "-o", out, path)
    check(out.read_bytes() == (GOLDEN / "overview" / "s16-1-z64-b16.json").read_bytes(), "by its ending, s16")


def levels(samples, bits):
    """The conversion of samples according to the manual."""
    scaled = np.floor(np.where(np.isnan(samples), 0, samples).astype(np.float64) * 32768)
    whole = np.clip(scaled, -32768, 32767).astype(int)
    return whole if bits == 16 else np.trunc(whole / 256).astype(int)


def check_numbers():
    random = np.random.default_rng(2)
    samples = random.normal(0, 0.6, (5000, 3)).astype(np.float32)
    samples[777, 1] = np.nan
    samples[1234, 2] = np.inf
    due = pixels(samples, 30)
    for bits in (8, 16):
        got, words = run("--zoom", 30, "-T", f"json:s{bits}", "-c", 3, "-r", 22050,
                         data=f32(samples))
        value = json.loads(got)
        check("clip" in words, "clipping is reported", words)
        check(list(value) == ["version", "channels", "sample_rate", "samples_per_pixel", "bits",
                              "length", "data"], "keys", list(value))
        check([value[k] for k in list(value)[:6]] == [2, 3, 22050, 30, bits, len(due)], "fields")
        check(value["data"] == levels(due, bits).ravel().tolist(), "json", bits)
        got, _ = run("--zoom", 30, "-T", f"dat:s{bits}", "-c", 3, "-r", 22050, data=f32(samples))
        check(struct.unpack("<iIiiIi", got[:24]) == (2, bits == 8, 22050, 30, len(due), 3), "header")
        data = np.frombuffer(got[24:], "i1" if bits == 8 else "<i2")
        check(data.tolist() == levels(due, bits).ravel().tolist(), "dat", bits)


# ---- svg

SVG = "{http://www.w3.org/2000/svg}"


def number(text):
    return float(text.replace("\u2212", "-").replace("\u2009", ""))


def offset(element):
    found = re.match(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", element.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def polygons(path):
    """Each piece of a path as absolute points, in its own unit"""
    for piece in re.findall(r"M([^z]*)z", path):
        values = [int(v) for v in re.findall(r"-?\d+", piece)]
        steps = np.array(values).reshape(-1, 2)
        yield np.cumsum(steps, axis=0)


class Strip:
    """What a reader sees in one strip of a picture: levels over time."""

    def __init__(self, group, time_of):
        left, _ = offset(group)
        texts = [t for t in group.iter(SVG + "text") if t.get("class") == "m r"]
        at = np.array([float(t.get("y")) for t in texts]) - 4.5
        value = np.array([number(t.text) for t in texts])
        slope = (value[-1] - value[0]) / (at[-1] - at[0])
        wave = next(p for p in group.iter(SVG + "path") if p.get("class") == "w")
        unit = float(re.match(r"scale\(([\d.e-]+)\)", wave.get("transform"))[1])
        # A level is written to a unit of the path, and ticks to a tenth of a pixel.
        self.tolerance = abs(slope) * (0.6 * unit + 0.1)
        self.pieces = []
        for points in polygons(wave.get("d")):
            x = time_of(left + points[:, 0] * unit)
            y = value[0] + (points[:, 1] * unit - at[0]) * slope
            turn = int(np.argmax(points[:, 0] == points[:, 0].max()))
            last = len(x) - int(np.argmax(points[::-1, 0] == points[:, 0].max()))
            self.pieces.append((x[:turn + 1], y[:turn + 1], x[last - 1:][::-1], y[last - 1:][::-1]))

    def at(self, times, slack):
        """(low, high) at these times, NaN in a gap"""
        low = np.full(len(times), np.nan)
        high = np.full(len(times), np.nan)
        for top_x, top_y, bottom_x, bottom_y in self.pieces:
            inside = (times >= top_x[0] - slack) & (times <= top_x[-1] + slack)
            high[inside] = np.interp(times[inside], top_x, top_y)
            low[inside] = np.interp(times[inside], bottom_x, bottom_y)
        return low, high


class Picture:
    def __init__(self, text):
        self.bytes = len(text)
        root = xml.etree.ElementTree.fromstring(text)
        self.title = root.find(SVG + "title").text
        self.facts = root.find(SVG + "desc").text
        found = re.search(r"a column is ([\d\u2009]+) frames", self.facts)
        self.span = int(number(found[1])) if found else 1
        ticks = [t for t in root.findall(SVG + "text") if t.get("class") == "m c"]
        x = np.array([float(t.get("x")) for t in ticks])
        value = np.array([self.seconds(t.text) for t in ticks])
        scale = (value[-1] - value[0]) / (x[-1] - x[0])
        self.axis = [t.text for t in root.findall(SVG + "text") if t.get("class") == "c"]
        unit = {"time (ms)": 1e-3, "time (\u00b5s)": 1e-6, "time (days)": 86400}
        scale *= unit.get(self.axis[0], 1)
        start = value[0] * unit.get(self.axis[0], 1)
        # Ticks stand at tenths of pixels.
        self.slack = abs(scale) * 0.2
        self.strips = [Strip(g, lambda at: start + (at - x[0]) * scale)
                       for g in root.findall(SVG + "g")]

    @staticmethod
    def seconds(text):
        value = 0.0
        for part in text.split(":"):
            value = value * 60 + number(part)
        return value


def check_picture(words, text, frames, hop, rate, first=0):
    """`frames`: (output frames, channels, 2). Every column is where it should be."""
    picture = Picture(text)
    channels = frames.shape[1]
    group = picture.span // hop
    columns = -(-len(frames) // group)
    check(picture.bytes < 300000, *words, "bytes", picture.bytes)
    check(len(picture.strips) == channels, *words, "strips", len(picture.strips))
    check(group * hop == picture.span and columns <= 1800, *words, "columns", columns)
    check(group == 1 or columns > 650, *words, "columns", columns)
    # All but the last column, if that is a part of one.
    whole = len(frames) // group
    due = frames[:whole * group].reshape(whole, group, channels, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns without a value
        low = np.nanmin(due[..., 0], axis=1)
        high = np.nanmax(due[..., 1], axis=1)
    times = (first + (np.arange(whole) + 0.5) * picture.span) / (rate or 1)
    column = picture.span / (rate or 1)
    for c, strip in enumerate(picture.strips):
        # The slack in time lets a level slide along the slope to its neighbours.
        got_low, got_high = strip.at(times, min(picture.slack, column * 0.45))
        for got, want in ((got_low, low[:, c]), (got_high, high[:, c])):
            check((np.isnan(got) == np.isnan(want)).all(), *words, "gaps of channel", c)
            steep = np.nan_to_num(np.maximum(np.abs(np.diff(want, prepend=want[:1])),
                                             np.abs(np.diff(want, append=want[-1:]))))
            slide = steep * min(1, picture.slack / column)
            error = np.nan_to_num(np.abs(got - want) - strip.tolerance - slide)
            check(error.max(initial=0) <= 0, *words, "channel", c, "is off by", error.max(initial=0))


def sound(frames, channels, seed):
    random = np.random.default_rng(seed)
    swell = 0.2 + 0.75 * np.abs(np.sin(np.arange(frames) * 6 / max(frames, 1)))
    noise = random.uniform(-1, 1, (frames, channels))
    return (noise * swell[:, None] * np.linspace(1, 0.3, channels)).astype(np.float32)


def check_pictures(scratch):
    for frames, channels, zoom, rate in ((100000, 1, 100, 48000), (90000, 2, 64, 44100),
                                         (400000, 16, 32, 48000), (900000, 2, 100, 48000),
                                         (700, 3, 7, 10)):
        samples = sound(frames, channels, frames)
        words = ("svg", frames, channels, zoom)
        out = scratch / "picture.svg"
        run("--zoom", zoom, "-c", channels, "-r", rate, "-o", out, data=f32(samples))
        check_picture(words, out.read_bytes(), pixels(samples, zoom), zoom, rate)
    # Without a hop, from a pipe, no rate, numbers that are not sound; and a gap.
    samples = np.cumsum(np.random.default_rng(3).normal(0, 1, (200000, 1)), 0).astype(np.float32)
    samples[50000:60000] = np.nan
    low = np.lib.stride_tricks.sliding_window_view(samples[:, 0], 8)
    frames = np.stack([low.min(1), low.max(1)], -1)[:, None, :]
    got, _ = run("-w", 8, "--align", "valid", "-T", "svg", data=f32(samples))
    check_picture(("svg without a hop",), got, frames, 1, 0)
    check("5.004\u2009% without a value" in Picture(got).facts, "the gap", Picture(got).facts)
    check(Picture(got).axis[0] == "frame", "no rate, frames")
    check(run("-w", 8, "-T", "svg", data=f32(samples)) == run("-w", 8, "--align", "center", "-T", "svg", data=f32(samples)),
          "windows stand at their middle")
    # One value, with no negative numbers.
    samples = sound(5000, 2, 9)
    got, _ = run("--zoom", 10, "--emit", "abs", "-c", 2, "-r", 1000, "-T", "svg", data=f32(samples))
    largest = np.abs(pixels(samples, 10)).max(-1)
    check_picture(("svg of magnitudes",), got, np.stack([largest, largest], -1), 10, 1000)
    for name in ("plain.wav", "<&> \"quotes\".wav", os.fsdecode(b"caf\xc3\xa9.wav"),
                 os.fsdecode(b"no \xff utf-8.wav")):
        path = scratch / name
        path.write_bytes(make.sound("s16-2")[4])
        got, _ = run("--zoom", 16, "-T", "svg", path)
        check(Picture(got).title == name.encode(errors="surrogateescape").decode(errors="replace"),
              "title", Picture(got).title)
    # Every other frame is missing; the others are lines of no height.
    samples = sound(1001, 1, 4)
    samples[::2] = np.nan
    got, _ = run("--zoom", 1, "-T", "svg", data=f32(samples))
    check_picture(("svg of single frames",), got, pixels(samples, 1), 1, 0)
    # No frames, one frame, silence, infinities: still a picture.
    for samples in ([], [0.5], [0.0] * 1000, [np.inf, -np.inf, 1, np.nan] * 50):
        got, _ = run("--zoom", 1, "-T", "svg", "-r", 100, data=f32(samples))
        check(b"nan" not in got and b"inf" not in got, "numbers that are none")
        xml.etree.ElementTree.fromstring(got)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        check_zoom()
        check_golden(scratch)
        check_numbers()
        check_pictures(scratch)
    finish()


main()
