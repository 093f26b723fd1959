# SPDX-License-Identifier: MIT
"""What the tests of batches share: a folder to work in, files to work on, and runs to look at.

A test is a function that gets a scene. PROGRAM [TEST...] on the command line runs these tests, or all."""

import hashlib
import inspect
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import traceback

import harness
from harness import PROGRAM


def noise_wav(frames, seed, channels=1):
    """A WAV file of 16-bit noise."""
    return harness.wav(random.Random(seed).randbytes(2 * channels * frames), channels)


def as_of_batch(line):
    """A message of a single run, as a batch has it: without a hint to --help, or the command to type instead."""
    return re.sub(r" \(see gpuenv --help.*|: try gpuenv .*", "", line)


def tree(folder):
    """The files below a folder, hidden ones too, and their bytes."""
    found = {}
    for path, _, names in os.walk(folder):
        for name in names:
            whole = os.path.join(path, name)
            found[os.path.relpath(whole, folder)] = pathlib.Path(whole).read_bytes()
    return found


class Scene:
    """An empty folder, and what the program does in it. Names are relative to the folder."""

    def __init__(self, folder):
        self.program = PROGRAM
        self.folder = os.path.join(folder, "here")
        self.alone = os.path.join(folder, "alone")  # where single runs write
        os.mkdir(self.folder)
        os.mkdir(self.alone)
        self.last = None
        self.singles = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        pathlib.Path(self.path(name)).write_bytes(content)

    def read(self, name):
        return pathlib.Path(self.path(name)).read_bytes()

    def wavs(self, *names):
        """A WAV file of each name, no two of a length."""
        for number, name in enumerate(names):
            self.write(name, noise_wav(1000 + 37 * number, os.fsencode(name), 1 + number % 2))

    def there(self, name):
        return os.path.lexists(self.path(name))

    def tree(self, name="out"):
        return tree(self.path(name))

    def check(self, condition, *words):
        return harness.check(condition, *words, "\n ", self.last)

    def start(self, *words, **how):
        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "cwd": self.folder, **how}
        return subprocess.Popen([self.program, *words], **how)

    def run(self, *words, feed=None, **how):
        self.last = harness.run(self.program, *words, data=feed, **{"cwd": self.folder, **how})
        return self.last

    def ends(self, status, *words, **how):
        """A run with that exit status."""
        run = self.run(*words, **how)
        self.check(run.status == status, f"exit status {run.status}, not {status}")
        return run

    def done(self, *words, **how):
        """A run that succeeds and has nothing to say."""
        run = self.ends(0, *words, **how)
        self.check(not run.lines, "something is said")
        return run

    def wrong(self, words, *mentions):
        """A usage error: one line, and no work done."""
        run = self.ends(1, *words)
        said = len(run.lines) == 1 and all(mention in run.lines[0] for mention in mentions)
        self.check(said, "not one line with", *mentions)
        self.check(not self.there("out"), "work was done")

    def refused(self, words, *mentions):
        """An error before any work: one line."""
        run = self.ends(2, *words)
        said = len(run.lines) == 1 and all(mention in run.lines[0] for mention in mentions)
        self.check(said, "not one line with", *mentions)
        return run

    def single(self, source, name, *words):
        """A run of that input alone, with -o to a file of that name: the run, and the bytes or None. Of equal files
        one is run."""
        target = os.path.join(self.alone, os.path.basename(name))
        source = "./-" if source == "-" else source
        path = os.path.join(self.folder, source)
        key = None
        if os.path.isfile(path):
            key = source, target, words, hashlib.sha256(pathlib.Path(path).read_bytes()).digest()
        if key in self.singles:
            return self.singles[key]
        run = harness.gpuenv(*words, "-o", target, "--", source, cwd=self.folder)
        made = None
        if os.path.exists(target):
            made = pathlib.Path(target).read_bytes()
            os.unlink(target)
        if key is not None:
            self.singles[key] = run, made
        return run, made

    def check_outputs(self, sources, *words, folder="out"):
        """These outputs, from these inputs, are in the folder, and nothing else: as single runs give."""
        found = self.tree(folder)
        if found.keys() != sources.keys():
            self.check(False, f"there is {sorted(found)}\n  due is {sorted(sources)}")
        for name in found.keys() & sources.keys():
            _, due = self.single(sources[name], name, *words)
            self.check(found[name] == due, f"{name!r} is not what a single run gives")

    def summary(self, line):
        """The last line of the last run."""
        said = self.last.lines[-1] if self.last.lines else "nothing"
        self.check(said == f"gpuenv: {line}", f"the last line is not {line!r}")


class Skipped(Exception):
    """This test cannot run here."""


def play():
    """The functions of the script that get a scene, and nothing else."""
    for test in [*vars(sys.modules["__main__"]).values()]:
        is_test = inspect.isfunction(test) and [*inspect.signature(test).parameters] == ["scene"]
        if not is_test or sys.argv[2:] and test.__name__ not in sys.argv[2:]:
            continue
        before = harness.failures()
        with tempfile.TemporaryDirectory(prefix="gpuenv-batch-") as folder:
            scene = Scene(folder)
            try:
                test(scene)
            except Skipped as why:
                print(f"{test.__name__}: skipped: {why}")
            except Exception:  # the other tests shall run all the same
                scene.check(False, traceback.format_exc())
        if harness.failures() > before:
            print(f"{test.__name__}: {harness.failures() - before} failures\n", flush=True)
    harness.finish()
