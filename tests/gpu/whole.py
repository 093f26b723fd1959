# SPDX-License-Identifier: MIT
"""Whole processes on a host with a GPU, for the measurements in this folder."""

import os
import shlex

from harness import gpuenv, memory_file, skip


def on_cpus(cpus, command):
    """A shell command, limited to `cpus` CPUs."""
    return f"taskset -c 0-{cpus - 1} sh -c {shlex.quote(command)}"


def frames_file(gib):
    """A file in memory of `gib` GiB that holds whole frames of any kind."""
    return memory_file(int(gib * (1 << 30)) // 4096 * 4096)


def skip_without_device():
    if gpuenv("-w", 1, "--device", "cuda", os.devnull).status == 3:
        skip("there is no device")
