#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""option_lists.py GPUENV GPUENV-BENCH SOURCE BUILD: the manuals list the options of --help, and shells complete them

The manuals have each with its letter and its value, and no others. The completions are made from the same rows as
--help, where each word that they offer stands beside its option."""

import collections
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, run, tool

Option = collections.namedtuple("Option", "section letter name value help")


def options_of(program):
    """The options that --help all lists."""
    options = []
    section = None
    for line in tool(program, "--help", "all").decode().splitlines():
        heading = re.fullmatch(r"(\w[^(]*?)(?: \(.*\))?:", line)
        names = re.match(r"  (?:-(\w), |    )--([a-z-]+)(?: ([A-Z/]+))?(?: |$)", line)
        if heading:
            section = heading[1]
        elif names:
            options.append(Option(section, *names.groups(), line[names.end():].strip()))
        elif options and line.startswith(" " * 25):
            options[-1] = options[-1]._replace(help=options[-1].help + " " + line.strip())
    return options


def check_same(what, found, expected):
    for row in sorted(set(map(repr, found)) ^ set(map(repr, expected))):
        check(False, f"{what}:", row, "is not in --help" if row in map(repr, found) else "is missing")
    check(len(found) == len(expected), f"{what}: {len(found)} options, not {len(expected)}")


# ---- the manual


def check_manual(name, options, text):
    def item(option):
        value = f" Ar {option.value.lower()}" if option.value else ""
        letter = f"Fl {option.letter}{value} , " if option.letter else ""
        return option.section, f".It {letter}Fl -{option.name}{value and ' Ns = Ns' + value}"

    found = []
    section = None
    for line in re.search(r"^\.Sh OPTIONS$(.*?)^\.Sh ", text, re.M | re.S)[1].splitlines():
        if line.startswith(".Ss "):
            section = line[4:]
        elif line.startswith(".It Fl "):
            found.append((section, line))
    check_same(f"{name}.1", found, [item(option) for option in options])
    check_named(f"{name}.1", options, text)


def check_named(page, options, text):
    """In examples, or in what is said of other options. Those of other programs have one dash."""
    named = re.findall(r"(?<![a-z-])--([a-z][a-z-]*)", re.sub(r"Fl -(?=[a-z])", "--", text))
    check({*named} <= {option.name for option in options}, f"{page}:", {*named} - {row.name for row in options})


# ---- the completions


def offers(folder, *words):
    """What bash offers for the last of the words, by the function that it completes the first by."""
    program = os.path.basename(words[0])
    # compopt is for real completions only
    script = ('. "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); function=$(complete -p "${1##*/}"); '
              'function=${function#* -F }; "${function%% *}" || true; printf "%s\\n" "${COMPREPLY[@]}"')
    done = run("bash", "-c", script, folder / f"{program}.bash", *words, cwd=folder)
    check(not done.said, words, done)
    return done.out.decode().split()


def check_syntax(folder, name):
    for words in (["bash", "-n", f"{name}.bash"], ["shellcheck", f"{name}.bash"], ["zsh", "-n", f"{name}.zsh"],
                  ["fish", "-n", f"{name}.fish"]):
        if shutil.which(words[0]):
            done = run(*words, cwd=folder)
            check(done.status == 0, done, done.out.decode())


def check_program(program, source, folder):
    name = os.path.basename(program)
    options = options_of(program)
    check(len(options) > 10 and all(option.help for option in options), name, "--help", options)
    check_manual(name, options, (source / "man" / f"{name}.1").read_text())
    check_syntax(folder, name)

    check({*offers(folder, program, "--")} == {f"--{option.name}" for option in options}, name, "--")
    for option in options:
        if option.value not in (None, "FILE", "DIR", "NAMES"):
            missing = {*offers(folder, program, f"--{option.name}", "")} - {*re.findall(r"\w+=?", option.help)}
            check(not missing, f"{name} --help: --{option.name} lacks", missing)


def check_offers(program, folder):
    for row in """\
--al => --align --algorithm
--help  => all
-w 5 --stats => --stats --stats-every --stats-format
--align  => valid causal center forward
--align c => causal center
--align = => valid causal center forward
--align = ce => center
-t a => auto alaw au aiff
-t u => u8 u16 u24 u32 u64 ulaw
-T f => f32 f64 f16 flac
--emit max,mi => max,min max,mid
--emit  => min max abs range mid mean rms count argmin argmax std first last none
--emit n => none
--emit min, => min,max min,abs min,range min,mid min,mean min,rms min,count min,argmin min,argmax min,std min,first min,last
--emit min,mi => min,mid
--emit none, => 
--device  => auto cpu cuda
-w  => 
-o gpuenv. => gpuenv.bash gpuenv.fish gpuenv.zsh
-w 5 gpuenv. => gpuenv.bash gpuenv.fish gpuenv.zsh
--out-dir sub => subfolder""".splitlines():
        line, expected = row.split(" => ")
        offered = offers(folder, program, *line.split(" "))
        check(sorted(offered) == sorted(expected.split()), f"gpuenv {line}: offers", offered, "not", expected)


def check_bench_offers(program, folder):
    for row in """\
--reduce  => max sum
--sweep  => threads= blocks=
--s => --samples --sweep
--only lemire,van => lemire,vanherk
--only lemire,lem => 
file => """.splitlines():
        line, expected = row.split(" => ")
        offered = offers(folder, program, *line.split(" "))
        check(offered == expected.split(), f"gpuenv-bench {line}: offers", offered, "not", expected)
    flavours = [line.split()[0] for problem in ([], ["--reduce", "max"], ["--reduce", "sum"])
                for line in tool(program, "--list", *problem).decode().splitlines()]
    check({*offers(folder, program, "--only", "")} == {*flavours}, "gpuenv-bench --only: not", flavours)


def main():
    programs = [os.path.abspath(program) for program in sys.argv[1:3]]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        shutil.copytree(pathlib.Path(sys.argv[4]) / "completions", folder, dirs_exist_ok=True)
        (folder / "subfolder").mkdir()
        source = pathlib.Path(sys.argv[3])
        for program in programs:
            check_program(program, source, folder)
        check_named("gpuenv-formats.7", options_of(programs[0]), (source / "man" / "gpuenv-formats.7").read_text())
        check_offers(programs[0], folder)
        check_bench_offers(programs[1], folder)
    finish()


main()
