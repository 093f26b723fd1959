# SPDX-License-Identifier: MIT
"""What runs on whole and on damaged files have to give. run(data, name) returns the output, the exit status and the
messages."""
from harness import check


def is_whole(run, path, frames=None, channels=1):
    data = path.read_bytes()
    got, status, said = run(data, "whole" + path.suffix)
    check(status == 0 and not said, path.name, said)
    check(frames is None or len(got) == 4 * frames * channels, path.name, len(got) // 4, "samples")
    return data, got


def is_told(run, data, name, words, due=None, what=""):
    got, status, said = run(data, name)
    check(status == 2 and words in said and said.count("\n") == 0, name, what, "exit", status, said)
    if due is not None:
        check(got == due, name, what, len(got) // 4, "samples came, due are", len(due) // 4)
    return got
