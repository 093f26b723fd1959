"""Whole processes on a host with a GPU, for the measurements beside this file."""

import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "perf"))
from alternate import memory_file, seconds  # seconds is for those beside this file


def on_cpus(cpus, command):
    """A shell command, on so many of the CPUs."""
    return f"taskset -c 0-{cpus - 1} sh -c {shlex.quote(command)}"


def frames_file(gib):
    """A file of so many GiB in memory that holds whole frames of any kind."""
    return memory_file(int(gib * (1 << 30)) // 4096 * 4096)


def skip_without_device(program):
    if subprocess.run([program, "-w", "1", "--device", "cuda", os.devnull], stderr=subprocess.DEVNULL,
                      check=False).returncode == 3:
        print("there is no device")
        sys.exit(77)
