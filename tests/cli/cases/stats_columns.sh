#!/bin/bash
# SPDX-License-Identifier: MIT
# Statistics of tables: by the names of columns, with units; records have what columns have besides.
cat >log.csv <<EOF
time,pressure,temp,"a, b"
,hPa,(C),
0,1000000013.25,20,1
59,1000000013.5,,2
180,1000000013.75,-2,3
181,1000000014,3,
EOF
gpuenv --emit none --stats - --stats-format text --time time log.csv
gpuenv --emit none --stats - --stats-format text --columns 3 --header no --bad-lines skip --skip-lines 2 log.csv
gpuenv --emit none --stats - --stats-every 1min --time time log.csv | grep -o '"time.*"frames"\|"std.*'
gpuenv --emit none --stats out.csv --stats-every 3 --columns 4,2 log.csv
cut -d, -f 1,2,18- out.csv
floats 1 2 3 >a.f32
gpuenv --emit none --stats - --stats-format tsv log.csv a.f32 | cut -f 1,2,17-
gpuenv --emit none --stats - --stats-format tsv a.f32 log.csv | cut -f 1,2,17-
gpuenv --emit none --stats - a.f32 log.csv --columns 2 | grep -o '"clipped.*' || true
floats 1 2 3 4 5 6 7 8 9 | gpuenv -c 3 --emit none --stats - --stats-format text | head -n 3
