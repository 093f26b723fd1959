# SPDX-License-Identifier: MIT
"""What command lines say, as people type them: commands.py PROGRAM TABLE [--renew]

The table (commands.txt, for gpuenv or gpuenv-bench) has a command, then what is due; --renew writes what comes instead
into it.

    $ gpuenv -w 3 rec             a command of the shell, without input
    2 rec: neither its ...        the exit status, and the first line on standard error without "gpuenv: "; of status 1
                                  also without " (see gpuenv --help)" or "--help all", by which no command to try is followed;
                                  "0", or no such line, where nothing is said
      more                        the next line on standard error
    > 0,1,2                       a line of standard output, which is compared where there is one
    ! --hop 0: a hop has ...      short for `gpuenv -w 3 --hop 0`, status 1 and this line; without -w 3 if it begins so
    % floats 1 2 >in.f32          a preparation, which must succeed

A command may have alternatives, {a|b}; {} in what is due is the one that runs. * in what is due is any text.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import FEW, PROGRAM, Shell, check, finish

NAME = os.path.basename(PROGRAM)
SHORT = subprocess.run([PROGRAM, "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout.decode()
CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def rows(lines):
    """(number of the line, kind, command, lines that are due)."""
    for number, line in enumerate(lines, 1):
        kind, text = line[:2], line[2:]
        if kind == "! ":
            value = text.partition(": ")[0]
            yield number, kind, f"{NAME} " + ("" if value.startswith("-w") else "-w 3 ") + value, ["1 " + text]
        elif kind in ("$ ", "% "):
            rest = lines[number:]
            end = next((at for at, other in enumerate(rest) if other[:2] in ("$ ", "! ", "% ", "# ", "")), len(rest))
            yield number, kind, text, rest[:end] if kind == "$ " else []


def help_for(said):
    """Where an error points: to all options, if it begins with one that the short --help does not have."""
    option = re.match(r"--?[^ :=]+|-.", said)
    rare = option and "--help all" in SHORT and not re.search(rf"^  (    |-., )?{re.escape(option[0])}[ ,]", SHORT, re.MULTILINE)
    return f" (see {NAME} --help{' all' if rare else ''})"


def alternatives(command, due):
    choice = CHOICE.search(command)
    if not choice:
        return [(command, due)]
    return [(command.replace(choice[0], word), [line.replace(choice[0], word).replace("{}", word) for line in due])
            for word in choice[1].split("|")]


def outcome(done, wants_out):
    said = [line.removeprefix(f"{NAME}: ") for line in done.lines]
    if done.status == 1 and said:
        bare = said[0].removesuffix(help_for(said[0]))
        said[0] = bare if bare != said[0] or re.search(" try (gpuenv|sox|mlr) ", bare) else bare + ", without help"
    out = done.out.decode(errors="replace").splitlines() if wants_out else []
    first = [] if not done.status and not said else [" ".join([str(done.status), *said[:1]])]
    return [*first, *("  " + line for line in said[1:]), *("> " + line for line in out)]


def matches(line, due):
    return re.fullmatch(".*".join(map(re.escape, due.split("*"))), line) is not None


def main():
    lines = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()
    renewed = dict(enumerate(lines, 1))
    with tempfile.TemporaryDirectory() as work:
        shell = Shell(work, pathlib.Path(__file__).parent / "bin")
        for number, kind, command, due in rows(lines):
            # Where each run is slow, one alternative is enough.
            for one, wanted in alternatives(command, due)[:1 if FEW else None]:
                wanted = [line for line in wanted if line != "0"]
                got = outcome(shell.run(one), any(line[:1] == ">" for line in wanted))
                same = len(got) == len(wanted) and all(map(matches, got, wanted))
                check(same, f"line {number}: $ {one}", *("\n    " + line for line in got), "\n  due:",
                      *("\n    " + line for line in wanted))
                if not same and kind == "$ " and one == command:
                    renewed |= dict.fromkeys(range(number + 1, number + 1 + len(due)))
                    renewed[number] = "\n".join([lines[number - 1], *got])
    if sys.argv[3:] == ["--renew"]:
        pathlib.Path(sys.argv[2]).write_text("".join(line + "\n" for line in renewed.values() if line is not None),
                                             encoding="utf-8")
    finish()


main()
