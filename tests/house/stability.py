#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""docs/stability.md says what there is: stability.py SOURCE_DIR PROGRAM. Python's names are those of tests/python/names.py."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

source, program = Path(sys.argv[1]), sys.argv[2]
PAGE = (source / "docs/stability.md").read_text()
ROWS = "time,sensor,roof,pressure\n2026-01-01T00:00,a,1,3\n2026-01-01T00:01,b,2,4\n2026-01-01T00:02,a,1,4\n"
TIMES = "cut -d , -f 1,3- rows.csv"
NUMBERS = "cut -d , -f 3- rows.csv"


def run(typed, status=0):
    """What a command writes to standard output."""
    done = subprocess.run(["bash", "-c", typed.replace("gpuenv", program)], cwd=folder, capture_output=True)
    assert done.returncode == status, f"exit status {done.returncode}: {typed}: {done.stderr.decode()}"
    return done.stdout.decode(errors="replace")


def said(head, tail):
    """The names that the page has between two pieces of its text, in order."""
    text = re.search(re.escape(head) + "(.*?)" + re.escape(tail), PAGE, re.S)
    assert text, f"docs/stability.md does not say: {head} ... {tail}"
    return [name for names in re.findall(r"`([^`]+)`", text[1]) for name in names.split(",")]


def same(what, stated, found):
    assert stated == found, f"docs/stability.md, {what}: it says {stated}, and there is {found}"


def fields(typed):
    """The fields of a record: the header of csv and tsv, and the names in JSON, which has `file` in a batch only."""
    header = run(f"{typed} --stats-format csv").partition("\n")[0].split(",")
    same(f"tsv: {typed}", header, run(f"{typed} --stats-format tsv").partition("\n")[0].split("\t"))
    same(f"JSON: {typed}", header[:-1], list(json.loads(run(typed).partition("\n")[0])))
    return header


def columns(typed):
    return run(typed).partition("\n")[0].split(",")


with tempfile.TemporaryDirectory() as folder:
    Path(folder, "in.s16").write_bytes(bytes(range(64)))
    Path(folder, "rows.csv").write_text(ROWS)

    # The program: exit statuses, standard output, the report, variables.
    same("exit statuses", re.findall(r"\d", re.search(r"^- Exit statuses: (.*)", PAGE, re.M)[1]), ["0", "1", "2", "3"])
    for status, typed in enumerate(["-w 2 in.s16", "--unknown in.s16", "-w 2 nosuch.s16", "--device cuda:99 -w 2 in.s16"]):
        run(f"gpuenv {typed}", status)
    same("stdout of an error", "", run("gpuenv -w 2 nosuch.s16", 2))
    assert re.match(r"gpuenv \d+\.\d+\.\d+", run("gpuenv --version")), "the first line of --version"
    stays, may_change = said("- `--report` in these fields:", "These may change:"), said("These may change:", "- Environment")
    stays.remove("--shard")
    report = json.loads(run("gpuenv -w 2 in.s16 -o /dev/null --report /dev/stdout"))
    same("fields of --report", sorted(stays + may_change), sorted(report))
    assert set(report) < set(json.loads(run("gpuenv -w 2 --shard 1/2 in.s16 -o out --report /dev/stdout")))
    variables = re.findall(r"^\.It Ev (\w+)$", (source / "man/gpuenv.1").read_text(), re.M)
    same("variables", said("- Environment variables:", ", as `gpuenv(1)`"), variables)

    # Columns.
    values = said("then the names of the values (", ")")
    emit = f"gpuenv -w 2 -T csv --emit {','.join(values)}"
    same("one channel", ["frame", *values], columns(f"{emit} in.s16"))
    same("several channels", ["frame", *(f"ch{n}_{value}" for n in (1, 2) for value in values)], columns(f"{emit} -c 2 in.s16"))
    same("columns with names", ["frame", *(f"{name}_{value}" for name in ("roof", "pressure") for value in values)], columns(f"{NUMBERS} | {emit}"))
    same("at a rate", ["frame", "time", "max"], columns("gpuenv -w 2 -T csv --emit max -r 8 in.s16"))
    same("with --by", ["sensor", "frame", "time", "roof_max"], columns("gpuenv -w 1h --by sensor --columns roof --emit max rows.csv"))
    for name in "`min` of one channel", "`pressure_min` of a", "`ch1_min`, `ch2_min` of several channels":
        assert name in PAGE, f"docs/stability.md does not say: {name}"

    # Records.
    base = said("- Records of `--stats` in JSON, CSV and TSV:", "; of tables")
    of_tables = said("; of tables", " before `column`")
    times = said("of rows with times `time` behind `frame`, and ", " behind `last`")
    stats = "gpuenv --emit none --stats -"
    table = [*base[:base.index("column")], *of_tables, *base[base.index("column"):]]
    last = table.index("last") + 1
    timed = ["frame", "time", *table[1:last], *times, *table[last:]]
    same("records of sound", base, fields(f"{stats} in.s16"))
    same("records of tables", table, fields(f"{NUMBERS} | {stats}"))
    same("records with times", timed, fields(f"{TIMES} | {stats} --time time"))
    same("records with --by", ["key", *timed], fields(f"{stats} --by sensor rows.csv"))
    assert "JSON has `file` in a batch only" in PAGE
    assert "file" in json.loads(run(f"cp in.s16 more.s16; {stats} in.s16 more.s16").partition("\n")[0])

    # Spans.
    spans = "gpuenv -T spans"
    shape = said("- Spans: ", "; `start`, `end`")
    same("spans", shape, ["column", "start", "end", "first", "frames", "highest", "lowest", "duration"])
    times = ("start", "end", "duration")
    for level, word, other in ("above:0", "highest", "lowest"), ("below:9", "lowest", "highest"):
        same(f"spans {level}", [name for name in shape if name not in (*times, other)], columns(f"{spans} --level {level} in.s16"))
    shape.remove("lowest")
    above = f"{spans} --level above:0"
    same("spans at a rate", shape, columns(f"{above} -r 8 in.s16"))
    same("spans with times", shape, columns(f"{TIMES} | {above} --time time"))
    same("spans with --by", ["sensor", *shape], columns(f"{above} --by sensor rows.csv"))
    same("spans of a batch", ["key", *shape, "file"], columns(f"cp rows.csv more.csv; {above} --out-dir - --by sensor rows.csv more.csv"))

# The library: its name, the components of an installation, and what CMake's package has.
config = (source / "src/lib/gpuenvConfig.cmake.in").read_text()
assert "SOVERSION 0 " in (source / "src/lib/CMakeLists.txt").read_text() and "`libgpuenv.so.0`" in PAGE
components = set()
for path in "CMakeLists.txt", "src/lib/CMakeLists.txt", "python/CMakeLists.txt":
    components |= set(re.findall(r"COMPONENT (\w+)", (source / path).read_text()))
same("components", sorted(said("the components of an installation,", ".\n")), sorted(components | {"program", "bench"}))
found = re.findall(r"set\(gpuenv_(\w+)_FOUND TRUE\)", config)
same("components of find_package", said("with the components ", ", and the targets"), found)
targets = set(re.findall(r"gpuenv::\w+", config))
same("targets", said("and the targets ", "; the components"), sorted(targets))
