#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Random tables against pandas: text.py PROGRAM CASES [SEED]

Numbers in many notations, and the same with a character or two changed. The result is that of
pandas.read_csv, or an error if pandas fails or lines are uneven (pandas fills short ones with NaN). The
first line is a good one, so that it is not a header, or one before it has names, by which columns are chosen. A case
depends only on its seed; with a SEED there is only this one. Then tables that pandas and NumPy write."""
import io
import itertools
import random
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check, check_seeds, finish, gpuenv, needed_modules

with needed_modules():
    import numpy
    import pandas

DELIMITERS = {"csv": ",", "tsv": "\t", "txt": " "}
NAN = [sign + word for sign in ("", "+", "-") for word in ("nan", "NaN", "NAN")]


def in_any_case(word):
    return ["".join(letters) for letters in itertools.product(*zip(word, word.upper()))]


# What damaged() can make of these, and what else counts as missing.
MISSING = ["", "-", "--", *in_any_case("na"), *(sign + word for sign in ("", "+", "-") for word in in_any_case("nan"))]


def number(draw):
    kind = draw.randrange(9)
    if kind == 0:
        return str(draw.randrange(-10**draw.randrange(1, 25), 10**draw.randrange(1, 25)))
    if kind == 1:
        return repr(draw.uniform(-1, 1))
    if kind == 2:
        exponent = draw.choice(["e", "E"]) + draw.choice(["", "+", "-"]) + str(draw.randrange(50))
        return "%.*f" % (draw.randrange(12), draw.uniform(-10, 10)) + exponent
    if kind == 3:
        return draw.choice("+-") + draw.choice([".5", "7.", "0", "0.0", "00012.50", "1e-50", "1e50"])
    if kind == 4:
        return draw.choice(["", *NAN, "inf", "-inf", "Infinity", "+INF"])
    return "%.*f" % (draw.randrange(1, 10), draw.gauss(0, 10.0**draw.randrange(8)))


def damaged(draw, text):
    """Changes, adds, removes or swaps characters."""
    for _ in range(draw.choice([1, 1, 2])):
        at = draw.randrange(len(text) + 1)
        char = draw.choice("0123456789..++--eEeExnaif_ ;'$%")
        text = draw.choice([text[:at] + char + text[at:], text[:at] + char + text[at + 1:],
                            text[:at] + text[at + 1:], text[:at] + text[at:at + 2][::-1] + text[at + 2:]])
    return text


def dressed(draw, text):
    if draw.random() < 0.15:
        text = f'"{text}"'
    if draw.random() < 0.15 and re.search("[0-9]", text):
        text = draw.choice(["", " "]) + text + draw.choice(["", " ", "  "])
    return text


def table(draw):
    """(kind, bytes, are all lines as long as the first? names of columns or none, the columns that are chosen)"""
    kind = draw.choice(list(DELIMITERS))
    columns = draw.randrange(1, 6)
    bad = draw.choice([0, 0, 0.02, 0.2])
    names = [f"c_{i}" if kind == "txt" else f"c {i}" for i in range(columns)] if draw.random() < 0.3 else None
    some = draw.sample(range(columns), draw.randint(1, columns)) if bad == 0 and draw.random() < 0.5 else None
    lines = [names] * bool(names) + [[str(draw.randrange(100)) for _ in range(columns)]]
    even = True
    for _ in range(draw.randrange(1, 30)):
        line = [number(draw) for _ in range(columns)]
        line = [damaged(draw, text) if draw.random() < bad else text for text in line]
        # pandas accepts only words without blanks.
        line = [text if re.search("[0-9]", text) else text.strip() for text in line]
        # pandas knows no blanks between thousands.
        line = [re.sub("([0-9]) (?=[0-9]{3})", r"\1x", text) for text in line]
        # A number too large for a float64 is infinite, as in Python; pandas rejects it.
        line = ["inf" if re.search("[eE][+]?[0-9]{3}", text) else text for text in line]
        if kind == "txt":  # nothing between blanks is not a field
            line = [text if text.strip() else "1" for text in line]
        line = [dressed(draw, text) for text in line]
        if draw.random() < bad / 8:
            even = False
            line = line[1:] if columns > 2 and draw.random() < 0.5 else line + ["1"]
        if not "".join(line).strip():  # an empty line is not a line
            line[0] = "1"
        lines.append(line)
    end = draw.choice(["\n", "\r\n"])
    text = end.join(DELIMITERS[kind].join(line) for line in lines) + draw.choice([end, ""])
    return kind, text.encode(), even, names, some


def by_pandas(kind, data, names):
    """An array, or None."""
    separator = {"delim_whitespace": True} if kind == "txt" else {"sep": DELIMITERS[kind]}
    try:
        return pandas.read_csv(io.BytesIO(data), header=0 if names else None, dtype=numpy.float64,
                               skipinitialspace=True, keep_default_na=False, na_values=MISSING,
                               float_precision="round_trip", index_col=False, **separator).to_numpy()
    except ValueError:
        return None


def differ(got, due):
    with numpy.errstate(over="ignore"):
        due = due.astype("<f4").ravel()
    if len(got) != len(due):
        return f"{len(got)} numbers, {len(due)} are due"
    wrong = numpy.flatnonzero((got != due) & ~(numpy.isnan(got) & numpy.isnan(due)))
    return f"number {wrong[0]} is {got[wrong[0]]!r}, not {due[wrong[0]]!r}" if len(wrong) else None


def why_not(done, kind, data, even, names, some):
    due = by_pandas(kind, data, names) if even else None
    if due is None:
        told = re.fullmatch(r"(gpuenv: standard input: its numbers [^\n]+\n)?gpuenv: standard input: line \d+, column \d+: [^\n]+\n", done.said)
        return None if done.status == 2 and told else f"{done}; pandas has no numbers"
    if done.status != 0:
        return f"{done}; pandas has numbers"
    return differ(numpy.frombuffer(done.out, "<f4"), due if some is None else due[:, some])


def faults(seed):
    draw = random.Random(seed)
    kind, data, even, names, some = table(draw)
    words = [] if some is None else ["--columns", ",".join(
        names[column] if names and draw.random() < 0.5 else str(column + 1) for column in some)]
    why = why_not(gpuenv("-t", kind, "-w", 1, "--emit", "max", "-T", "f32", *words, data=data), kind, data, even, names, some)
    return [why, repr(data)] if why else []


def check_written():
    """By pandas and NumPy."""
    numbers = numpy.random.default_rng(1).standard_normal((50, 3)).astype("<f4")
    frame = pandas.DataFrame(numbers, columns=["x", "y", "z"])
    unnamed = pandas.DataFrame(numbers)
    by_numpy = io.BytesIO()
    numpy.savetxt(by_numpy, numbers)
    for kind, due, data in (("csv", numbers, frame.to_csv(index=False).encode()),
                            ("tsv", numbers, frame.to_csv(index=False, sep="\t").encode()),
                            # Names that are numbers are a line of them.
                            ("csv", numpy.vstack([range(3), numbers]), unnamed.to_csv(index=False).encode()),
                            ("txt", numbers, by_numpy.getvalue())):
        done = gpuenv("-t", kind, "-w", 1, "--emit", "max", "-T", "f32", data=data)
        check(not differ(numpy.frombuffer(done.out, "<f4"), due), kind, done)


cases, seed = argument(2, 300), argument(3, 0)
check_seeds(faults, [seed] if seed else range(1, cases + 1), lambda seed: [PROGRAM, 1, seed])
check_written()
finish()
