#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Digits that float32 does not hold: where they are kept, where they are lost, and that it is told: precision.py PROGRAM quick|full

oracle.py has random cases of this. full: also files of other programs, and batches."""

import itertools
import math
import os
import pathlib
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, need, needed_modules, tool, wav

with needed_modules():
    import numpy as np
    from reference import LEAST, MOST, Samples, bounds, doubles_of, integers_as


def magnitudes():
    """Complex numbers: hypot but for two units of the last place, and infinite where a part is."""
    rng = np.random.default_rng(1)
    pairs = rng.standard_normal((3000, 2)) * 2.0 ** rng.integers(-1070, 1020, (3000, 1))
    pairs[::7, 1] *= 2.0 ** rng.integers(-60, 0, len(pairs[::7]))
    pairs[:6] = [[np.inf, 1], [np.nan, -np.inf], [-np.inf, np.nan], [np.nan, 1], [0.0, -0.0], [5e-324, 0]]
    done = gpuenv("-t", "cf64", "-w", 1, "--emit", "min", "-T", "f64", data=pairs.tobytes())
    got, exact = np.frombuffer(done.out, "f8"), np.array([math.hypot(*pair) for pair in pairs])
    with np.errstate(all="ignore"):
        fine = (got == exact) | (np.isnan(got) & np.isnan(exact)) | (abs(got - exact) <= 2 * np.spacing(exact))
    check(fine.all() and not np.signbit(got[~np.isnan(got)]).any(), "cf64", pairs[~fine][:4], got[~fine][:4])
    np.save("x.npy", pairs.copy().view("c16").ravel())
    check(gpuenv("-w", 1, "--emit", "min", "-T", "f64", "x.npy").out == done.out, "complex128 is not cf64")


def told_once():
    """Lost digits are told once, where they are lost; a number of a text has the same digits in a table."""
    raw = (np.arange(99) / 127).tobytes()
    short = (np.arange(99) / 128).tobytes()
    overview = ["--zoom", 2, "-r", 10]
    for words, keeps in (["-t", "f64"], "f64"), (["-t", "s32"], "f64"), (["-t", "f64", "-T", "f32"], None), \
            (["-t", "f64", "-q"], None), (["-t", "f64", "-T", "f64"], None), (["-t", "f64", "-T", "csv"], None), \
            (["-t", "f64", "-T", "wav:f32", "-r", 10], "wav:f64"), (["-t", "f64", "-T", "s16"], "f64"), \
            (["-t", "f64", "-T", "npy:f32", "-o", "x.npy"], "npy:f64"), (["-t", "f64", "-T", "csv:f32"], "csv"), \
            (["-t", "f64", "-T", "svg"], None), (["-t", "f64", "-o", "x.f16"], "f64"), \
            ([*overview, "-t", "f64", "-T", "dat"], "csv"), ([*overview, "-t", "f64", "-T", "json"], "csv"), \
            (["-t", "f32"], None), (["-t", "s24"], None), (["-t", "f64", "--emit", "none", "--stats", "-"], None):
        words = words if "--zoom" in words else ["-w", 1, *words]
        done = gpuenv(*words, data=raw)
        told = keeps is not None
        check(done.status == 0 and (f" -T {keeps} keeps" in done.said) == told and done.said.count("\n") == told, done)
        done = gpuenv(*words, data=short if "f64" in words else bytes(1200))
        check(done.status == 0 and done.said == "", "nothing is lost", done)
    # From a file, by threads; and the last of many samples.
    for late, told in (1 / 3, 1), (0.5, 0):
        np.append(np.zeros(3_000_000), late).tofile("late.f64")
        done = gpuenv("-w", 100, "-o", "out.f32", "late.f64")
        check(done.said.count("rounded to float32") == told, "the last one", done)
    done = gpuenv("-t", "txt", "-w", 1, "-T", "f32", data=b"123456789.25\n")
    check(done.said == "" and np.frombuffer(done.out, "f4")[0] == np.float32(123456789.25), "text", done)
    for text in "123456789.25", "1700000060", "0.00001", "-0.1", "1e+300", "5e-324", "0.30000000000000004":
        done = gpuenv("-t", "txt", "-w", 1, "--emit", "min", "-T", "csv", data=text.encode())
        check(done.out.decode() == f"frame,min\n0,{text}\n", text, done.out)
    done = gpuenv("-t", "txt", "-w", 1, "--emit", "min", "-T", "txt:f32", data=b"16777217.25 0.1234567891")
    check(done.out == b"frame ch1_min ch2_min\n0 16777218 0.12345679\n", "txt:f32", done, done.out)


def losses():
    """float32 for more is told, of arrays too, unless somebody asked for it; it has the bytes of float32 that comes."""
    rng = np.random.default_rng(6)
    for name in "f8", "i4", "u4", "i8", "u8", "c16":
        np.save("x.npy", (rng.integers(2**29, 2**30, 9) * 2 + 1).astype(name))
        for words, told in ([], 1), (["-q"], 0), (["-T", "f32"], 0), (["-T", "f64"], 0), (["-T", "caf", "-r", 1], 1):
            done = gpuenv("-w", 1, *words, "x.npy")
            check(done.said.count("rounded to float32") == told, done)
    values = {"f64": rng.standard_normal(4000), "s32": rng.integers(-2**31, 2**31, 4000).astype("i4"),
              "s64": rng.integers(LEAST, MOST, 4000), "u64": rng.integers(0, 2**64 - 1, 4000, "u8")}
    values["f64"][99:102] = np.nan
    for kind, numbers in values.items():
        floats = kind == "f64"
        whole = Samples(kind, numbers) if floats else integers_as(numbers, int(kind[1:]), kind[0] == "s", False)
        narrow = whole.narrow().values.astype("f4")
        for sink in "dat", "dat:s8", "json", "svg", "flac", "wav:s16", "aiff:s24", "caf", "s8", "u16", "f16", "npy:f16":
            words = ["-q", "-r", 8000, "-T", sink, *(["--zoom", 10] if sink[0] in "dj" else ["-w", 10, "--hop", 4])]
            both = []
            for one, data in (kind, numbers), ("f32", narrow):
                pathlib.Path("got").unlink(missing_ok=True)
                done = gpuenv(*words, "-t", one, "-o", "got", data=data.tobytes())
                both.append(pathlib.Path("got").read_bytes() if done.status == 0 else b"")
            check(both[0] == both[1] != b"", kind, sink, "is not that of float32", done)


def sounds():
    """Sound files of ffmpeg and sox in, and what ffmpeg reads out."""
    rng = np.random.default_rng(3)
    ffmpeg = ["ffmpeg", "-v", "error", "-y", "-nostdin"]
    inputs = {"f64": (rng.standard_normal((500, 2)) / 8, 1),
              "s32": (rng.integers(-2**31, 2**31, (500, 2)).astype("i4"), 2.0**-31)}
    words = ["-w", 20, "--hop", 3]
    for (kind, (values, scale)), form in itertools.product(inputs.items(), ("wav", "rf64", "w64", "au", "aiff", "caf")):
        values.tofile("raw")
        name = "in." + form.replace("rf64", "wav")
        codec = f"pcm_{kind}{'be' if form in ('au', 'aiff', 'caf') else 'le'}"
        tool(*ffmpeg, "-f", kind + "le", "-ar", 8000, "-ac", 2, "-i", "raw", "-c:a", codec,
             *["-rf64", "always"] * (form == "rf64"), name)
        names = [name]
        if kind == "s32" and form != "rf64":
            tool("sox", "-t", "s32", "-r", 8000, "-c", 2, "raw", "-b", 32, "-e", "signed", "sox." + form)
            names.append("sox." + form)
        low, high, _, _ = bounds(Samples("f64", values * scale), 20, "valid", "shrink", 3, "propagate")
        due = np.stack([doubles_of(low), doubles_of(high)], 2).reshape(-1, 4)
        for name in names:
            for there in {}, {"data": pathlib.Path(name).read_bytes()}:
                done = gpuenv(*words, "-T", "f64", *([] if there else [name]), **there)
                check(done.out == due.tobytes() and done.said == "", done, kind, name)
            done = gpuenv(*words, name)
            check(done.out == due.astype("f4").tobytes() and done.said.count("rounded to float32") == 1, done)
        for out, want in ("f64", due), ("s32", due * 2.0**31):
            gpuenv(*words, "-T", f"{form}:{out}", "-o", "out." + form, name)
            want = want if out == "f64" else np.rint(want).astype("i4")
            got = tool(*ffmpeg, "-i", "out." + form, "-f", out + "le", "-")
            check(got == want.tobytes(), form, kind, out, "as ffmpeg reads it")


def batches():
    """A batch has the bytes of single runs, whatever its files hold, and tells a loss once."""
    rng = np.random.default_rng(5)
    os.mkdir("many")
    floats, integers = rng.standard_normal(300), rng.integers(LEAST, MOST, 300)
    for name, values in {"a.f64": floats, "b.f32": floats.astype("f4"), "c.s32": integers.astype("i4"),
                         "d.s64": integers, "e.u64": integers.view("u8")}.items():
        values.tofile("many/" + name)
    for name, values in {"f": integers, "g": floats, "h": integers.astype("i2"), "i": integers.view("u8")}.items():
        np.save(f"many/{name}.npy", values)
    pathlib.Path("many/j.csv").write_text("".join(f"{x!r}\n" for x in floats.tolist()))
    pathlib.Path("many/k.wav").write_bytes(wav(floats.tobytes(), bits=64, floating=True))
    pathlib.Path("many/l.wav").write_bytes(wav(bytes(600)))
    names = sorted(os.listdir("many"))
    for sink in "", "f64", "f32", "csv", "npy", "s64", "s32", "wav:f64", "wav":
        words = ["-w", 7, "-r", 8000, *(["-T", sink] if sink else [])]
        told = sink in ("", "wav")
        for jobs in (1, 3):
            files = [f"many/{name}" for name in names]
            done = gpuenv(*words, "--out-dir", "made", "--jobs", jobs, "--name", "{name}.out", *files)
            check(done.status == 0 and done.said.count("rounded to float32") == told, done)
            for name in names:
                alone = gpuenv(*words, "-q", "-o", "alone", f"many/{name}")
                due = pathlib.Path("alone").read_bytes() if alone.status == 0 else None
                check(pathlib.Path("made", name[0] + ".out").read_bytes() == due, "in a batch", alone)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    magnitudes()
    told_once()
    if sys.argv[2] == "full":
        need("ffmpeg", "sox")
        losses()
        sounds()
        batches()
    os.chdir("/")
finish()
