#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""clang-tidy, of what has changed: tidied.py BUILD_DIR [OPTION...] <FILES

Prints what is wrong with the files, and exits with 1 if something is. Where there is ccache, it knows the files that were
right before, by all that they include: this script is the compiler that it starts for the others, whose object says
nothing."""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# clang counts all warnings, also those of system headers, which nobody wants to see.
COUNTED = re.compile(r"\d+ warnings?( and \d+ errors?)? generated\.\n")


def compile_one(words):
    """As a compiler: looks at the file, says what it includes, and makes an object."""
    build, *options = json.loads(os.environ["TIDIED"])
    name = words[words.index("-c") + 1]
    done = subprocess.run(["clang-tidy", "--quiet", "-p", build, *options, os.path.realpath(name)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = COUNTED.sub("", done.stdout)
    sys.stdout.write(said)
    if done.returncode == 0 and not said:
        at = words.index("-o")
        pathlib.Path(words[at + 1]).write_text("right", encoding="ascii")
        done = subprocess.run(["cc", *words[:at], "-o", os.devnull, "-E", name], check=False)
    return done.returncode or bool(said)


def look_at(made, command, environment):
    words = shlex.split(command["command"])
    by = [ccache] if (ccache := shutil.which("ccache")) else []
    return subprocess.run([*by, __file__, "-cc", *words[1:words.index("-o")], "-MD", "-MF", made + ".d", "-o", made + ".o", "-c", command["file"]],
                          cwd=command["directory"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def main(build, *options):
    version = subprocess.run(["clang-tidy", "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    rules = [path.read_text(encoding="utf-8") for path in (ROOT / ".clang-tidy", ROOT / "tests/.clang-tidy", pathlib.Path(__file__))]
    environment = {**os.environ, "CCACHE_COMPILERTYPE": "clang",
                   "CCACHE_COMPILERCHECK": "string:" + " ".join([version, *options, *rules]),
                   "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1", "CCACHE_DEPEND": "1"}
    # clang does not know this option of gcc.
    text = pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8").replace(" -fno-thread-jumps", "")
    commands = {command["file"]: command for command in json.loads(text)}
    failed = False
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        pathlib.Path(folder, "compile_commands.json").write_text(text, encoding="utf-8")
        environment["TIDIED"] = json.dumps([folder, *options])
        for done in pool.map(lambda at, name: look_at(f"{folder}/{at}", commands[name], environment),
                             *zip(*enumerate(sys.stdin.read().splitlines()))):
            sys.stdout.write(done.stdout)
            failed |= done.returncode != 0
    return int(failed)


sys.exit(compile_one(sys.argv[2:]) if sys.argv[1] == "-cc" else main(*sys.argv[1:]))
