#!/usr/bin/python3
"""Holds --zoom with --emit mean,rms,count against a model in numpy: means.py PROGRAM [SEEDS [FIRST]]

The model has the summation tree of the records of --stats (records.py), and numpy's extremes. Everything must come
out to the bit, for every type, cut, thread and way of writing; intervals of the clock have the extremes, the counts and,
nearly, the means of pandas, and to the bit those of --stats."""

import io
import json
import random
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check_seeds, finish, needed_modules

with needed_modules():
    import numpy
    import pandas
    from records import keys, tree_sums

SEEDS = argument(2, 40)
FIRST = argument(3, 1)
# Types, and what is multiplied by the integers to get samples. A type of more than 24 bits is worked on as float64.
TYPES = {"f32": ("f4", None), "f64": ("f8", None), "s16": ("i2", 2.0**-15), "u8": ("u1", 2.0**-7), "s32": ("i4", 2.0**-31)}
VALUES = ["min", "max", "abs", "range", "mid", "mean", "rms", "count"]
DEVICE = "emu" in PROGRAM


def run(*arguments, data=None):
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: {done.stderr.decode()}")
    return done.stdout


def numbers_of(name, raw):
    """The samples that are worked on."""
    dtype, unit = TYPES[name]
    samples = raw.astype(numpy.float64) - (128 if name == "u8" else 0)
    if unit is not None:
        samples = samples * unit
    return samples if dtype in ("f8", "i4") else samples.astype(numpy.float32)


def values_of(rows, omit):
    """By name, a value for each row of samples; extremes and what is made of them stay float32 where they are."""
    rows = numpy.ascontiguousarray(rows)
    numbers = ~numpy.isnan(rows)
    count = numbers.sum(axis=1)
    order = keys(rows)
    ends = numpy.iinfo(order.dtype)

    def best(places):
        return numpy.take_along_axis(rows, places[:, numpy.newaxis], axis=1)[:, 0]

    low = best(numpy.where(numbers, order, ends.max).argmin(axis=1))
    high = best(numpy.where(numbers, order, ends.min).argmax(axis=1))
    with numpy.errstate(all="ignore"):
        doubles = numpy.where(numbers, rows, 0).astype(numpy.float64)
        made = {"min": low, "max": high, "abs": numpy.maximum(abs(low), abs(high)), "range": high - low,
                "mid": ((low.astype("f8") + high) * 0.5).astype(rows.dtype), "mean": tree_sums(doubles) / count,
                "rms": numpy.sqrt(tree_sums(doubles * doubles) / count)}
    lost = count < (1 if omit else rows.shape[1])
    return {name: numpy.where(lost, numpy.nan, values.astype("f8")) for name, values in made.items()} | {"count": count.astype("f8")}


def model(samples, length, omit):
    """Values by name: an array of frames and channels."""
    frames, channels = samples.shape
    whole = frames // length
    blocks = samples[:whole * length].reshape(whole, length, channels).transpose(0, 2, 1).reshape(-1, length)
    parts = [values_of(blocks, omit)] if whole else []
    if frames % length:
        parts.append(values_of(samples[whole * length:].T, omit))
    return {name: numpy.concatenate([part[name] for part in parts]).reshape(-1, channels) for name in VALUES}


def bits(values):
    """With one NaN."""
    values = numpy.asarray(values, numpy.float64)
    return numpy.where(numpy.isnan(values), numpy.nan, values).view("u8")


def make(rng, name, frames, channels):
    if TYPES[name][1] is not None:
        info = numpy.iinfo(TYPES[name][0])
        return rng.integers(info.min, info.max, (frames, channels), TYPES[name][0], endpoint=True)
    made = rng.standard_normal((frames, channels)) * 10.0 ** rng.integers(-3, 4)
    kind = rng.integers(4)
    if kind == 0:
        made[rng.random(made.shape) < rng.choice([0.001, 0.5])] = numpy.nan
    if kind == 1:
        made = rng.choice([0.0, -0.0, 1.0, -1.0], made.shape)
    return made.astype(TYPES[name][0])


def ways(draw, path, data):
    """Options that change no byte, and the input."""
    way = draw.choice([[], ["--threads", 1], ["--threads", 3], ["--chunk", draw.choice([1, 7, 1000])],
                       ["--isa", draw.choice(["scalar", "sse4", "avx2"])]])
    if DEVICE:
        way = way + ["--device", "cuda"]
    return (*way, path), (way, data)


def faults_of_frames(seed):
    draw = random.Random(seed)
    rng = numpy.random.default_rng(seed)
    name = draw.choice(list(TYPES))
    channels = draw.choice([1, 2, 3, 5, 300])
    length = draw.choice([1, 2, 5, 31, 32, 33, 63, 64, 100, 256, 1024, 4095, 4096, 4097, 10000, 100000])
    frames = max(1, draw.choice([0, 1, length - 1, length, length + 1, 5 * length, 20000]) + draw.choice([0, 0, 1, 77]))
    frames = min(frames, 600000 // channels // (8 if length < 32 else 1))
    raw = make(rng, name, frames, channels)
    omit = draw.random() < 0.5
    emits = draw.sample(VALUES, draw.randint(1, 8))
    if not {"mean", "rms", "count"} & set(emits):
        emits[0] = "rms"
    data = raw.tobytes()
    wanted = model(numbers_of(name, raw), length, omit)
    due_bits = bits(numpy.stack([wanted[emit] for emit in emits], axis=-1))
    base = ["-t", name, "-c", channels, "--zoom", length, "--emit", ",".join(emits), "--nan", "omit" if omit else "propagate"]
    faults = []

    def compare(what, got):
        if got.shape != due_bits.shape or not (got == due_bits).all():
            faults.append(f"{what}: {base}, {frames} frames")

    def read(text, dtype="f8"):
        return bits(numpy.frombuffer(text, dtype)).reshape(-1, channels, len(emits))

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/in.{name}"
        with open(path, "wb") as file:
            file.write(data)
        # Range and middle of float32 are float32 in text, and exact as float64.
        single = TYPES[name][0] not in ("f8", "i4")
        inexact = single and {"range", "mid"} & set(emits)
        of_file, (way, of_pipe) = ways(draw, path, data)
        plain = run(*base, "-T", "f64", *of_file)
        if not inexact:
            compare("f64", read(plain))
        if run(*base, "-T", "f64", *way, data=of_pipe) != plain:
            faults.append(f"a pipe differs: {base} {way}")
        parts = [run(*base, "-T", "f64", "--shard", f"{i}/3", path) for i in (1, 2, 3)]
        if b"".join(parts) != plain:
            faults.append(f"parts differ: {base}")
        table = pandas.read_csv(io.BytesIO(run(*base, "-T", "csv", *of_file)), float_precision="round_trip",
                                dtype=numpy.float64)  # as integers, -0 would be 0
        kept = [emit in ("mean", "rms", "count") or not single for emit in emits]
        text = table.to_numpy(numpy.float64)[:, 1:].reshape(-1, channels, len(emits))
        text = numpy.where(kept, text, text.astype(numpy.float32).astype(numpy.float64))
        compare("csv", bits(text))
        array = numpy.load(io.BytesIO(run(*base, "-T", "npy", path)))
        if array.dtype != numpy.float64 or array.astype("f8").tobytes() != numpy.frombuffer(plain, "f8").tobytes():
            if name not in ("s16", "u8", "s32"):  # integers of arrays are scaled as the file's
                faults.append(f"npy differs: {base}")
        with numpy.errstate(all="ignore"):
            rounded = [numpy.float32(low) for low in (wanted["min"], wanted["max"])]
            narrow = wanted | {"range": rounded[1] - rounded[0], "min": rounded[0], "max": rounded[1],
                               "mid": ((rounded[0].astype("f8") + rounded[1]) * 0.5),
                               "abs": numpy.maximum(abs(rounded[0]), abs(rounded[1]))}
            due_f32 = numpy.stack([narrow[emit] for emit in emits], axis=-1).astype(numpy.float32)
        got = run(*base, "-q", *of_file)
        if not (read(got, "f4") == bits(due_f32)).all():
            faults.append(f"f32 differs: {base}")
        overall = run(*base, "-T", "f64", "--overall", *of_file)
        faults.extend(faults_overall(base, emits, wanted, omit, overall))
    return faults


def faults_overall(base, emits, wanted, omit, out):
    """Extremes of extremes; counts are added; means of the sums, nearly."""
    got = numpy.frombuffer(out, "f8").reshape(-1, len(emits))
    counts = wanted["count"].sum(axis=1)
    spoilt = numpy.isnan(wanted["min"]).any(axis=1) if not omit else counts == 0
    if "count" in emits and not (got[:, emits.index("count")] == counts).all():
        return [f"overall count: {base}"]
    for name, join in (("min", numpy.fmin), ("max", numpy.fmax)):
        if name in emits:
            due_values = numpy.where(spoilt, numpy.nan, join.reduce(wanted[name], axis=1))
            if not (numpy.isclose(got[:, emits.index(name)], due_values, rtol=0, atol=0, equal_nan=True)).all():
                return [f"overall {name}: {base}"]
    with numpy.errstate(all="ignore"):
        sums = numpy.nansum(wanted["mean"] * wanted["count"], axis=1)
        squares = numpy.nansum(wanted["rms"] ** 2 * wanted["count"], axis=1)
        scale = numpy.nansum(wanted["rms"] * wanted["count"], axis=1) / counts
        for name, values in (("mean", sums / counts), ("rms", numpy.sqrt(squares / counts))):
            if name in emits:
                values = numpy.where(spoilt, numpy.nan, values)
                near = abs(got[:, emits.index(name)] - values) <= 1e-12 * scale
                if not (near | numpy.isnan(values)).all() or not (numpy.isnan(got[:, emits.index(name)]) == numpy.isnan(values)).all():
                    return [f"overall {name}: {base}"]
    return []


def faults_of_clock(seed):
    draw = random.Random(seed)
    rng = numpy.random.default_rng(seed)
    rows = draw.choice([1, 2, 100, 5000, 20000])
    steps = rng.choice([0, 1, 7, draw.choice([30, 4000])], rows)
    times = 1_700_000_000 + numpy.cumsum(steps)
    table = pandas.DataFrame({"a": rng.standard_normal(rows) + 1e6, "b": rng.integers(-5, 5, rows).astype(float)})
    table[rng.random(table.shape) < draw.choice([0, 0.1, 0.7])] = numpy.nan
    lengths = {"1s": 1, "10s": 10, "1min": 60, "1h": 3600}
    span = int(times[-1] - times[0])
    period = draw.choice([word for word, length in lengths.items() if span / length < 50_000])
    text = table.assign(time=times).to_csv(index=False, na_rep="nan").encode()
    emits = ["min", "count", "max", "mean", "rms"]
    omit = draw.random() < 0.7
    gaps = ["--gaps", draw.choice(["nan", "skip"])]
    base = ["-t", "csv", "--time", "time", *gaps, "--nan", "omit" if omit else "propagate"]
    got = pandas.read_csv(io.BytesIO(run(*base, "--zoom", period, "--emit", ",".join(emits), "-T", "csv", data=text)),
                          float_precision="round_trip")
    records = [json.loads(line) for line in run(*base, "--emit", "none", "--stats", "-", "--stats-every", period,
                                                data=text).splitlines()]
    faults = []
    for channel, name in enumerate("ab"):
        of_channel = [record for record in records if record["channel"] == channel]
        for value in emits:
            for row, record in zip(got[f"{name}_{value}"], of_channel):
                count = record["frames"] - record["nan"]
                wanted = count if value == "count" else record[value]
                if value != "count" and record["nan"] and not omit:
                    wanted = None
                if not (row == wanted if wanted is not None else numpy.isnan(row)):
                    faults.append(f"{period} {name}_{value}: {row}, but --stats has {wanted}; seed {seed}")
                    return faults
    if len(got) * 2 != len(records):
        faults.append(f"{len(got)} intervals, but {len(records)} records")
    stamped = table.set_index(pandas.to_datetime(times, unit="s"))
    peer = stamped.resample(period.replace("1min", "60s"), origin="epoch")
    for name in "ab":
        counts = peer[name].count()
        kept = counts if gaps[1] == "nan" else counts[peer[name].size() > 0]
        if not (kept.to_numpy() == got[f"{name}_count"].to_numpy()).all():
            faults.append(f"{period} {name}_count is not pandas'")
        means = peer[name].mean()[kept.index].to_numpy()
        of_name = [record for record in records if record["column"] == name]
        for value, wanted in (("std", peer[name].std()), ("first", peer[name].first()), ("last", peer[name].last())):
            found = numpy.array([record[value] for record in of_name], numpy.float64)
            near = {"rtol": 1e-9} if value == "std" else {"rtol": 0, "atol": 0}
            if not numpy.allclose(found, wanted[kept.index].to_numpy(), equal_nan=True, **near):
                faults.append(f"{period} {value} of {name} is not pandas'")
        if omit and not numpy.allclose(means, got[f"{name}_mean"], rtol=1e-12, atol=1e-12, equal_nan=True):
            faults.append(f"{period} {name}_mean is not pandas'")
    return faults


def faults_of_neighbours(seed):
    """A mean beside them changes no other value. Samples have 16 bits, so that none is rounded on its way."""
    draw = random.Random(seed)
    name, dtype, shift = draw.choice([("s64", "i8", 48), ("u64", "u8", 48), ("s32", "i4", 16), ("s16", "i2", 0)])
    samples = numpy.random.default_rng(seed).integers(-2**13, 2**13, 600) + (2**15 if name == "u64" else 0)
    data = (samples.astype(dtype) << numpy.array(shift, dtype)).tobytes()
    kept = draw.sample(["min", "max", "abs", "range", "mid"], draw.randint(1, 5))
    output = draw.choice(["f16", "f32", "f64", "s8", "s16", "s24", "s32", "csv", "csv:f32"])
    added = "argmax" if output == "csv:f32" else "rms"
    base = ["-q", "-t", name, "-c", 2, "--zoom", draw.choice([1, 7, 100, 299]), "-T", output, *draw.choice([[], ["--counts"]]),
            *draw.choice([[], ["--overall"] if added == "rms" else []]), *draw.choice([[], ["--edge", "nan"]])]
    outs = [run(*base, "--emit", ",".join(emits), data=data) for emits in (kept, [*kept, added])]
    if "csv" in output:
        tables = [pandas.read_csv(io.BytesIO(out), dtype=str) for out in outs]
        same = tables[0].equals(tables[1][tables[0].columns])
    else:
        width = int(output[1:]) // 8
        values = [numpy.frombuffer(out, f"V{width}").reshape(-1, len(kept) + index) for index, out in enumerate(outs)]
        same = values[0].tobytes() == values[1][:, :len(kept)].tobytes()
    return [] if same else [f"{added} beside {kept} changes them: {base}"]


def faults_of(seed):
    try:
        neighbours = [] if DEVICE else faults_of_neighbours(seed)
        return neighbours + (faults_of_clock(seed) if seed % 4 == 0 and not DEVICE else faults_of_frames(seed))
    except AssertionError as failed:
        return [str(failed)]


check_seeds(faults_of, range(FIRST, FIRST + SEEDS), lambda seed: (PROGRAM, 1, seed))
finish("means:")
