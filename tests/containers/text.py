#!/usr/bin/python3
"""Text in columns, in and out, against pandas and NumPy: text.py PROGRAM [SHARE]

Random tables, always the same, in many notations: quotes, blanks, signs, exponents, empty fields,
comments, every line end. pandas reads the decimals as float64 with round-trip precision; Fraction rounds
the expected values to float32, once. One of SHARE tables is tried."""
import fractions
import io
import math
import pathlib
import random
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import argument, check, finish, gpuenv, needed_modules

with needed_modules():
    import numpy as np
    import pandas as pd

chance = random.Random(16)
SHARE = argument(2, 6)
DELIMITERS = {"csv": ",", "tsv": "\t", "txt": " "}


def to_float32(decimal):
    """The nearest float32, ties to even: among the neighbours of numpy's result."""
    word = decimal.strip().lower().lstrip("+-")
    if word in ("", "nan", "inf", "infinity"):
        return np.float32(decimal.strip() or "nan")
    exact = fractions.Fraction(decimal.strip())
    with np.errstate(over="ignore"):
        guess = np.float32(float(exact)) if abs(exact) < 10**39 else np.float32(math.copysign(math.inf, exact))
    if not np.isfinite(guess) or guess == 0:
        return np.float32(decimal.strip())
    near = [np.nextafter(guess, np.float32(-np.inf)), guess, np.nextafter(guess, np.float32(np.inf))]
    near = [x for x in near if np.isfinite(x)]
    return min(near, key=lambda x: (abs(fractions.Fraction(float(x)) - exact), x.view("u4") & 1))


def number():
    """A decimal as a person or a program might write it."""
    kind = chance.randrange(8)
    if kind == 0:
        return str(chance.randrange(-10**chance.randrange(1, 12), 10**chance.randrange(1, 12)))
    if kind == 1:
        return repr(chance.uniform(-1, 1))
    if kind == 2:
        return "%.*e" % (chance.randrange(20), chance.uniform(-1, 1) * 10**chance.randrange(-44, 38))
    if kind == 3:
        return chance.choice(["+", "-", ""]) + chance.choice([".5", "7.", "0", "0.0", "00012.50"])
    if kind == 4:
        return chance.choice(["nan", "NaN", "inf", "-inf", "Infinity"])
    return "%.*f" % (chance.randrange(1, 9), chance.gauss(0, 100))


def field(kind, text):
    """The same number in another notation."""
    if kind != "txt" and chance.random() < 0.05:
        return ""
    if chance.random() < 0.1:
        text = f'"{text}"'
    if chance.random() < 0.1:
        text = chance.choice(["", " "]) + text + " "
    return text


def table(kind):
    """Lines, and their values."""
    columns = chance.randrange(1, 6)
    names = [f"c {i}" if kind != "txt" else f"c{i}" for i in range(columns)] if chance.random() < 0.5 else None
    end = chance.choice(["\n", "\r\n"])
    delimiter = DELIMITERS[kind]
    lines = [delimiter.join(names)] if names else []
    rows = []
    for _ in range(chance.randrange(1, 60)):
        fields = [field(kind, number()) for _ in range(columns)]
        # An empty line is not a line of the table.
        if all(not f.strip() for f in fields):
            fields[0] = "1"
        if chance.random() < 0.05:
            lines.append(chance.choice(["# 1,2,3", "", "   "]))
        lines.append(delimiter.join(fields))
        rows.append([to_float32(f.strip().strip('"')) for f in fields])
    data = (end.join(lines) + chance.choice([end, ""])).encode()
    if chance.random() < 0.2:
        data = b"\xef\xbb\xbf" + data
    return names, np.array(rows, "<f4"), data


def same(data, due):
    got = np.frombuffer(data, "<f4")
    due = due.astype("<f4").ravel()
    return len(got) == len(due) and bool(((got == due) | (np.isnan(got) & np.isnan(due))).all())


# ---- in: the values of the lines, and some of the columns
for i in range(400 // SHARE):
    kind = chance.choice(list(DELIMITERS))
    names, due, data = table(kind)
    done = gpuenv("-t", kind, "-w", 1, "--emit", "max", data=data)
    check(done.status == 0 and same(done.out, due), i, kind, data, done.said)
    some = chance.sample(range(due.shape[1]), chance.randrange(1, due.shape[1] + 1))
    words = [names[c] if names and chance.random() < 0.5 else str(c + 1) for c in some]
    done = gpuenv("-t", kind, "-w", 1, "--emit", "max", "--columns", ",".join(words), data=data)
    check(done.status == 0 and same(done.out, due[:, some]), i, words, done.said)

# ---- in: the same as pandas and NumPy, for files they write
for i in range(60 // SHARE):
    columns = chance.randrange(1, 5)
    due = np.random.default_rng(i).standard_normal((50, columns)).astype("<f4")
    for data, kind in ((pd.DataFrame(due).to_csv(index=False).encode(), "csv"),
                       (pd.DataFrame(due, columns=[f"x{c}" for c in range(columns)])
                        .to_csv(index=False, sep="\t").encode(), "tsv")):
        done = gpuenv("-t", kind, "-w", 1, "--emit", "max", data=data)
        # pandas writes names that are numbers: 0,1,2 is a line of them.
        rows = due if kind == "tsv" else np.vstack([np.arange(columns), due])
        check(done.status == 0 and same(done.out, rows), i, kind, done.said)
    stream = io.BytesIO()
    np.savetxt(stream, due)
    done = gpuenv("-t", "txt", "-w", 1, "--emit", "max", data=stream.getvalue())
    check(done.status == 0 and same(done.out, due), i, "savetxt", done.said)

# ---- in: errors name the line and the column, and earlier frames are written
for i in range(200 // SHARE):
    kind = chance.choice(list(DELIMITERS))
    columns = chance.randrange(2, 5)
    good = chance.randrange(1, 20)
    lines = [[str(chance.randrange(100)) for _ in range(columns)] for _ in range(good + 1)]
    due = np.array(lines[:good], "<f4")
    column = chance.randrange(columns)
    words = chance.choice(["abc", "1.2.3", "0x10", "1e", "--1", "1,5" if kind != "csv" else "1;5"])
    what = f"line {good + 1}, column {column + 1}: '{words}' is no number"
    lines[good][column] = words
    if chance.random() < 0.3:
        lines[good] = ["1"] * (columns + 1)
        what = f"line {good + 1}, column {columns + 1}: is one too many"
    elif chance.random() < 0.3:
        lines[good] = ["1"] * (columns - 1)
        what = f"line {good + 1}, column {columns}: is missing"
    data = "\n".join(DELIMITERS[kind].join(line) for line in lines).encode()
    done = gpuenv("-t", kind, "-w", 1, "--emit", "max", data=data)
    check(done.status == 2 and what in done.said, i, what, done.said)
    check(same(done.out, due), i, "what comes before")

# ---- out: pandas reads the same float32 back
with tempfile.TemporaryDirectory() as work:
    path = pathlib.Path(work) / "in.f32"
    for i in range(60 // SHARE):
        kind = chance.choice(list(DELIMITERS))
        channels = chance.randrange(1, 4)
        hop = chance.choice([1, 3])
        bits = np.random.default_rng(i).integers(0, 1 << 32, (80, channels), "u4")
        path.write_bytes(bits.astype("<u4").tobytes())
        base = ["-c", channels, "-w", 4, "--hop", hop, path]
        rate = ["-r", "8000"] if chance.random() < 0.5 else []
        due = np.frombuffer(gpuenv(*base).out, "<f4").reshape(-1, 2 * channels)
        done = gpuenv(*base, *rate, "-T", kind, data=b"")
        check(done.status == 0, done.said)
        got = pd.read_csv(io.BytesIO(done.out), sep=DELIMITERS[kind], float_precision="round_trip")
        names = [f"{side}{c if channels > 1 else ''}" for c in range(channels) for side in ("min", "max")]
        check(list(got.columns) == ["frame"] + (["time"] if rate else []) + names, list(got.columns))
        check((got["frame"] == np.arange(len(due)) * hop).all(), i, "frame")
        if rate:
            check((got["time"] == np.arange(len(due)) * hop / 8000).all(), i, "time")
        check(same(got[names].to_numpy().astype("<f4").tobytes(), due), i, kind, "samples")

finish()
