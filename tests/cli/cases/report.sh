#!/bin/bash
# SPDX-License-Identifier: MIT
# --report: one JSON object with consistent figures.
for i in $(seq 1 1000); do
    echo "$((i * 7919 % 101))"
done | xargs floats >in.f32
gpuenv -w 100 --hop 3 --report report.json in.f32 | wc -c
/usr/bin/python3 -c '
import json
report = json.load(open("report.json"))
print(*[report[name] for name in ("status", "in_frames", "out_frames", "in_bytes", "out_bytes")])
print(list(report["busy"]), report["bottleneck"] in report["busy"], report["seconds"] > 0, report["engine"])'
# On standard error, after a failure, and if it cannot be written.
gpuenv -w 100 --report /dev/fd/3 in.f32 3>three | wc -c
/usr/bin/python3 -m json.tool <three >/dev/null
printf '1234567890' | gpuenv -w 1 --report failed.json >/dev/null || echo "exit $?"
/usr/bin/python3 -m json.tool <failed.json | grep -c '"status": 2'
gpuenv -w 100 --report nowhere/report.json in.f32 >/dev/null || echo "exit $?"
# Names with special characters.
name=$'a "b" \\ \n\001c'
cp in.f32 "$name"
gpuenv -w 100 -t f32 --report odd.json "$name" >/dev/null
/usr/bin/python3 -c '
import json, sys
print(sys.argv[1] in json.load(open("odd.json")).values())' "$name"
# Names that are not text.
name=$'\377\376'
cp in.f32 "$name"
gpuenv -w 100 -t f32 --report odd.json "$name" >/dev/null
/usr/bin/python3 -m json.tool <odd.json >/dev/null
# With statistics.
gpuenv -w 100 --report stats.json --stats level.tsv --stats-every 300 --stats-format tsv in.f32 |
    wc -c
/usr/bin/python3 -c '
import json
report = json.load(open("stats.json"))
print(report["stats"], report["stats_format"], report["stats_records"])
report = json.load(open("report.json"))
print(report["stats"], report["stats_format"], report["stats_records"])'
