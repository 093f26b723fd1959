"""What gpuenv must write, by numpy, straight from the definitions.

Samples become keys, integers in the order of IEEE 754 minimum and maximum, so -0 < +0 and equal
keys are equal bits. A window is the minimum and the maximum of its keys. No line here is shared
with the program."""

import numpy
from numpy.lib.stride_tricks import sliding_window_view
from scipy.ndimage import maximum_filter1d, minimum_filter1d

NAN_BITS = 0x7FC00000
LEAST = -(2**40)  # below every key, and
MOST = 2**40  # above every key
EMITS = ["min", "max", "abs", "range", "mid"]

INTEGERS = {"s8": 8, "u8": 8, "s16": 16, "u16": 16, "s24": 24, "u24": 24, "s32": 32, "u32": 32}
KINDS = ["f32", "f64", *INTEGERS, "cf32", "cs16", "cs8", "cu8"]
FLOATS = ["f32", "f64", "cf32"]
BYTES = {"f32": 4, "f64": 8, "cf32": 8, "cs16": 4, "cs8": 2, "cu8": 2}
BYTES.update({kind: bits // 8 for kind, bits in INTEGERS.items()})


def _integers(raw, bits, signed, big):
    """The integers in some bytes, of any number of whole bytes each."""
    columns = numpy.frombuffer(raw, numpy.uint8).reshape(-1, bits // 8).astype(numpy.int64)
    if big:
        columns = columns[:, ::-1]
    value = sum(columns[:, i] << (8 * i) for i in range(bits // 8))
    if signed:
        value = numpy.where(value >= 1 << (bits - 1), value - (1 << bits), value)
    return value


def decode(kind, raw, big=False, counts=False):
    """Raw bytes to float32 samples, rounded once."""
    order = ">" if big else "<"
    with numpy.errstate(all="ignore"):
        if kind in ("f32", "f64"):
            return numpy.frombuffer(raw, order + "f" + str(BYTES[kind])).astype(numpy.float32)
        if kind == "cf32":
            pair = numpy.frombuffer(raw, order + "f4").astype(numpy.float64).reshape(-1, 2)
        elif kind == "cu8":
            pair = (_integers(raw, 8, False, False) - 127.5).reshape(-1, 2)
            pair = pair if counts else pair / 128
        elif kind[0] == "c":
            bits = int(kind[2:])
            pair = _integers(raw, bits, True, big).reshape(-1, 2).astype(numpy.float64)
            pair = pair if counts else pair / 2 ** (bits - 1)
        else:
            bits = INTEGERS[kind]
            value = _integers(raw, bits, kind[0] == "s", big).astype(numpy.float64)
            if not counts:
                value = value / 2 ** (bits - 1) - (kind[0] == "u")
            return value.astype(numpy.float32)
        return numpy.sqrt(pair[:, 0] ** 2 + pair[:, 1] ** 2).astype(numpy.float32)


def keys_of(samples):
    bits = samples.view(numpy.int32).astype(numpy.int64)
    return numpy.where(bits >= 0, bits, bits ^ 0x7FFFFFFF)


def samples_of(keys):
    """Keys back to float32; what stands for no number becomes the one NaN."""
    missing = (keys == LEAST) | (keys == MOST)
    keys = numpy.where(missing, 0, keys)
    bits = numpy.where(keys >= 0, keys, keys ^ 0x7FFFFFFF).astype(numpy.int32)
    bits[missing] = NAN_BITS
    return bits.view(numpy.float32)


def reach(width, align):
    """How many frames before and after its own an output looks at."""
    if align == "valid":
        return 0, width - 1
    if align == "causal":
        return width - 1, 0
    return width // 2, (width + 1) // 2 - 1


def _slide(keys, before, after, fill, side):
    """The least (side 0) or greatest (side 1) key around every frame."""
    n = len(keys)
    before, after = min(before, n), min(after, n)
    width = before + after + 1
    padded = numpy.pad(keys, ((before, after), (0, 0)), constant_values=fill)
    if keys.size * width <= 300_000:
        views = sliding_window_view(padded, width, axis=0)
        return views.max(axis=-1) if side else views.min(axis=-1)
    # scipy's filter is centred: take what it gives for the middle of each window.
    slide = maximum_filter1d if side else minimum_filter1d
    middle = slide(padded, width, axis=0, mode="constant", cval=fill)
    return middle[width // 2 : width // 2 + n]


def bounds(samples, width, align, edge, nan, known=None):
    """The minimum and maximum keys of every output frame before any hop, as two arrays of
    frames by channels. `known`: only the windows that end before this frame."""
    n = len(samples)
    before, after = reach(width, align)
    outputs = max(n - width + 1, 0) if align == "valid" else n
    missing = numpy.isnan(samples)
    both = []
    for side in (0, 1):
        loses = LEAST if side else MOST
        wins = MOST if side else LEAST
        keys = numpy.where(missing, loses if nan == "omit" else wins, keys_of(samples))
        slid = _slide(keys, before, after, loses, side)[:outputs] if n else keys
        if edge == "nan":
            frame = numpy.arange(outputs)
            cut = (frame < before) | (frame + after >= n)
            slid[cut] = loses
        both.append(slid)
    if known is not None:
        keep = max(known - after, 0)
        both = [slid[:keep] for slid in both]
    return both


def values(low, high, emits):
    """Output frames, channels by emits, from bounds."""
    low, high = samples_of(low), samples_of(high)
    wide = low.astype(numpy.float64) + high.astype(numpy.float64)
    made = {
        "min": low,
        "max": high,
        "abs": numpy.maximum(numpy.abs(low), numpy.abs(high)),
        "range": high - low,
        "mid": (wide * 0.5).astype(numpy.float32),
    }
    frames = numpy.stack([made[emit] for emit in emits], axis=-1)
    frames = frames.reshape(len(low), low.shape[1] * len(emits)).astype("<f4")
    frames.view("<u4")[numpy.isnan(frames)] = NAN_BITS
    return frames


def envelope(samples, width, align="valid", edge="shrink", hop=1, emits=("min", "max"),
             nan="propagate"):
    """float32 samples, frames by channels, to output frames.
    Gives also the first NaN as (frame, channel), with `error` and where there is one."""
    known = stop = None
    if nan == "error" and numpy.isnan(samples).any():
        stop = tuple(int(i) for i in numpy.argwhere(numpy.isnan(samples))[0])
        known = stop[0]
        # Frames from there on are unknown, not missing: keep the length for the arithmetic.
        samples = samples.copy()
        samples[known:] = 0
    low, high = bounds(samples, width, align, edge, nan, known)
    with numpy.errstate(all="ignore"):
        return values(low[::hop], high[::hop], emits), stop
