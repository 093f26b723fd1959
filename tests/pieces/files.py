# SPDX-License-Identifier: MIT
"""Random sample files and random command lines for the tests of pieces. They depend only on the seed."""

import io
import shutil
import struct
import subprocess

from harness import needed_modules, wav

with needed_modules():
    import numpy

RATE = 48000
KIBI, MEBI = 1 << 10, 1 << 20

# The bytes of a sample, and its numpy type where NaN can be set in it.
RAW = {"f32": (4, "<f4"), "f32be": (4, ">f4"), "f64": (8, "<f8"), "f64be": (8, ">f8"),
       "f16": (2, "<f2"), "cf32": (8, "<f4"), "s8": (1, None), "u8": (1, None), "s16": (2, None),
       "s16be": (2, None), "u16": (2, None), "s24": (3, None), "u24be": (3, None), "s32": (4, None),
       "u32": (4, None), "cs8": (2, None), "cu8": (2, None), "cs16": (4, None)}
CONTAINERS = {"wav": ["s16", "f32", "u8", "s24"], "aiff": ["s16be"], "au": ["s16be", "f32be"],
              "caf": ["s16be", "f32be", "f32", "s16"], "npy": ["f32", "f64", "f32be", "s16", "u8"],
              "flac": ["s16"]}
ODD = [0.0, -0.0, 1e-45, -1e-45, 1.0, -1.0, 3.4e38, -3.4e38, numpy.inf, -numpy.inf]


def near(draw, number):
    return max(1, number + draw.choice([-1, 0, 0, 1]))


def draw_frames(draw, width):
    """The length of a stream: mostly short, sometimes several pieces long."""
    kind = draw.random()
    if kind < 0.35:
        return draw.choice([1, 2, width - 1, width, width + 1, 2 * width + 1, draw.randint(1, 900)])
    if kind < 0.55:
        return draw.randint(1, 20_000)
    if kind < 0.8:
        return near(draw, draw.choice([64 * KIBI, 128 * KIBI, 256 * KIBI,
                                       draw.randint(1, 400_000)]))
    if kind < 0.95:
        return near(draw, draw.choice([MEBI, MEBI, 3 * MEBI // 2, 2 * MEBI]))
    return near(draw, draw.randint(2, 5) * MEBI)


def draw_width(draw):
    kind = draw.random()
    if kind < 0.5:
        return draw.choice([1, 2, 3, 7, 8, 16, 17, 31, 33, 64, 100, 512, draw.randint(1, 2000)])
    if kind < 0.8:
        return draw.choice([near(draw, 4096), near(draw, 64 * KIBI), draw.randint(1, 100_000)])
    return draw.choice([near(draw, MEBI), draw.randint(1, 3 * MEBI), near(draw, 262_144)])


def make_samples(draw, kind, count):
    """The bytes of `count` samples, repeated at a distance that no power of two divides."""
    size, form = RAW[kind]
    rng = numpy.random.default_rng(draw.getrandbits(32))
    base = min(count, 199_999)
    if form is None:
        made = rng.integers(0, 256, base * size, dtype=numpy.uint8)
        if draw.random() < 0.3:  # long runs of equal samples
            made[:] = made[0] if base else 0
        return numpy.resize(made, count * size).tobytes() if base else b""
    base *= size // numpy.dtype(form).itemsize
    shape = draw.choice(["noise", "noise", "steps", "up", "down", "odd", "zeros"])
    if shape == "noise":
        made = rng.standard_normal(base)
    elif shape == "steps":
        made = rng.integers(-3, 4, base) * 0.25
    elif shape == "odd" and kind != "cf32":  # the magnitude of infinity and NaN has two results
        made = rng.choice(ODD, base)
    elif shape == "zeros":
        made = rng.choice([0.0, -0.0], base)
    else:
        made = numpy.arange(base) / (7 if shape == "up" else -7)
    with numpy.errstate(over="ignore"):
        made = numpy.resize(made.astype(form), count * size // numpy.dtype(form).itemsize)
    if draw.random() < 0.4 and count:
        for _ in range(draw.choice([1, 1, 2, 30])):
            made[draw.randrange(len(made))] = numpy.nan
    return made.tobytes()


def aiff(data, channels, frames, bits):
    rate = struct.pack(">HQ", 16383 + 15, RATE << 48)
    common = b"COMM" + struct.pack(">IhIh", 18, channels, frames, bits) + rate
    sound = b"SSND" + struct.pack(">III", len(data) + 8, 0, 0) + data
    return b"FORM" + struct.pack(">I", 4 + len(common) + len(sound)) + b"AIFF" + common + sound


def caf(data, channels, bits, floating, little):
    frame = channels * bits // 8
    description = struct.pack(">d4sIIIII", RATE, b"lpcm", floating + 2 * little, frame, 1, channels,
                              bits)
    return (b"caff" + struct.pack(">HH", 1, 0) + b"desc" + struct.pack(">q", 32) + description
            + b"data" + struct.pack(">qI", len(data) + 4, 0) + data)


def au(data, channels, encoding):
    return b".snd" + struct.pack(">IIIII", 24, len(data), encoding, RATE, channels) + data


def npy(data, channels, form, order):
    array = numpy.frombuffer(data, form)
    file = io.BytesIO()
    numpy.save(file, numpy.asarray(array.reshape(-1, channels) if channels > 1 else array, order=order))
    return file.getvalue()


def contain(container, kind, data, channels, frames, order):
    """The file of a container; `data` are whole frames. A NumPy array is in C or in Fortran order."""
    bits, floating = 8 * RAW[kind][0], kind[0] == "f"
    if container == "wav":
        return wav(data, channels, bits, RATE, floating)
    if container == "aiff":
        return aiff(data, channels, frames, bits)
    if container == "au":
        return au(data, channels, 6 if floating else 3)
    if container == "caf":
        return caf(data, channels, bits, floating, not kind.endswith("be"))
    if container == "npy":
        forms = {"s16": "<i2", "u8": "|u1"}
        return npy(data, channels, forms.get(kind) or RAW[kind][1], order)
    words = ["flac", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed",
             "--bps=16", f"--channels={channels}", f"--sample-rate={RATE}",
             f"--input-size={len(data)}", "-"]
    return subprocess.run(words, input=data, capture_output=True, check=True).stdout


class Stream:
    """A random file: `name`, `content`, and the words of the command line that it needs."""

    def __init__(self, draw, width, faults=True):
        self.channels = draw.choice([1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9])
        self.frames = max(1, draw_frames(draw, width) // draw.choice([1, self.channels]))
        self.container = None
        if draw.random() < 0.4:
            self.container = draw.choice(list(CONTAINERS))
        if self.container == "flac":
            self.frames = min(self.frames, 300_000)
            self.channels = min(self.channels, 8)
            if shutil.which("flac") is None:
                self.container = "wav"
        kinds = CONTAINERS[self.container] if self.container else ["f32"] * 6 + list(RAW)
        self.kind = draw.choice(kinds)
        self.frame_bytes = RAW[self.kind][0] * self.channels
        if self.frames * self.frame_bytes > 32 * MEBI:
            self.frames = 32 * MEBI // self.frame_bytes
        content = make_samples(draw, self.kind, self.frames * self.channels)
        if self.container:
            content = contain(self.container, self.kind, content, self.channels, self.frames,
                              draw.choice("CF"))
        fault = draw.random() if faults else 1
        if fault < 0.08:
            # libsndfile reports a truncated FLAC file only for some sizes of reads.
            content = content[:draw.randint(min(100, len(content)), len(content))]
        elif fault < 0.16:
            content += draw.randbytes(draw.choice([1, 3, 17, 1000]))
        elif fault < 0.2 and self.container == "wav":
            content += b"LIST" + struct.pack("<I", 40) + bytes(40)
        self.content = content
        self.name = f"in.{self.container or 'raw'}"
        self.words = [] if self.container else ["-t", self.kind, "-c", str(self.channels)]


def draw_question(draw, stream, width):
    """The options of a command line, without input and output."""
    frames = stream.frames
    words = ["-w", str(width)]
    if draw.random() < 0.7:
        words += ["--align", draw.choice(["valid", "causal", "center", "forward"])]
    if draw.random() < 0.4:
        words += ["--edge", draw.choice(["shrink", "nan"])]
    if draw.random() < 0.4:
        hop = draw.choice([2, 3, 10, 1000, width, width + 1, frames, frames + 1,
                           near(draw, 64 * KIBI), draw.randint(1, frames)])
        words += ["--hop", str(hop)]
    if draw.random() < 0.5:
        emits = draw.sample(["min", "max", "abs", "range", "mid"], draw.randint(1, 5))
        words += ["--emit", ",".join(emits)]
    if draw.random() < 0.5:
        words += ["--nan", draw.choice(["propagate", "omit", "error", "error"])]
    if draw.random() < 0.2:
        skip = draw.choice([1, 100, near(draw, frames), near(draw, 64 * KIBI),
                            draw.randint(0, frames)])
        words += ["--skip", str(skip)]
    if draw.random() < 0.2:
        wanted = draw.choice([0, 1, width, near(draw, frames), near(draw, 64 * KIBI),
                              draw.randint(0, frames)])
        words += ["--frames", str(wanted)]
    return words


def draw_stats(draw, stream, width):
    """Options for statistics in a file of that name, with some thousand records at most."""
    words = ["--stats", "stats"]
    least = stream.frames * stream.channels // 3000 + 1
    if draw.random() < 0.7:
        every = max(least, draw.choice([1, 100, 4096, 4097, width, near(draw, 64 * KIBI),
                                        draw.randint(1, stream.frames)]))
        words += ["--stats-every", str(every)]
    if draw.random() < 0.3:
        words += ["--stats-format", "tsv"]
    return words
