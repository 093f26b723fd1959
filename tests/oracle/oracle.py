#!/usr/bin/python3
"""Holds the program against numpy, scipy and pandas: oracle.py PROGRAM quick|full|long

Two kinds of test. The first asks whether the bytes are right: many streams and options, against
reference.py, and where there is no NaN also against what the peers say themselves. The second
asks whether the bytes stay the same, however the input is cut and whatever the engine."""

import concurrent.futures
import itertools
import os
import random
import shlex
import subprocess
import sys
import threading
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, SANITIZED, check, feed, finish, needed_modules

with needed_modules():
    import numpy
    import pandas
    import scipy.ndimage
    import reference

WIDTHS = [1, 2, 3, 7, 16, 17, 31, 32, 33, 64, 100, 512, 1000, 4096]
CHANNELS = [1, 2, 3, 6, 8, 17]
ALIGNS = ["valid", "causal", "center"]
EDGES = ["shrink", "nan"]
ISAS = ["scalar", "sse4", "avx2", "avx512", "neon"]
SHAPES = ["noise", "up", "down", "flat", "spikes", "odd", "sine", "steps", "zigzag"]
ODD = [0.0, -0.0, 1e-45, -1e-45, 1e-38, -1e-38, 1.0, -1.0, 3.4e38, -3.4e38, numpy.inf, -numpy.inf]


def make_samples(rng, shape, n):
    """n float32 samples of some shape that a filter could trip over."""
    i = numpy.arange(n)
    if shape == "noise":
        made = rng.standard_normal(n)
    elif shape == "up":
        made = i / 7
    elif shape == "down":
        made = -i / 7
    elif shape == "flat":
        made = numpy.full(n, rng.choice([0.0, -0.0, 1.5, -2.5]))
    elif shape == "spikes":
        made = numpy.where(rng.random(n) < 0.02, rng.standard_normal(n) * 100, 0.0)
    elif shape == "odd":
        made = rng.choice(ODD, n)
    elif shape == "sine":
        made = numpy.sin(i / 11) * (1 + i / (n + 1))
    elif shape == "steps":
        made = rng.integers(-3, 4, n) + 0.0
    else:
        made = numpy.where(i % 2, 1.0, -1.0) * (n - i)
    return made.astype(numpy.float32)


def add_nans(rng, samples, rate):
    """Some samples become NaN, quiet and signalling, of either sign."""
    where = rng.random(len(samples)) < rate
    kinds = numpy.array([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF], numpy.uint32)
    samples.view(numpy.uint32)[where] = rng.choice(kinds, int(where.sum()))


class Case:
    """A stream, the options, and so what must come out."""

    def __init__(self, seed, width, n, kind="f32", channels=1, shape="noise", nans=0.0, big=False,
                 counts=False, stray=0, skip=None, frames=None, **options):
        rng = numpy.random.default_rng(seed)
        self.width, self.kind, self.channels = width, kind, channels
        self.big, self.counts, self.stray, self.skip, self.frames = big, counts, stray, skip, frames
        self.options = options
        total = n * channels
        if kind in reference.FLOATS:
            parts = 2 if kind == "cf32" else 1
            samples = make_samples(rng, shape, total * parts)
            if kind == "cf32":  # infinity and NaN in one pair have two answers
                samples[numpy.isinf(samples)] = 1
            add_nans(rng, samples, nans)
            form = (">" if big else "<") + ("f8" if kind == "f64" else "f4")
            if kind == "f64":
                with numpy.errstate(invalid="ignore"):
                    samples = samples.astype(numpy.float64) * (1 + 2.0**-30)
            # Not by astype(): it makes signalling NaN quiet.
            raw = samples.byteswap().tobytes() if form[0] == ">" else samples.tobytes()
        else:
            raw = rng.bytes(total * reference.BYTES[kind])
        self.raw = raw + rng.bytes(stray)
        self.samples = reference.decode(kind, raw, big, counts).reshape(n, channels)
        if skip is not None:
            self.samples = self.samples[skip:]
        if frames is not None:
            self.samples = self.samples[:frames]
        self.due = None

    def arguments(self):
        words = ["-w", str(self.width)]
        if self.kind != "f32" or self.big:
            words += ["-t", self.kind + ("be" if self.big else "")]
        if self.kind in ("f64", "s32", "u32", "s64", "u64", "cf64"):
            words += ["-T", "f32"]  # without a word about digits
        if self.counts:
            words += ["--counts"]
        if self.channels != 1:
            words += ["-c", str(self.channels)]
        if self.skip is not None:
            words += ["--skip", str(self.skip)]
        if self.frames is not None:
            words += ["--frames", str(self.frames)]
        for name, value in self.options.items():
            words += ["--" + name, str(value)]
        return words

    def expected(self):
        """The bytes, the exit status, and a word that standard error must have."""
        if self.due is None:
            self.due = self.work_out()
        return self.due

    def work_out(self):
        options = dict(self.options)
        emits = options.pop("emit", "min,max").split(",")
        frames, stop = reference.envelope(self.samples, self.width, emits=emits, **options)
        if stop is not None:
            return frames.tobytes(), 2, f"frame {stop[0] + (self.skip or 0)}"
        if self.stray:
            return frames.tobytes(), 2, str(self.stray)
        return frames.tobytes(), 0, ""

    def peers(self):
        """What scipy, pandas or numpy say of the minimum and maximum, as values; or None."""
        x, width = self.samples, self.width
        if numpy.isnan(x).any() or len(x) == 0:
            return None
        align = self.options.get("align", "valid")
        edge = self.options.get("edge", "shrink")
        if align == "center" and edge == "shrink":
            return [slide(x, width, axis=0, mode="nearest") for slide in
                    (scipy.ndimage.minimum_filter1d, scipy.ndimage.maximum_filter1d)]
        if align == "causal":
            least = width if edge == "nan" else 1
            # pandas takes infinities for missing, so they travel as something that is not float32.
            finite = numpy.clip(x.astype(numpy.float64), -1e300, 1e300)
            rolling = pandas.DataFrame(finite).rolling(width, min_periods=least)
            both = [rolling.min().to_numpy(), rolling.max().to_numpy()]
            return [numpy.where(abs(y) == 1e300, numpy.copysign(numpy.inf, y), y) for y in both]
        if align == "valid" and width <= len(x) and x.size * width < 1_000_000:
            views = numpy.lib.stride_tricks.sliding_window_view(x, width, axis=0)
            return [views.min(axis=-1), views.max(axis=-1)]
        return None


class Runner:
    def __init__(self):
        self.failures = 0
        self.runs = 0
        self.lock = threading.Lock()

    def run(self, words, raw, cuts=None):
        """One run of the program. `cuts`: sizes of the pieces that the input is fed in."""
        with self.lock:
            self.runs += 1
        child = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if cuts is None:
            out, err = child.communicate(raw)
            return out, child.returncode, err.decode()

        def slowly():
            at = 0
            for cut, pause in cuts:
                yield raw[at:at + cut]
                at += cut
                time.sleep(pause)
            yield raw[at:]

        feeder = feed(os.dup(child.stdin.fileno()), slowly())
        child.stdin.close()
        out = child.stdout.read()
        feeder.join()
        err = child.stderr.read().decode()
        return out, child.wait(), err

    def fail(self, case, words, why):
        with self.lock:
            self.failures += 1
            if self.failures > 8:
                return
            folder = "oracle-failures"
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, f"{self.failures}.in")
            with open(path, "wb") as file:
                file.write(case.raw)
            check(False, f"gpuenv {shlex.join(words)} <{path}\n    {why}")

    def difference(self, case, got, expected):
        emits = case.options.get("emit", "min,max").count(",") + 1
        columns = emits * case.channels
        if len(got) != len(expected):
            size = 4 * columns
            return f"{len(got) / size} frames came, {len(expected) // size} were due"
        a, b = (numpy.frombuffer(data, "<u4") for data in (got, expected))
        at = int(numpy.nonzero(a != b)[0][0])
        return (f"output frame {at // columns}, value {at % columns}: came {a[at]:#010x} "
                f"({a[at:at + 1].view('<f4')[0]}), due {b[at]:#010x} "
                f"({b[at:at + 1].view('<f4')[0]})")

    def check(self, case):
        """Are the bytes right?"""
        words = case.arguments()
        due, status, word = case.expected()
        got, code, err = self.run(words, case.raw)
        if got != due:
            self.fail(case, words, self.difference(case, got, due))
        elif code != status:
            self.fail(case, words, f"exit {code}, not {status}: {err}")
        elif word not in err or err.count("\n") > 2:
            self.fail(case, words, f"it should say '{word}' and says: {err}")
        elif status == 0 and err and "valid" != case.options.get("align", "valid"):
            self.fail(case, words, f"it should say nothing and says: {err}")
        elif status == 0 and "emit" not in case.options:
            peers = case.peers()
            if peers is None:
                return
            hop = case.options.get("hop", 1)
            due = numpy.stack([peer[::hop] for peer in peers], axis=-1)
            got = numpy.frombuffer(got, "<f4").reshape(due.shape)
            if not ((got == due) | (numpy.isnan(got) & numpy.isnan(due))).all():
                self.fail(case, words, "the peers have other values")

    def same(self, case, words, cuts=None):
        """Do these words leave the bytes as they are?"""
        due, status, _ = case.expected()
        words = case.arguments() + words
        got, code, err = self.run(words, case.raw, cuts)
        if got != due:
            how = f"fed in pieces {cuts}: " if cuts else ""
            self.fail(case, words, how + self.difference(case, got, due))
        elif code != status:
            self.fail(case, words, f"exit {code}, not {status}: {err}")


def every_width():
    """Each width, with streams about as long as it, each alignment."""
    for width in WIDTHS:
        lengths = {0, 1, 2, width - 1, width, width + 1, 2 * width + 3, 257}
        for n in sorted(lengths):
            for align in ALIGNS:
                shape = SHAPES[(width + 3 * n) % len(SHAPES)]
                yield Case(width * 10007 + n, width, n, shape=shape, align=align,
                           edge=EDGES[(width + n) % 5 == 0])


def every_type():
    for at, kind in enumerate(reference.KINDS):
        for big in [False] if reference.BYTES[kind] == 1 or kind in ("cs8", "cu8") else [False, True]:
            for counts in [False] if kind in reference.FLOATS else [False, True]:
                for channels in (1, 3):
                    yield Case(at, 5, 200, kind, channels, shape="noise", big=big, counts=counts)


def every_nan():
    for nan in ["propagate", "omit", "error"]:
        for align in ALIGNS:
            for edge in EDGES:
                for width, rate in [(1, 0.3), (2, 0.5), (7, 0.02), (33, 0.01), (64, 0.9)]:
                    yield Case(width, width, 150, channels=1 + width % 3, nans=rate, nan=nan,
                               align=align, edge=edge)


def anything(seed):
    """A case of which everything is drawn."""
    draw = random.Random(seed)
    width = draw.choice(WIDTHS + [draw.randint(1, 300), draw.randint(300, 9000)])
    n = draw.choice([draw.randint(0, 60), width + draw.randint(-2, 2), draw.randint(0, 3000),
                     draw.randint(0, 3000), 2 * width + draw.randint(0, 999)])
    kind = draw.choice(["f32"] * 6 + reference.KINDS)
    options = {}
    if draw.random() < 0.7:
        options["align"] = draw.choice(ALIGNS)
    if draw.random() < 0.4:
        options["edge"] = draw.choice(EDGES)
    if draw.random() < 0.4:
        options["hop"] = draw.choice([1, 2, 3, 7, width, 100, 5000])
    if draw.random() < 0.4:
        options["emit"] = ",".join(draw.sample(reference.EMITS, draw.randint(1, 5)))
    nans = 0.0
    if draw.random() < 0.4:
        nans = draw.choice([0.001, 0.02, 0.5])
        options["nan"] = draw.choice(["propagate", "omit", "error"])
    channels = draw.choice([1, 1, 1] + CHANNELS)
    if max(n, 1) * channels > 20000:
        channels = 2
    size = reference.BYTES[kind] * channels
    stray = draw.randint(1, size - 1) if size > 1 and draw.random() < 0.05 else 0
    part = {}
    if draw.random() < 0.1 and not stray:
        part = {"skip": draw.randint(0, n + 2), "frames": draw.randint(1, n + 2)}
    big = reference.BYTES[kind] > 1 and kind not in ("cs8", "cu8") and draw.random() < 0.3
    counts = kind not in reference.FLOATS and draw.random() < 0.3
    return Case(seed, width, max(n, 0), kind, channels, draw.choice(SHAPES), nans, big, counts,
                stray, **part, **options)


def large(seed):
    """A stream of several chunks, long enough for several threads; the window may be longer
    than a chunk, and hardly shorter than the stream."""
    draw = random.Random(seed)
    n = draw.randint(600_000, 1_400_000)
    width = draw.choice([1, 2, 16, 31, 1000, 4096, 65536, 262143, 262144, 262145, 500_001, n - 1,
                         n, draw.randint(1, n)])
    options = {}
    if draw.random() < 0.6:
        options["align"] = draw.choice(ALIGNS)
    if draw.random() < 0.3:
        options["edge"] = "nan"
    if draw.random() < 0.3:
        options["hop"] = draw.choice([3, 160, width])
    if draw.random() < 0.3:
        options["emit"] = draw.choice(["max", "min", "max,min", "abs,range,mid", "mid,min,max,abs"])
    nans = draw.choice([0, 0, 1e-5])
    if nans:
        options["nan"] = draw.choice(["propagate", "omit", "error"])
    channels = draw.choice([1, 1, 2, 3])
    kind = draw.choice(["f32", "f32", "s16", "cs8"])
    return Case(seed, width, n // channels, kind, channels, draw.choice(SHAPES), nans, **options)


def large_ways(seed, isas):
    draw = random.Random(seed)
    yield ["--algorithm", "lemire"]
    for threads in (1, 2, 3, 5):
        yield ["--threads", str(threads), "--isa", draw.choice(isas)]
    yield ["--chunk", str(draw.choice([4096, 10_007, 100_000, 1_000_000, 10_000_000]))]


def ways(seed, isas):
    """Words that must not matter, one at a time and all together."""
    draw = random.Random(seed)
    singles = [["--threads", str(n)] for n in (1, 2, 3, 5)]
    singles += [["--chunk", str(n)] for n in (1, 7, 64, 1000, 65536)]
    singles += [["--isa", isa] for isa in isas]
    singles += [["--algorithm", "lemire"], ["--device", "cpu"], ["--device", "auto"]]
    chosen = draw.sample(singles, 3)
    mixed = ["--threads", str(draw.choice([1, 2, 3, 5])), "--isa", draw.choice(isas),
             "--chunk", str(draw.choice([1, 7, 64, 1000, draw.randint(1, 5000)]))]
    return chosen + [mixed]


def pieces(seed, size):
    """Random sizes that a slow pipe brings the input in, few enough to be quick."""
    draw = random.Random(seed)
    cuts = []
    most = draw.choice([3, 17, 256, 1021])
    while size > 0 and len(cuts) < 40:
        cut = min(draw.randint(1, most), size)
        cuts.append((cut, draw.choice([0, 0, 0, 0.0005])))
        size -= cut
    return cuts


def main():
    part = sys.argv[2]
    count, same, many = {"quick": (60, 16, 4), "full": (400, 80, 16), "long": (6000, 1000, 60)}[part]
    if SANITIZED:
        count, same, many = count // 3, same // 2, many // 2
    runner = Runner()
    isas = [isa for isa in ISAS if runner.run(["-w", "1", "--isa", isa], b"")[1] == 0]
    print("instruction sets:", *isas)
    check("scalar" in isas, "--isa scalar is not accepted")

    def cases():
        if part == "long":
            yield from (anything(seed) for seed in range(10_000, 10_000 + count))
            return
        # All of these, or every third: each row of a table has its turn then.
        for table in (every_width, every_type, every_nan):
            yield from itertools.islice(table(), 0, None, 3 if part == "quick" else 1)
        yield from (anything(seed) for seed in range(count))

    def sames():
        first = 50_000 if part == "long" else 0
        for seed in range(first, first + same):
            case = anything(seed)
            for words in ways(seed, isas):
                yield case, words, None
            yield case, [], pieces(seed, len(case.raw))
            yield case, ways(seed + 1, isas)[-1], pieces(seed + 1, len(case.raw))

    def larges():
        first = 80_000 if part == "long" else 0
        for seed in range(first, first + many):
            case = large(seed)
            for words in large_ways(seed, isas):
                yield case, words, None

    started = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for _ in pool.map(runner.check, cases()):
            pass
        for _ in pool.map(lambda triple: runner.same(*triple), sames()):
            pass
    # One after another: they are for the threads of the program, and large.
    for case, words, cuts in larges():
        runner.same(case, words, cuts)
    seconds = time.monotonic() - started
    finish(f"{runner.runs} runs in {seconds:.1f} s, {runner.failures} failed;")


if __name__ == "__main__":
    main()
