#!/usr/bin/python3
"""A long stream through one run of the program: soak.py PROGRAM [BYTES] [SEED]

BYTES (1e12) go in through a pipe, at full speed, in writes of random sizes, with random pauses on either side, and
the program is stopped and continued (SIGSTOP, SIGCONT) at random. The input is a block of noise again and again,
so that every byte of the output is known: it is compared as it comes. Beside it run statistics, whose blocks
count frames beyond 2^32. Once a second the memory of its own is asked for: the
most after the first minute (of a short run: its first half) may be 64 KiB over the most before."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(1, sys.path[0] + "/..")
from harness import PROGRAM, argument

WIDTH = 4096
PERIOD = 1_000_003  # frames of the block of noise: prime, so that it falls everywhere in chunks
BLOCK = 1 << 30     # frames of a block of statistics
GROWTH = 64         # KiB
SETTLED = 60        # seconds
PATIENCE = 300      # seconds without a byte out


def memory(pid):
    """What is its own, in KiB; 0: it has ended. Counted page by page: the counters in `status`, VmHWM among them,
    are off by up to 128 KiB a CPU on newer kernels. Pages of programs and libraries do not count: the kernel maps
    more of them as they are used."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("Anonymous:")), 0)
    except OSError:
        return 0


def sizes(draw, most):
    """Of a read or write: mostly large, at times odd, or tiny."""
    while True:
        kind = draw.random()
        yield most if kind < 0.9 else draw.randrange(1, most) if kind < 0.98 else draw.randrange(1, 9)


class Soak:
    def __init__(self, size, seed):
        self.size, self.draw = size, random.Random(seed)
        self.noise = self.draw.randbytes(4 * PERIOD)
        # Without NaN and infinities: no exponent of 255.
        self.noise = bytearray(self.noise)
        self.noise[3::4] = bytes(byte & 0xBF for byte in self.noise[3::4])
        self.noise = bytes(self.noise)
        self.failed = []
        self.settled = self.newest = 0  # KiB, at most
        self.over = threading.Event()

    def expect(self):
        """A period of the output, twice: a window may begin anywhere in it."""
        done = subprocess.run([PROGRAM, "-w", str(WIDTH), "--algorithm", "lemire"],
                              input=self.noise + self.noise[:4 * (WIDTH - 1)], capture_output=True,
                              check=True, timeout=PATIENCE)
        self.due = done.stdout * 2
        assert len(done.stdout) == 8 * PERIOD

    def pause(self, draw):
        if draw.random() < 0.0005:
            time.sleep(draw.uniform(0.001, 0.05))

    def feed(self, file):
        draw, source = random.Random(self.draw.random()), memoryview(self.noise + self.noise[:1 << 20])
        sent = 0
        try:
            for size in sizes(draw, 1 << 20):
                if sent == self.size:
                    break
                at = sent % len(self.noise)
                sent += os.write(file, source[at:at + min(size, self.size - sent)])
                self.pause(draw)
        except OSError as error:
            self.failed.append(f"the input broke at byte {sent}: {error}")
        os.close(file)

    def disturb(self, pid):
        draw = random.Random(self.draw.random())
        while not self.over.wait(draw.uniform(0.5, 5)):
            os.kill(pid, signal.SIGSTOP)
            time.sleep(draw.uniform(0.001, 0.2))
            os.kill(pid, signal.SIGCONT)

    def drain(self, child):
        draw, period = random.Random(self.draw.random()), len(self.due) // 2
        begun, got, shown = time.monotonic(), 0, 0
        asked = begun
        for size in sizes(draw, 1 << 20):
            self.last = time.monotonic()
            chunk = os.read(child.stdout.fileno(), size)
            if not chunk:
                break
            if not self.due.startswith(chunk, got % period):
                self.failed.append(f"another byte came out, within {len(chunk)} from byte {got}")
                break
            got += len(chunk)
            now = time.monotonic()
            # Its last megabytes wait for us, so it is still there to be asked.
            if now - asked > 1 or self.size * 2 - got < 3 << 20:
                asked, used = now, memory(child.pid)
                if now - begun < SETTLED and got < self.size:
                    self.settled = max(self.settled, used)
                else:
                    self.newest = max(self.newest, used)
            if now - begun > shown + 60:
                shown = now - begun
                print(f"{shown:.0f} s: {got / 2e9:.1f} GB of {self.size / 1e9:.1f}, {max(self.settled, self.newest)} KiB at most",
                      flush=True)
            self.pause(draw)
        return got, time.monotonic() - begun

    def watch(self, child):
        """Nothing may hang."""
        while not self.over.wait(5):
            if time.monotonic() - self.last > PATIENCE:
                self.failed.append(f"nothing came out for {PATIENCE} s")
                child.kill()

    def check_stats(self, path):
        with open(path) as file:
            records = [json.loads(line) for line in file]
        frames = self.size // 4
        due = [(first, min(BLOCK, frames - first)) for first in range(0, frames, BLOCK)]
        if [(record["frame"], record["frames"]) for record in records] != due:
            self.failed.append("the statistics' blocks are not where they belong")
        for record in records:
            for place in ("argmin", "argmax"):
                if not 0 <= record[place] - record["frame"] < PERIOD:
                    self.failed.append(f"{place} of the block from {record['frame']}: {record[place]}")

    def run(self):
        self.expect()
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            stats = os.path.join(folder, "stats")
            child = subprocess.Popen([PROGRAM, "-w", str(WIDTH), "-q", "--stats", stats, "--stats-every",
                                      str(BLOCK)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.last = time.monotonic()
            feeder = os.dup(child.stdin.fileno())
            child.stdin.close()
            threads = [threading.Thread(target=self.feed, args=[feeder], daemon=True),
                       threading.Thread(target=self.disturb, args=[child.pid], daemon=True),
                       threading.Thread(target=self.watch, args=[child], daemon=True)]
            for thread in threads:
                thread.start()
            got, seconds = self.drain(child)
            self.over.set()
            child.stdout.close()
            threads[1].join()
            status = child.wait(PATIENCE)
            frames = self.size // 4 - WIDTH + 1
            if status != 0:
                self.failed.append(f"exit status {status}")
            if not self.failed and got != frames * 8:
                self.failed.append(f"{got} bytes came out, {frames * 8} were due")
            if status == 0:
                self.check_stats(stats)
        print(f"{self.size / 1e9:.1f} GB in {seconds:.0f} s; memory: {self.settled} KiB, then {self.newest} KiB")
        if self.newest > self.settled + GROWTH:
            self.failed.append(f"memory grew by {self.newest - self.settled} KiB")
        for words in self.failed:
            print(f"FAILED: {words}")
        return 1 if self.failed else 0


def main():
    size, seed = int(argument(2, 1e12)), argument(3, time.time_ns())
    print(f"seed {seed}", flush=True)
    return Soak(size // 4 * 4, seed).run()


if __name__ == "__main__":
    sys.exit(main())
