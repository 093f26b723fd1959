#!/usr/bin/python3
"""Random tables against pandas: text_differential.py PROGRAM CASES [SEED]

Numbers in many notations, and the same with a character or two changed. The result is that of
pandas.read_csv, or an error if pandas fails or lines are uneven (pandas fills short ones with NaN). The
first line is a good one, so that it is not a header. A case depends only on its seed; with a SEED there is
only this one."""
import io
import itertools
import random
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument, check_seeds, finish, gpuenv, needed_modules

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
    """(kind, bytes, are all lines as long as the first?)"""
    kind = draw.choice(list(DELIMITERS))
    columns = draw.randrange(1, 6)
    bad = draw.choice([0, 0, 0.02, 0.2])
    lines = [[str(draw.randrange(100)) for _ in range(columns)]]
    even = True
    for _ in range(draw.randrange(1, 30)):
        line = [number(draw) for _ in range(columns)]
        line = [damaged(draw, text) if draw.random() < bad else text for text in line]
        # pandas accepts only words without blanks.
        line = [text if re.search("[0-9]", text) else text.strip() for text in line]
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
    return kind, text.encode(), even


def by_pandas(kind, data):
    """An array, or None."""
    separator = {"delim_whitespace": True} if kind == "txt" else {"sep": DELIMITERS[kind]}
    try:
        return pandas.read_csv(io.BytesIO(data), header=None, dtype=numpy.float64,
                               skipinitialspace=True, keep_default_na=False, na_values=MISSING,
                               float_precision="round_trip", index_col=False, **separator).to_numpy()
    except ValueError:
        return None


def differ(got, due):
    """pandas has rounded to float64 before: a float32 next to a midpoint may be either neighbour."""
    with numpy.errstate(over="ignore", invalid="ignore"):
        due = due.astype("<f4").ravel()
        if len(got) != len(due):
            return f"{len(got)} numbers, {len(due)} are due"
        near = (got == due) | (numpy.nextafter(got, due) == due) | (numpy.isnan(got) & numpy.isnan(due))
    wrong = numpy.flatnonzero(~near)
    return f"number {wrong[0]} is {got[wrong[0]]!r}, not {due[wrong[0]]!r}" if len(wrong) else None


def why_not(done, kind, data, even):
    due = by_pandas(kind, data) if even else None
    if due is None:
        told = re.fullmatch(r"gpuenv: standard input: line \d+, column \d+: [^\n]+\n", done.said)
        return None if done.status == 2 and told else f"{done}; pandas has no numbers"
    return differ(numpy.frombuffer(done.out, "<f4"), due) if done.status == 0 else f"{done}; pandas has numbers"


def faults(seed):
    kind, data, even = table(random.Random(seed))
    why = why_not(gpuenv("-t", kind, "-w", 1, "--emit", "max", data=data), kind, data, even)
    return [why, repr(data)] if why else []


cases, seed = argument(2, 300), argument(3, 0)
check_seeds(faults, [seed] if seed else range(1, cases + 1), lambda seed: [PROGRAM, 1, seed])
finish()
