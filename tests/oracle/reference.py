# SPDX-License-Identifier: MIT
"""Inputs of every form, and what must come of them: straight from the definitions, with keys that are integers in the
order of IEEE 754 minimum and maximum, and results that are rounded once. No line here is shared with the program."""

import io
import struct
import sys

import numpy as np

sys.path.insert(1, sys.path[0] + "/..")
from harness import wav
from records import deviations, joined, tree_sums

LEAST, MOST = -2**63, 2**63 - 1
ODD = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 2.0**-1022, 1.0, -1.0, 1 + 2.0**-52, 1 - 2.0**-53, 1e15, 1e-5, 0.1,
       123456789.25, 1.7e308, -1.7e308, 3.5e38, 1e-46, 1e-45, -1e-45, 1e-38, -1e-38, 3.4e38, -3.4e38, np.inf, -np.inf]
SHAPES = ["noise", "digits", "odd", "close", "up", "down", "flat", "bits", "spikes", "sine", "steps", "zigzag"]
NANS = {16: [0x7E00, 0xFE00, 0x7C01, 0xFFFF], 32: [0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF],
        64: [0x7FF8 << 48, 0xFFF8 << 48, (0x7FF << 52) + 1, 2**64 - 1]}
BYTES = ["s8", "u8", "cs8", "cu8"]  # types whose numbers are single bytes
ARRAYS = "i1 u1 i2 u2 i4 u4 i8 u8 b1 f2 f4 f8 c8 c16".split()
RAW = ["f32", "f64", "f16", "s16", "u16", "s24", "u24", "s32", "u32", "s64", "u64", "cf32", "cf64", "cs16", *BYTES]


# ---- samples


class Samples:
    """What was read, as (frames, channels): float64 numbers, or int64 keys of integers of 64 bits. A key stands for
    (key + lift) * unit. `kind` is f32, f64 or i64."""

    def __init__(self, kind, values, lift=0, unit=1.0):
        self.kind, self.values, self.lift, self.unit = kind, values, lift, unit

    def part(self, first, count):
        return Samples(self.kind, self.values[first:][:count], self.lift, self.unit)

    def narrow(self):
        """The same, rounded to float32."""
        whole, unit = self.numbers()
        with np.errstate(all="ignore"):
            values = whole.astype("f4").astype("f8") * unit
            return Samples("f32", values.astype("f4").astype("f8"))

    def loses(self):
        """Does float32 not hold all of them?"""
        with np.errstate(all="ignore"):
            whole = self.numbers()[0].astype("longdouble")
            return bool(np.any((whole.astype("f4") != whole) & ~np.isnan(whole)))

    def pick(self, channels):
        return Samples(self.kind, self.values[:, channels], self.lift, self.unit)

    def mix(self):
        """The mean of the channels, of doubles that are added in order, and rounded once."""
        total = np.zeros((len(self.values), 1))
        narrow = self.kind == "f32"
        whole, unit = self.numbers()
        with np.errstate(all="ignore"):
            for channel in whole.T:
                total[:, 0] += channel.astype("f8") * unit
            total /= self.values.shape[1]
            return Samples("f32" if narrow else "f64", total.astype("f4").astype("f8") if narrow else total)

    def numbers(self):
        """As numpy has them, and what one of them stands for: 1 for floats."""
        if self.kind != "i64":
            with np.errstate(all="ignore"):
                return self.values.astype("f4" if self.kind == "f32" else "f8"), 1
        return self.values.view("u8") ^ np.uint64(2**63) if self.lift else self.values, self.unit

    def missing(self):
        return np.isnan(self.values) if self.kind != "i64" else np.zeros(self.values.shape, bool)

    def keys(self):
        if self.kind == "i64":
            return self.values
        bits = np.ascontiguousarray(self.values).view("i8")
        return np.where(bits >= 0, bits, bits ^ MOST)


def slide(keys, before, after, side):
    """The least (side 0) or greatest (1) key of each window, by windows of powers of two."""
    fill, pick = ((MOST, np.minimum), (LEAST, np.maximum))[side]
    n = len(keys)
    before, after = min(before, n), min(after, n)
    width = before + after + 1
    made = np.pad(keys, ((before, after), (0, 0)), constant_values=fill)
    reach = 1
    while 2 * reach <= width:
        made = pick(made[:-reach], made[reach:])
        reach *= 2
    return pick(made[:n], made[width - reach:][:n])


def bounds(samples, width, align, edge, hop, nan, overall=False):
    """Keys of the least and the greatest of each output frame, where they are NaN, and the first NaN of --nan error.
    `overall`: of all channels together."""
    n = len(samples.values)
    before, after = {"valid": (0, width - 1), "forward": (0, width - 1), "causal": (width - 1, 0),
                     "center": (width // 2, (width + 1) // 2 - 1)}[align]
    missing, keys = samples.missing(), samples.keys()
    outputs = max(n - width + 1, 0) if align == "valid" else n
    stop = None
    if nan == "error" and missing.any():
        stop = tuple(int(i) for i in np.argwhere(missing)[0])
        outputs = min(outputs, max(stop[0] - after, 0))
    low = slide(np.where(missing, MOST, keys), before, after, 0)[:outputs]
    high = slide(np.where(missing, LEAST, keys), before, after, 1)[:outputs]
    some = slide(missing.astype("i8"), before, after, 1)[:outputs] == 1
    none = slide((~missing).astype("i8"), before, after, 1)[:outputs] == 0
    if overall:
        low, high = low.min(1, keepdims=True), high.max(1, keepdims=True)
        some, none = some.any(1, keepdims=True), none.all(1, keepdims=True)
    undefined = none if nan == "omit" else some
    if stop:  # nothing that is written has a NaN in it
        undefined = np.zeros_like(undefined)
    frame = np.arange(outputs)
    if edge == "nan" and align != "valid":
        undefined = undefined | ((frame < before) | (frame + after >= n))[:, None]
    return low[::hop], high[::hop], undefined[::hop], stop


def positions(samples, width, align, hop, undefined, side):
    """The first frame of the least (side 0) or greatest (1) key of each output frame; -1 where it is NaN."""
    fill, pick = ((MOST, np.argmin), (LEAST, np.argmax))[side]
    before = {"valid": 0, "forward": 0, "causal": width - 1, "center": width // 2}[align]
    keys = np.where(samples.missing(), fill, samples.keys())
    found = np.empty(undefined.shape, "i8")
    for output in range(len(undefined)):
        begin = max(output * hop - before, 0)
        found[output] = begin + pick(keys[begin:output * hop - before + width], axis=0)
    return np.where(undefined, -1, found)


def ends(samples, width, align, edge, hop, outputs, omit):
    """The keys of the first and of the last sample of each window, and where there is none, or it is NaN."""
    n = len(samples.values)
    begin = np.arange(outputs) * hop - {"valid": 0, "forward": 0, "causal": width - 1, "center": width // 2}[align]
    first, last = begin.clip(0), (begin + width).clip(0, n) - 1
    missing, keys = samples.missing(), samples.keys()
    index = np.arange(n)[:, None]
    at = np.stack([np.broadcast_to(end[:, None], (outputs, keys.shape[1])) for end in (first, last)])
    if omit:
        following = np.minimum.accumulate(np.where(missing, n, index)[::-1], axis=0)[::-1]
        before = np.maximum.accumulate(np.where(missing, -1, index), axis=0)
        at = np.stack([following[first.clip(None, n - 1)], before[last.clip(0)]])
    cut = (begin < 0) | (begin + width > n) if edge == "nan" and align != "valid" else np.zeros(outputs, bool)
    none = (at < first[:, None]) | (at > last[:, None]) | cut[:, None]
    made = {}
    for name, places, gone in zip(("first", "last"), at.clip(0, n - 1), none):
        made[name] = np.take_along_axis(keys, places, axis=0), gone | np.take_along_axis(missing, places, axis=0)
    return made


def doubles_of(keys):
    return np.where(keys >= 0, keys, keys ^ MOST).view("f8")


def block_sums(samples, begin, length, spread):
    """The blocks of `length` frames that begin at `begin`, less than a length from frame 0, before which is one, too: of
    each the samples that are no NaN, the NaN, the sums by the summation tree, and with `spread` the deviations."""
    whole, unit = samples.numbers()
    missing = samples.missing()
    doubles = np.where(missing, 0, whole).astype("f8") * unit
    frames, channels = doubles.shape
    end = begin + max(0, frames - begin) // length * length
    sums = [np.zeros((7, 0, channels))]
    for first, last, size in (0, begin, begin), (begin, end, length), (end, frames, frames - end):
        last = min(last, frames)
        if last > first:
            size = min(size, last - first)
            lost, block = (x[first:last].reshape(-1, size, channels).transpose(0, 2, 1).reshape(-1, size)
                           for x in (missing, doubles))
            with np.errstate(all="ignore"):
                rows = size - lost.sum(axis=1), lost.sum(axis=1), tree_sums(block), tree_sums(block * block)
                more = deviations(np.where(lost, np.nan, block)) if spread else np.zeros((3, len(block)))
            sums.append(np.stack([*rows, *more]).reshape(7, -1, channels))
    return np.concatenate(sums, axis=1)


def window_sums(samples, width, hop, align, edge, outputs, omit, overall=False, spread=False):
    """Of each window: mean, rms and count of the samples that are no NaN, from the sums of its blocks of a hop, and where
    a mean is none. `spread`: their deviation, too. `overall`: of all channels together, whose sums are added in their order."""
    before = {"valid": 0, "forward": 0, "causal": width - 1, "center": width // 2}[align]
    begin = -before % hop
    blocks = block_sums(samples, begin, hop, spread)
    first = np.arange(outputs) * hop - before
    at = (first - begin) // hop + (begin > 0)
    sums = np.zeros((7, outputs, blocks.shape[2]))
    with np.errstate(all="ignore"):
        for i in range(width // hop):
            here = (at + i >= 0) & (at + i < blocks.shape[1])
            block = blocks[:, (at + i)[here]]
            sums[:4, here] += block[:4]
            sums[4:, here] = joined(sums[4:, here], block[4:])
        if overall:
            both = sums[4:, :, :1]
            for channel in range(1, sums.shape[2]):
                both = joined(both, sums[4:, :, channel:channel + 1])
            sums = np.concatenate([np.add.accumulate(sums[:4], axis=2)[:, :, -1:], both])
        count, lost, total, squares, numbers, _, apart = sums
        undefined = (count == 0) | (lost > 0) & (not omit)
        if edge == "nan" and align != "valid":
            undefined |= ((first < 0) | (first + width > len(samples.values)))[:, None]
        made = {"mean": total / count, "rms": np.sqrt(squares / count)}
        made |= {"std": np.where(numbers < 2, np.nan, np.sqrt(apart / (numbers - 1)))} if spread else {}
    return {name: np.where(undefined, np.nan, values) for name, values in made.items()} | {"count": count}


def whole_number(emit, low, high):
    """abs, range and mid of integers, rounded once."""
    if emit == "mid":
        return (low + high) / 2
    return float(high - low if emit == "range" else max(abs(low), abs(high)))


def reals(samples, low, high, undefined, emit):
    """The values of one word of --emit as float64, rounded once, or to float32 where samples are float32."""
    a, b = doubles_of(low), doubles_of(high)
    with np.errstate(all="ignore"):
        if samples.kind == "i64" and emit in ("min", "max"):
            keys = high if emit == "max" else low
            made = (keys.view("u8") ^ np.uint64(2**63) if samples.lift else keys).astype("f8") * samples.unit
        elif samples.kind == "i64":
            pairs = zip((low.astype(object) + samples.lift).flat, (high.astype(object) + samples.lift).flat)
            made = np.array([whole_number(emit, *pair) for pair in pairs], "f8").reshape(low.shape) * samples.unit
        elif emit == "mid":
            over = np.isinf(a + b) & np.isfinite(a) & np.isfinite(b)
            made = np.where(over, a / 2 + b / 2, (a + b) / 2)
        else:
            made = {"min": a, "max": b, "abs": np.maximum(abs(a), abs(b)), "range": b - a}[emit]
        if samples.kind == "f32":
            made = made.astype("f4").astype("f8")
    return np.where(undefined | np.isnan(made), np.nan, made)


# ---- forms of input


def make_floats(draw, rng, n, bits, shape=None, nans=None):
    """Floats of some shape that a filter could trip over. Some become NaN: quiet or signalling, of either sign."""
    i = np.arange(n)
    shape = shape or draw.choice(SHAPES)
    if nans is None:
        nans = draw.choice([0.01, 0.1, 0.6, 1.0]) if draw.random() < 0.4 else 0
    with np.errstate(all="ignore"):
        made = {"noise": lambda: rng.standard_normal(n), "digits": lambda: 123456789 + rng.integers(0, 1000, n) / 8,
                "odd": lambda: rng.choice(ODD, n), "close": lambda: 1 + rng.integers(-3, 4, n) * 2.0**-52,
                "up": lambda: i / 3, "down": lambda: -i / 3,
                "flat": lambda: np.full(n, draw.choice([0.0, -0.0, 1 / 3, -2.5])),
                "bits": lambda: np.frombuffer(rng.bytes(n * bits // 8), f"f{bits // 8}").copy(),
                "spikes": lambda: np.where(rng.random(n) < 0.02, rng.standard_normal(n) * 100, 0.0),
                "sine": lambda: np.sin(i / 11) * (1 + i / (n + 1)), "steps": lambda: rng.integers(-3, 4, n) + 0.0,
                "zigzag": lambda: np.where(i % 2, 1.0, -1.0) * (n - i)}[shape]().astype(f"f{bits // 8}")
    made[np.isnan(made)] = 1
    where = rng.random(n) < nans
    codes = made.view(f"u{bits // 8}")
    codes[where] = rng.choice(np.array(NANS[bits], codes.dtype), where.sum())
    return made


def make_integers(draw, rng, n, dtype):
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    if draw.random() < 0.4:
        return rng.integers(least, most, n, dtype, endpoint=True)
    places = (least, most, 0, 2**24, 2**31, 2**53, 2**62, 2**63, -2**53)
    near = [place + by for place in places for by in (-1, 0, 1, 2) if least <= place + by <= most]
    return np.array(draw.choices(near, k=n), dtype)


class Source:
    """An input: its bytes, its name, words that describe it, and its samples. `told`: rounding it is a loss. `stray`:
    so many bytes are less than a frame. `ends`: full scale, which numbers do not have. `whole`: the integers that scaled
    samples are made of."""

    def __init__(self, name, data, words, samples, dtype=None, flat=False, told=True, scaled=True, stray=0, ends=None,
                 whole=None):
        self.whole = whole
        self.name, self.data, self.words, self.samples, self.ends = name, data, words, samples, ends
        self.dtype, self.flat, self.scaled, self.stray = dtype, flat, scaled, stray
        self.told = told and samples.kind != "f32"


def integers_as(values, bits, signed, counts):
    """Samples of integers of a raw type, or of an array (counts)."""
    if bits == 64:
        if signed:
            return Samples("i64", values.astype("i8"), 0, 1.0 if counts else 2.0**-63)
        keys = (values.astype("u8") ^ np.uint64(2**63)).view("i8")
        return Samples("i64", keys, 2**63 if counts else 0, 1.0 if counts else 2.0**-63)
    half = 2.0 ** (bits - 1)
    numbers = values.astype("f8")
    if not counts:
        numbers = (numbers if signed else numbers - half) / half
    return Samples("f64" if bits == 32 else "f32", numbers)


def full_scale(bits):
    """The ends of scaled integers; of 64 bits, those of their keys."""
    return (LEAST, MOST) if bits == 64 else (-1, 1 - 2.0 ** (1 - bits))


def magnitudes(pairs):
    """Of float32 or integers, as float32."""
    pairs = pairs.astype("f8").reshape(-1, 2)
    return np.sqrt(pairs[:, 0] ** 2 + pairs[:, 1] ** 2).astype("f4").astype("f8")


def integer_bytes_of(values, bits, big):
    """The bytes of integers, 24 bits in three of them."""
    values = values.astype(values.dtype.newbyteorder(">" if big else "<"))
    if bits != 24:
        return values.tobytes()
    columns = values.view("u1").reshape(-1, 4)
    return (columns[:, 1:] if big else columns[:, :3]).tobytes()


def raw_source(draw, rng, n, channels, name=None, big=None, counts=None, shape=None, nans=None, stray=False):
    name = name or draw.choice(["f32"] * 8 + ["f64"] * 5 + ["s64", "u64", *RAW])
    big = name not in BYTES and (draw.random() < 0.3 if big is None else big)
    bits, kind = int(name.lstrip("cfsu")), name.rstrip("0123456789")
    total = n * channels
    counts = "f" not in kind and (draw.random() < 0.5 if counts is None else counts)
    if name == "cf64":
        size = rng.integers(0, 2**20, total) * rng.choice([1.0, 2.0**600, 2.0**-600], total)
        data = np.stack([3 * size, -4 * size], 1).astype((">" if big else "<") + "f8").tobytes()
        samples = Samples("f64", 5 * size)
    elif "f" in kind:
        stored = make_floats(draw, rng, total * len(kind), bits, shape, nans)
        if kind == "cf":  # infinity and NaN in one pair have two answers
            stored[np.isinf(stored)] = 1
        # Not by astype(): it makes signalling NaN quiet.
        data = (stored.byteswap() if big else stored).tobytes()
        with np.errstate(all="ignore"):
            samples = Samples("f64" if bits == 64 else "f32", magnitudes(stored) if kind == "cf" else stored.astype("f8"))
    else:
        signed = kind[-1] == "s"
        dtype = np.dtype(f"{'i' if signed else 'u'}{4 if bits == 24 else bits // 8}")
        values = make_integers(draw, rng, total * len(kind), dtype) >> (8 if bits == 24 else 0)
        data = integer_bytes_of(values, bits, big)
        if kind[0] == "c":
            pairs = values.astype("f8") - (0 if signed else 127.5)
            samples = Samples("f32", magnitudes(pairs if counts else pairs / 2.0 ** (bits - 1)))
        else:
            samples = integers_as(values, bits, signed, counts)
    whole = integers_as(values, bits, signed, True) if kind in ("s", "u") and not counts else None
    for form in filter(None, (samples, whole)):
        form.values = form.values.reshape(n, channels)
    words = ["-t", name + "be" * big] if draw.random() < 0.5 else ["-t", name, *["-B"] * big]
    words += ["--counts"] * counts + (["-c", channels] if channels != 1 else [])
    frame = channels * len(kind) * bits // 8
    stray = draw.randint(1, frame - 1) if stray and frame > 1 else 0
    ends = None if counts or kind[0] == "c" else (-1, 1) if kind == "f" else full_scale(bits)
    return Source("x.raw", data + rng.bytes(stray), words, samples, scaled=not counts, stray=stray, ends=ends,
                  whole=whole)


def array_source(draw, rng, n, channels, name=None, flat=None, fortran=None):
    name = name or draw.choice("<>") + draw.choice([*ARRAYS, "i8", "u8", "f8"])
    dtype = np.dtype(name)
    native = dtype.newbyteorder("=")
    flat = channels == 1 and (draw.random() < 0.6 if flat is None else flat)
    shape = (n,) if flat else (n, channels)
    if dtype.kind == "c":
        size = rng.integers(0, 2**18, n * channels) * rng.choice([1.0, 2.0**-20], n * channels)
        array, numbers = size * (3 - 4j), 5 * size
        samples = Samples("f32" if dtype.itemsize == 8 else "f64", numbers)
    elif dtype.kind == "f":
        with np.errstate(all="ignore"):
            array = make_floats(draw, rng, n * channels, 8 * dtype.itemsize)
            samples = Samples("f64" if dtype.itemsize == 8 else "f32", array.astype("f8"))
    elif dtype.kind == "b":
        array = rng.integers(0, 2, n * channels).astype(bool)
        samples = Samples("f32", array.astype("f8"))
    else:
        array = make_integers(draw, rng, n * channels, native)
        samples = integers_as(array, 8 * dtype.itemsize, dtype.kind == "i", True)
    samples.values = samples.values.reshape(n, channels)
    array = array.reshape(shape).astype(dtype)
    if not flat and (draw.random() < 0.3 if fortran is None else fortran):
        array = np.asfortranarray(array)
    data = io.BytesIO()
    np.save(data, array)
    # The output has a scale of its own, unless it is --counts.
    counts = draw.random() < 0.6
    return Source("x.npy", data.getvalue(), ["--counts"] * counts, samples, native, flat, scaled=not counts)


def table_source(draw, rng, n, channels):
    numbers = make_floats(draw, rng, n * channels, 64)
    kind = draw.choice(["csv", "tsv", "txt"])
    forms = [repr, lambda x: f"{x:.17e}", lambda x: f"{x:.25G}", lambda x: f"{x:+.16e}"]
    words = [draw.choice(forms)(float(x)) for x in numbers]
    numbers = np.array([float(word) for word in words], "f8").reshape(n, channels)
    rows = [words[i:i + channels] for i in range(0, len(words), channels)]
    text = "".join({"csv": ",", "tsv": "\t", "txt": " "}[kind].join(row) + "\n" for row in rows)
    return Source("x." + kind, text.encode(), ["-t", kind], Samples("f64", numbers), told=False)


def sound_source(draw, rng, n, channels):
    kind, form = draw.choice(["f64", "f64", "s32", "f32", "s16"]), draw.choice(["wav", "au", "rifx"])
    bits = int(kind[1:])
    order = "<" if form == "wav" else ">"
    if kind[0] == "f":
        values = make_floats(draw, rng, n * channels, bits)
        with np.errstate(all="ignore"):
            samples, whole = Samples(kind, values.astype("f8").reshape(n, channels)), None
    else:
        values = make_integers(draw, rng, n * channels, np.dtype("i" + str(bits // 8)))
        samples, whole = [integers_as(values.reshape(n, channels), bits, True, counts) for counts in (False, True)]
    data = values.astype(values.dtype.newbyteorder(order)).tobytes()
    if form == "au":
        encoding = {"s16": 3, "s32": 5, "f32": 6, "f64": 7}[kind]
        data = struct.pack(">4s5I", b".snd", 24, len(data), encoding, 8000, channels) + data
    elif form == "wav":
        data = wav(data, channels, bits, floating=kind[0] == "f")
    else:
        # RIFX, the same with the other byte order.
        frame = channels * bits // 8
        code = 3 if kind[0] == "f" else 1
        head = b"WAVEfmt " + struct.pack(">IHHIIHH", 16, code, channels, 8000, 8000 * frame, frame, bits)
        head += b"data" + struct.pack(">I", len(data))
        data = b"RIFX" + struct.pack(">I", len(head) + len(data)) + head + data
    ends = (-1, 1) if kind[0] == "f" else full_scale(bits)
    return Source("x." + form.replace("rifx", "wav"), data, [], samples, ends=ends, whole=whole)
