#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""NumPy arrays in and out, against NumPy: arrays.py PROGRAM

oracle.py has arrays of every type, order and layout, in and out."""
import io
import pathlib
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, check, finish, gpuenv, needed_modules

with needed_modules():
    import numpy as np


def run(arguments, data=None, good=True):
    done = gpuenv(*arguments, data=data)
    check(not good or done.status == 0, done)
    return done


def envelope(array, width):
    """Minimum and maximum as (frames, channels x 2), float32."""
    array = array.astype("<f4").reshape(len(array), -1)
    windows = np.lib.stride_tricks.sliding_window_view(array, width, axis=0)
    both = np.stack([windows.min(axis=-1), windows.max(axis=-1)], axis=-1)
    return both.reshape(len(both), -1)


def same(data, due):
    got = np.frombuffer(data, "<f4")
    return got.tobytes() == due.astype("<f4").tobytes()


work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
generator = np.random.default_rng(7)

# ---- in Fortran order: the same bytes, messages and statistics as the same numbers in C order
# The array of a pandas.DataFrame whose columns have one type.
array = generator.standard_normal((400000, 3)).astype("<f4")
array[300000, 1] = np.nan
np.save(folder / "c.npy", array)
np.save(folder / "f.npy", np.asfortranarray(array))
for words in (["--nan", "error"], ["--shard", "2/3"], ["--threads", 1], ["--align", "center"],
              ["--stats", folder / "stats", "--stats-every", 1000], ["--skip", 400001]):
    answers = []
    for path in "c.npy", "f.npy":
        (folder / "stats").unlink(missing_ok=True)
        done = run(["-w", 100, *words, folder / path], good=False)
        stats = (folder / "stats").read_bytes() if "--stats" in words else b""
        answers.append((done.status, done.out, done.said.replace("f.npy", "c.npy"), stats))
    check(answers[0] == answers[1], "Fortran order", words, [(a[0], len(a[1]), a[2]) for a in answers])
    check(answers[0][0] == (2 if "error" in words else 0), words, answers[0][2])

# A frame counts if its last sample is there; data after the array are reported.
whole = (folder / "f.npy").read_bytes()
for kept, frames in (len(whole) - 1, 399999), (len(whole) - 4 * 1000, 399000), (len(whole) // 2, 0):
    (folder / "cut.npy").write_bytes(whole[:kept])
    for done in (run(["-w", 1, folder / "cut.npy"], good=False), run(["-w", 1], whole[:kept], good=False)):
        told = f"ends after {frames} frames; its npy header promises 400000"
        check(done.status == 2 and told in done.said, kept, done.said)
        check(len(done.out) == frames * 24, kept, len(done.out))
for behind, told in (bytes(5000), "5000 bytes follow the 400000 frames"), (whole, "a NumPy file follows"):
    (folder / "more.npy").write_bytes(whole + behind)
    done = run(["-w", 1, folder / "more.npy"], good=False)
    check(done.status == 2 and told in done.said and len(done.out) == 9600000, done.said)

# ---- warnings: rows that may be channels; none of bits
for shape, doubted in ((2, 4000), True), ((16, 15), False), ((15, 16), True), ((3, 9), False), ((0, 99), False):
    np.save(folder / "x.npy", np.zeros(shape, "<f4"))
    said = run(["-w", 1, folder / "x.npy"]).said
    check(("save its transpose" in said) == doubted, shape, said)
    check(run(["-q", "-w", 1, folder / "x.npy"]).said == "", shape, "-q")
for name in "f4 f8 i4 i8 u8".split():
    np.save(folder / "x.npy", np.zeros(9, name))
    for kind in "f16 f32 f64 s16 s32 u32".split():
        words = ["-w", 1, folder / "x.npy", "-T", "npy:" + kind, "-o", folder / "y.npy"]
        check(run(words).said == "", name, kind)

# ---- errors, with their reasons
for array, why in [
        (np.zeros((2, 3, 4)), "more than 2 dimensions"), (np.float64(1), "no dimension"),
        (np.zeros(3, [("a", "<f4")]), "records"), (np.zeros(3, "V4"), "bytes without a type"),
        (np.array(["a"]), "strings"), (np.array([b"a"]), "strings"), (np.array([{}]), "Python objects"),
        (np.zeros(3, "M8[ns]"), "dates"), (np.zeros(3, "m8[s]"), "spans of time"),
        (np.zeros(3, np.longdouble), ".astype('<f8')"), (np.zeros(3, np.clongdouble), ".astype('<c16')"),
        (np.zeros((2, 65536), "i1"), "save its transpose"), (np.zeros((2, 0)), "no columns")]:
    np.save(folder / "x.npy", array)
    done = run(["-w", 1, folder / "x.npy"], good=False)
    check(done.status == 2 and done.out == b"" and why in done.said, array.dtype,
          array.shape, done.said)

# A .npz is a zip file; its arrays are files as np.save() writes them.
array = generator.standard_normal((1000, 2)).astype("<f4")
for save in np.savez, np.savez_compressed:
    save(folder / "x.npz", some=array)
    done = run(["-w", 1, folder / "x.npz"], good=False)
    check(done.status == 2 and f"unzip -p {folder}/x.npz NAME.npy" in done.said, done.said)
    with zipfile.ZipFile(folder / "x.npz") as packed:
        check(same(run(["-w", 7], packed.read("some.npy")).out, envelope(array, 7)), "out of a .npz")

# ---- out
array = generator.standard_normal((1000, 2)).astype("<f4")
np.save(folder / "x.npy", array)
array.tofile(folder / "x.f32")
due = envelope(array, 10)
run(["-w", 10, folder / "x.npy", "-o", folder / "y.npy"])
check(np.load(folder / "y.npy").tobytes() == due.tobytes(), "env.npy")
check(np.load(folder / "y.npy", mmap_mode="r").shape == (991, 4), "mapped")

whole = (folder / "y.npy").read_bytes()
done = run(["-w", 10, "-T", "npy", folder / "x.npy"])
check(done.out == whole, "-T npy of a file, in a pipe")
check(np.load(io.BytesIO(done.out)).shape == (991, 4), "-T npy")
done = run(["-w", 10, "-T", "npy"], (folder / "x.npy").read_bytes())
check(done.out == whole, "-T npy of a .npy in a pipe: its header says how much comes")
done = run(["-w", 10, "-T", "npy", "--skip", 100, "--frames", 500, folder / "x.npy"])
check(np.load(io.BytesIO(done.out)).shape == (491, 4), "-T npy of a part")
with open(folder / "z.npy", "wb") as file:
    with open(folder / "x.f32", "rb") as raw:
        subprocess.run(f"cat | {PROGRAM} -c 2 -w 10 -T npy", shell=True, stdin=raw, stdout=file,
                       check=True)
check((folder / "z.npy").read_bytes() == whole, "redirected, of unknown length")
done = run(["-c", 2, "-w", 10, "-T", "npy"], array.tobytes(), good=False)
check(done.status == 1 and "not known" in done.said and done.out == b"", done)
run(["-c", 2, "-w", 10, "-o", folder / "y.npy"], array.tobytes())
check((folder / "y.npy").read_bytes() == whole, "-o of unknown length")

for name in ["s24", "u24", "cf32", "wav"]:
    done = run(["-w", 1, folder / "x.npy", "-T", "npy:" + name], good=False)
    check(done.status == 1, name, done)

# ---- integers are whole wherever the type of the output holds all of theirs

INTEGERS = {"s8": "i1", "u8": "u1", "s16": "<i2", "u16": "<u2", "s32": "<i4", "u32": "<u4", "s64": "<i8", "u64": "<u8"}
BITS = {"s24": (1, 23), **{name: (name[0] == "s", int(name[1:]) - (name[0] == "s")) for name in INTEGERS}}
CONTAINERS = "wav:u8 wav:s16 wav:s24 wav:s32 w64:s16 rf64:s24 flac:s16 flac:s24 au:s8 au:s16 aiff:s8 aiff:s16 caf:s32".split()


def holds(name, other):
    return BITS[name][0] >= BITS[other][0] and BITS[name][1] >= BITS[other][1]


for name, dtype in INTEGERS.items():
    ends = np.iinfo(dtype)
    whole = generator.integers(ends.min, ends.max, 50, dtype=ends.dtype, endpoint=True).astype(dtype)
    whole[:2] = ends.min, ends.max
    np.save(folder / "whole.npy", whole)
    for target in CONTAINERS:
        container, kind = target.split(":")
        if holds(kind, name):
            run(["-w", 1, "--emit", "max", "-r", 8000, "-T", target, "-o", folder / container, folder / "whole.npy"])
            back = run(["-w", 1, "--emit", "max", "--counts", "-T", "s64", folder / container])
            check((np.frombuffer(back.out, "<i8") == whole.astype("i8")).all(), "an array to", name, target)
    for kind in INTEGERS:
        if holds(kind, name):
            run(["-w", 1, "--emit", "max", "-t", name, "-T", f"npy:{kind}", "-o", folder / "z.npy"], whole.tobytes())
            check(np.load(folder / "z.npy").ravel().tolist() == whole.tolist(), "samples to an array", name, kind)

finish()
