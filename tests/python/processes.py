# SPDX-License-Identifier: MIT
"""Forked processes, threads, interrupts, arrays larger than memory, and leaks.

    processes.py PACKAGE_DIR [quick|full]
"""

import gc
import multiprocessing
import os
import resource
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from package import *
from harness import argument, check, finish, run

full = argument(2, "quick") == "full"
rng = np.random.default_rng(11)
x = rng.standard_normal(1 << 19).astype("f4")  # enough for several threads
expected = gpuenv.maximum(x, 700)


# ---- fork


def in_child(stream):
    same = np.array_equal(gpuenv.maximum(x, 700), expected)
    try:
        stream.push(x)
    except RuntimeError:
        return same
    return False


stream = gpuenv.Stream(5)
stream.push(x)


def forked(_):
    return in_child(stream)


with multiprocessing.get_context("fork").Pool(2) as pool:
    check(all(pool.map(forked, range(8))), "forked processes")
check(np.array_equal(gpuenv.maximum(x, 700), expected), "the parent goes on")
with ThreadPoolExecutor(1) as thread:  # a fork while another thread is at work
    stop = threading.Event()

    def work():
        while not stop.is_set():
            gpuenv.maximum(x, 700)

    thread.submit(work)
    for _ in range(20 if full else 5):
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(gpuenv.maximum(x, 700), expected) else 1)
        check(os.waitpid(child, 0)[1] == 0, "a fork during a call")
    stop.set()

# In a new namespace of process ids, both are number 1.
SAME_NUMBER = f"""
import ctypes, os, sys
sys.path.insert(0, {PROGRAM!r})
import numpy, gpuenv
stream = gpuenv.Stream(5)
stream.push(numpy.zeros(100))
if ctypes.CDLL(None).unshare(0x20000000) != 0:  # CLONE_NEWPID
    sys.exit(77)
child = os.fork()
if child == 0:
    try:
        stream.push(numpy.zeros(100))
    except RuntimeError:
        os._exit(os.getpid() - 1)
    os._exit(2)
sys.exit(os.waitpid(child, 0)[1] >> 8)
"""
ended = run("unshare", "-rpf", sys.executable, "-c", SAME_NUMBER)
if ended.status == 77 or "unshare:" in ended.said:
    print("not tried: a new namespace of process ids")
else:
    check(ended.status == 0, "a forked process with the number of its parent", ended)

# ---- threads


def several(seed):
    own = np.random.default_rng(seed)
    good = True
    for _ in range(60 if full else 10):
        w = int(own.integers(1, 3000))
        part = x[: int(own.integers(1, len(x)))]
        hop = max(1, len(part) // 50)
        got = gpuenv.maximum(part, w, hop=hop, align="forward", threads=int(own.integers(1, 4)))
        good = good and all(got[k] == part[k * hop : k * hop + w].max() for k in range(len(got)))
    return good


with ThreadPoolExecutor(8) as pool:
    check(all(pool.map(several, range(16))), "threads")

# Other threads go on during a call.
many = np.broadcast_to(np.float32(1), 1 << 28)
ticks = 0
ended = threading.Event()


def long_call():
    gpuenv.maximum(many, 100, hop=1 << 20, threads=1)
    ended.set()


threading.Thread(target=long_call).start()
while not ended.wait(0.001):
    ticks += 1
check(ticks > 3, "the interpreter is free during a call", ticks)

# ---- interrupts

CALL = f"""
import sys, threading, time
sys.path.insert(0, {PROGRAM!r})
import numpy, gpuenv
x = numpy.broadcast_to(numpy.float32(1), 1 << 40)
try:
    print("begins", flush=True)
    {{}}
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(gpuenv.maximum([1, 2, 3], 2), flush=True)
"""


def spent(pid=None):
    """Seconds of all CPUs, of a child that runs, or of all that have ended."""
    if pid is None:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    return sum(map(int, open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")


for call in [
    "gpuenv.maximum(x, 100, hop=1 << 30)",
    "gpuenv.stats(x)",
    "gpuenv.minmax(x, 2, hop=1 << 40, align='forward', nan='error')",
    "gpuenv.maximum(x.reshape(1 << 20, 1 << 20), 100, hop=1 << 20)",
    "y = numpy.zeros((2, 1 << 28), 'i1')\n    while True: gpuenv.maximum(y, 2, axis=0)",
    "y = numpy.zeros((2, 64, 64, 64))[:, ::2, ::2, ::2]\n    while True: gpuenv.maximum(y, 2, axis=0)",
]:
    child = subprocess.Popen([sys.executable, "-c", CALL.format(call)], stdout=subprocess.PIPE, text=True)
    check(child.stdout.readline() == "begins\n", "a long call")
    begin = spent(child.pid)
    while child.poll() is None and spent(child.pid) < begin + (0.5 if full else 0.15):
        time.sleep(0.01)
    begin = spent(child.pid) + spent()
    child.send_signal(signal.SIGINT)
    try:
        out, _ = child.communicate(timeout=100)
    except subprocess.TimeoutExpired:
        child.kill()
        out, _ = child.communicate()
    check(out == "interrupted\n[2 3]\n", "Ctrl-C", call, out)
    check(spent() - begin < 5 * os.cpu_count(), "Ctrl-C at once", call, spent() - begin)

# ---- leaks


def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Refused:
    def __dlpack_device__(self):
        raise TypeError


small = np.arange(20.0)
pair = (np.empty(18), np.empty(18))


def each_way():
    gpuenv.minmax(small, 3)
    gpuenv.minmax(small.reshape(4, 5), 3, axis=0)
    gpuenv.minmax(small, 3, out=pair)
    gpuenv.maximum(small, 3, align="center", out=small)
    gpuenv.stats(small)
    gpuenv.scipy.minimum_filter1d(small, 3)
    for wrong in ({"w": 0}, {"w": 1, "axis": 4}, {"w": 2, "out": pair}, {"w": "x"}, {"w": 1, "align": "x"}):
        try:
            gpuenv.minmax(small, **wrong)
        except (TypeError, ValueError):
            pass
    for wrong in (np.ma.masked_array(small), Refused(), "text", None):
        try:
            gpuenv.minimum(wrong, 2)
        except TypeError:
            pass
    gpuenv.minimum([1, 2, 3], 2)
    stream = gpuenv.Stream(3)
    stream.push(small)
    stream.finish()


for _ in range(200):
    each_way()
counts = [sys.getrefcount(a) for a in (small, pair[0], pair[1], np.dtype("f8"), True)]
before = resident()
for _ in range(3000 if full else 500):
    each_way()
after = [sys.getrefcount(a) for a in (small, pair[0], pair[1], np.dtype("f8"), True)]
check(max(abs(a - b) for a, b in zip(counts, after)) < 400, "references", counts, after)
check(resident() - before < 4 << 20, "memory", resident() - before)

# ---- more than 2^32 samples

if full:
    n = (1 << 32) + 5
    lo, hi = gpuenv.minmax(np.broadcast_to(np.uint8(7), n), 1000, hop=1 << 30, align="forward")
    check(lo.tolist() == [7] * 5 and hi.tolist() == [7] * 5, "2^32 samples")
    lo = gpuenv.minimum(np.broadcast_to(np.int8(-3), (n, 2)), 1000, axis=0, hop=1 << 30)
    check(lo.tolist() == [[-3, -3]] * 4, "2^32 frames", lo)
    check(gpuenv.stats(np.broadcast_to(np.uint8(7), n)).sum == 7 * n, "statistics of 2^32 samples")

finish()
