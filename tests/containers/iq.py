#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""I and Q in channels of their own, by --iq and in SigMF: iq.py PROGRAM

Where there is a complex type of such samples the bytes are those of the raw file; otherwise numpy has the magnitudes."""

import pathlib
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, gpuenv, needed_modules, wav

with needed_modules():
    import numpy

DRAW = numpy.random.default_rng(1)
FRAMES = 5000


def magnitudes(*words, **how):
    done = gpuenv("-w", 1, "--emit", "max", "-T", "f64", *words, **how)
    check((done.status, done.said) == (0, ""), done)
    return numpy.frombuffer(done.out, "<f8")


def check_close(what, got, i, q):
    due = numpy.hypot(i, q)
    check(got.shape == due.shape and (abs(got - due) <= 2e-7 * abs(due)).all(), what, got[:3], due[:3])


def check_containers(here):
    """The same bytes as a raw file of the complex type, also of two pairs, in another order."""
    for name, kind, bits in (("cs16", "<i2", 16), ("cf32", "<f4", 32), ("cf64", "<f8", 64)):
        is_float = kind[1] == "f"
        samples = DRAW.uniform(-1, 1, (FRAMES, 4)) if is_float else DRAW.integers(-2**15, 2**15, (FRAMES, 4))
        data = samples.astype(kind)
        (here / "raw").write_bytes(data.tobytes())
        (here / "x.wav").write_bytes(wav(data.tobytes(), 4, bits, floating=is_float))
        due = gpuenv("-w", 3, "-t", name, "-c", 2, "-T", "f64", here / "raw").out
        done = gpuenv("-w", 3, "--iq", "-T", "f64", here / "x.wav")
        check(done.out == due and done.said == "", done)
        check(gpuenv("-w", 3, "--iq", "-T", "f64", data=(here / "x.wav").read_bytes()).out == due, name, "from a pipe")
        check(gpuenv("-w", 3, "--iq", "-t", f"{kind[1]}{bits}".replace("i", "s"), "-c", 4, "-T", "f64",
                     here / "raw").out == due, name, "raw")
        swapped = numpy.frombuffer(due, "<f8").reshape(-1, 2, 2)[:, ::-1]
        check(gpuenv("-w", 3, "--iq", "--pick", "4,3,2,1", "-T", "f64", here / "x.wav").out == swapped.tobytes(), name)
        done = gpuenv("-w", 3, "-t", name, here / "x.wav")
        check(("give --iq, and leave -t out" in done.said), done)
        mean = magnitudes("--iq", "--mix", here / "x.wav")
        pairs = magnitudes("--iq", here / "x.wav").reshape(-1, 2)
        check((abs(mean - pairs.mean(axis=1)) < 1e-6).all(), name, mean[:3], pairs[:3])
    # Types without a complex one.
    for name, low, bits in (("u8", 0, 8), ("s24", -2**23, 24), ("s32", -2**31, 32)):
        samples = DRAW.integers(low, low + 2**bits, (FRAMES, 2))
        data = samples.astype("<u4").tobytes() if bits == 32 else samples.astype("<i4").view("u1").reshape(-1, 4)[
            :, :bits // 8].tobytes()
        (here / "x.wav").write_bytes(wav(data, 2, bits))
        scaled = (samples - (2**7 if bits == 8 else 0)) / 2.0**(bits - 1)
        check_close(name, magnitudes("--iq", here / "x.wav"), scaled[:, 0], scaled[:, 1])
    gpuenv("-q", "-w", 1, "--emit", "max", here / "x.wav", "-o", here / "x.flac")
    flac = gpuenv("-w", 1, "--emit", "max", "-T", "f64", here / "x.flac")
    pair = numpy.frombuffer(flac.out, "<f8").reshape(-1, 2)
    check_close("flac", magnitudes("--iq", here / "x.flac"), pair[:, 0], pair[:, 1])
    numpy.save(here / "x.npy", samples.astype("i2"))
    small = samples.astype("i2").astype(float)
    check_close("npy", magnitudes("--iq", here / "x.npy"), small[:, 0], small[:, 1])


def check_tables(here):
    """A missing value in a pair is a missing one."""
    samples = DRAW.normal(0, 100, (FRAMES, 2))
    samples[DRAW.random((FRAMES, 2)) < 0.1] = numpy.nan
    rows = "".join(",".join("" if numpy.isnan(v) else repr(float(v)) for v in row) + ",5\n" for row in samples)
    (here / "x.csv").write_text("i,q,level\n" + rows)
    table = ["--iq", "--columns", "i,q", here / "x.csv"]
    got = magnitudes(*table)
    due = numpy.hypot(*samples.T)
    check((numpy.isnan(got) == numpy.isnan(due)).all() and numpy.nanmax(abs(got - due)) < 1e-9, got[:5], due[:5])
    done = gpuenv("--zoom", FRAMES, "--emit", "max", "--no-frame", "-T", "csv", *table)
    name, most = done.out.decode().split()
    check(name == "max" and float(most) == numpy.nanmax(got), done, done.out)
    # An infinity beside any number is infinite, as for other complex samples.
    done = gpuenv("-w", 1, "-t", "csv", "--iq", "--emit", "max", "--no-frame", "-T", "csv",
                  data=b"inf,1\n3,4\n-3e300,4e300\ninf,\n,3\n")
    check(done.out.decode().split() == ["max", "inf", "5", "5e+300", "nan", "nan"], done, done.out)


def check_sigmf(here):
    for name, order in (("ci32", "le"), ("ci32", "be"), ("cu16", "le"), ("cu16", "be"), ("cu32", "le")):
        sign = -1 if name[1] == "i" else 0
        bits = int(name[2:])
        samples = DRAW.integers(sign * 2**(bits - 1), 2**(bits + sign), (FRAMES, 2))
        kind = {"le": "<", "be": ">"}[order] + name[1] + str(bits // 8)
        (here / "x.sigmf-data").write_bytes(b"head" + samples.astype(kind).tobytes())
        (here / "x.sigmf-meta").write_text('{"global": {"core:datatype": "%s_%s"}, "captures": [{"core:header_bytes": 4}]}'
                                           % (name, order))
        scaled = (samples - (0 if sign else 2.0**(bits - 1))) / 2.0**(bits - 1)
        check_close(name, magnitudes(here / "x.sigmf-data"), scaled[:, 0], scaled[:, 1])


def check_names(here):
    pairs = DRAW.uniform(-1, 1, (FRAMES, 2)).astype("<f4")
    due = gpuenv("-w", 3, "-t", "cf32", data=pairs.tobytes()).out
    for ending in ("complex", "fc32", "cfile"):
        (here / f"x.{ending}").write_bytes(pairs.tobytes())
        check(gpuenv("-w", 3, here / f"x.{ending}").out == due, ending)
    codes = DRAW.integers(-2**15, 2**15, (FRAMES, 2)).astype("<i2")
    due = gpuenv("-w", 3, "-t", "cs16", data=codes.tobytes()).out
    for ending in ("sc16", "complex32s"):
        (here / f"x.{ending}").write_bytes(codes.tobytes())
        check(gpuenv("-w", 3, here / f"x.{ending}").out == due, ending)


def check_refused(here):
    (here / "x.wav").write_bytes(wav(bytes(600), 3))
    for words, said in (([here / "x.wav"], "has 3 channels here, and I and Q are pairs: leave --iq out"),
                        (["--pick", 2, here / "x.wav"], "has 1 channel here, and I and Q are pairs: leave --iq out"),
                        (["-t", "cs16", here / "x.sc16"], "has complex samples already: leave --iq out")):
        done = gpuenv("-w", 3, "--iq", *words)
        check(done.status == 2 and done.said.count("\n") == 1 and said in done.said, done)


with tempfile.TemporaryDirectory() as folder:
    for test in (check_containers, check_tables, check_sigmf, check_names, check_refused):
        test(pathlib.Path(folder))
finish()
