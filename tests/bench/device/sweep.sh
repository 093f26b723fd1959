#!/bin/bash
# SPDX-License-Identifier: MIT
# Every pair of threads and blocks; what cannot be is a row without times.
gpuenv-bench-fake --reduce max -s 1000 -i 1 --only right --sweep threads=32..128,blocks=4,8 \
    --csv sweep.csv >table
grep '^right' table | sed -E 's/  +/ /g' | cut -d ' ' -f 1-6
cut -d , -f 1-5,7,12-16 sweep.csv | tail -n +2
awk -F , 'NR > 1 && NF != 16 { print "columns: " NF }' sweep.csv
gpuenv-bench-fake --reduce max -s 1000 -i 1 --only wrong --sweep blocks=4 --csv - || echo "exit $?"
