#!/usr/bin/python3
"""option_lists.py GPUENV GPUENV-BENCH SOURCE: the manuals and the completions list the options of --help

Each with its letter, its value and the words that the value may be, and no others. What words those are, the program
says where it refuses one."""

import collections
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
from harness import check, finish, run, tool

Option = collections.namedtuple("Option", "section letter name value help")

# A command line in which the value of any option is looked at, and bench measures nothing.
LINES = {"gpuenv": ["-w", "1", "-r", "48k"], "gpuenv-bench": ["operand"]}


def options_of(program):
    """The options that --help lists."""
    options = []
    section = None
    for line in tool(program, "--help").decode().splitlines():
        heading = re.fullmatch(r"(\w[^(]*?)(?: \(.*\))?:", line)
        names = re.match(r"  (?:-(\w), |    )--([a-z-]+)(?: ([A-Z/]+))?(?: |$)", line)
        if heading:
            section = heading[1]
        elif names:
            options.append(Option(section, *names.groups(), line[names.end():].strip()))
        elif options and line.startswith(" " * 25):
            options[-1] = options[-1]._replace(help=options[-1].help + " " + line.strip())
    return options


def words_of(program, option, folder):
    """The words that the value of an option may be, as its refusal has them; empty: it is no word."""
    if option.value is None:
        return set()
    said = run(program, *LINES[os.path.basename(program)], f"--{option.name}", "sideways", cwd=folder).said
    listed = re.search(r": use (?:one of )?([a-z0-9, :N]*)", said)
    if listed:
        return {word for word in re.split(r", (?:or )?", listed[1].strip()) if ":" not in word}
    types = re.search(r": unknown type: (auto, )?raw ([a-z0-9 ]*) \(and le or be\), or ([a-z0-9 ]*)", said)
    if types:
        return set(types[2].split() + types[3].split() + (["auto"] if types[1] else []))
    either = re.search(r": begins with ([a-z]+=) or ([a-z]+=),", said)
    return set(either.groups()) if either else set()


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
    # In examples, or in what is said of other options. Those of other programs have one dash.
    named = re.findall(r"(?<![a-z-])--([a-z][a-z-]*)", re.sub(r"Fl -(?=[a-z])", "--", text))
    check({*named} <= {option.name for option in options}, f"{name}.1:", {*named} - {row.name for row in options})


# ---- the completions


def bash(file, script, *words):
    # compopt is for real completions only
    done = subprocess.run(["bash", "-c", '. "$0"; ' + script, file, *words], cwd=file.parent, capture_output=True,
                          check=False)
    check(not done.stderr, file, words, done.stderr)
    return done.stdout.decode().split()


def offers(file, *words):
    """What bash offers for the last of the words."""
    return bash(file, 'COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=() program=${1##*/}; '
                      '"_${program//-/_}" || true; printf "%s\\n" "${COMPREPLY[@]}"', *words)


def bash_options(file, program):
    """(letter, name, whether it takes a value, words) of each option; the functions below give the same."""
    function = "_" + os.path.basename(program).replace("-", "_")
    cases = re.findall(r'^    (?:-(\w) \| )?--([a-z-]+)\) (?:_\w+_(?:words|list) "([^"$]*)")?', file.read_text(), re.M)
    given = {name: (letter or None, words) for letter, name, words in cases}
    for name in bash(file, f'COMP_WORDS=("$1" --) COMP_CWORD=1; {function}; printf "%s\\n" "${{COMPREPLY[@]}}"', program):
        letter, words = given.pop(name[2:], (None, ""))
        takes = bash(file, f'{function}_values "$1" "" && echo yes', name) == ["yes"]
        yield letter, name[2:], takes, set(words.split())
    check(not given, file.name, "has values of", given)


def fish_options(text, program):
    for line in re.findall(rf"^complete -c {program} ((?:-s|-l) .*)$", text, re.M):
        words = shlex.split(line)
        given = dict(zip(words, words[1:]))
        offered = given.get("-a", "")
        if offered.startswith("("):
            offered = " ".join(shlex.split(offered[1:-1])[2:])
        yield given.get("-s"), given["-l"], "-x" in words or "-r" in words, set(re.findall(r"(?<!\S)[\w=]+", offered))


def zsh_options(text):
    for spec in re.findall(r"^    ('.*') *\\?$", text, re.M):
        option = re.match(r"(?:'\(.*?\)')?(?:\{-(\w)\+?,--([a-z-]+)(=?)\}'|'(?:\(.*?\))?--([a-z-]+)(=?))\[", spec)
        if option is None:
            check(spec.startswith("'*:"), "zsh:", spec)
            continue
        action = re.sub(r".*\](?::[^:]*:)?|'$", "", spec)
        words = []
        if action.startswith("("):
            words = action[1:-1].split()
        elif action.startswith("_values"):
            words = re.findall(r'"(?:\(.*?\))?(\w+)"', action)[1:]
        elif action.startswith("compadd"):
            words = action.split(" - ")[1].split()
        yield option[1], option[2] or option[4], bool(option[3] or option[5]), set(words)


def check_shell(shell, file):
    if shutil.which(shell):
        done = run(shell, "-n", file)
        check(done.status == 0, done)


def check_program(program, source, folder):
    name = os.path.basename(program)
    options = options_of(program)
    check(len(options) > 10 and all(option.help for option in options), name, "--help", options)
    check_manual(name, options, (source / "man" / f"{name}.1").read_text())

    words = {option.name: words_of(program, option, folder) for option in options}
    for option in options:
        missing = words[option.name] - {*re.findall(r"\w+=?", option.help)}
        check(not missing, f"{name} --help: --{option.name} lacks", missing)
    files = {shell: source / "completions" / at
             for shell, at in (("bash", f"{name}.bash"), ("fish", f"{name}.fish"), ("zsh", f"_{name}"))}
    found = {"bash": bash_options(files["bash"], program),
             "fish": fish_options(files["fish"].read_text(), name),
             "zsh": zsh_options(files["zsh"].read_text())}
    for shell, rows in found.items():
        check_shell(shell, files[shell])
        # In bash the letters of options without a value are not needed.
        expected = [(option.letter if option.value or shell != "bash" else None, option.name, bool(option.value),
                     sorted(words[option.name])) for option in options]
        check_same(files[shell].name, [(*row[:3], sorted(row[3])) for row in rows], expected)


def check_offers(program, file):
    for line, expected in [
            ("--al", "--align --algorithm"),
            ("-w 5 --stats", "--stats --stats-every --stats-format"),
            ("--align ", "valid causal center forward"),
            ("--align c", "causal center"),
            ("--align =", "valid causal center forward"),
            ("--align = ce", "center"),
            ("-t u", "u8 u16 u24 u32 u64"),
            ("--emit max,mi", "max,min max,mid"),
            ("--emit ", "min max abs range mid none"),
            ("--emit n", "none"),
            ("--emit min,", "min,max min,abs min,range min,mid"),
            ("--emit min,mi", "min,mid"),
            ("--emit none,", ""),
            ("-w ", ""),
            ("-o gpuenv.", "gpuenv.bash gpuenv.fish"),
            ("-w 5 gpuenv.", "gpuenv.bash gpuenv.fish"),
    ]:
        offered = offers(file, program, *line.split(" "))
        check(offered == expected.split(), f"gpuenv {line}: offers", offered, "not", expected)


def check_bench_offers(program, file):
    for line, expected in [
            ("--reduce ", "max sum"),
            ("--sweep ", "threads= blocks="),
            ("--s", "--samples --sweep"),
            ("--only lemire,van", "lemire,vanherk"),
            ("--only lemire,lem", ""),
            ("file", ""),
    ]:
        offered = offers(file, program, *line.split(" "))
        check(offered == expected.split(), f"gpuenv-bench {line}: offers", offered, "not", expected)
    flavours = [line.split()[0] for problem in ([], ["--reduce", "max"], ["--reduce", "sum"])
                for line in tool(program, "--list", *problem).decode().splitlines()]
    check({*offers(file, program, "--only", "")} == {*flavours}, "gpuenv-bench --only: not", flavours)


def main():
    programs = [os.path.abspath(program) for program in sys.argv[1:3]]
    source = pathlib.Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            check_program(program, source, folder)
    check_offers(programs[0], source / "completions/gpuenv.bash")
    check_bench_offers(programs[1], source / "completions/gpuenv-bench.bash")
    finish()


main()
