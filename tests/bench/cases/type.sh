#!/bin/bash
# Samples of float64: 8 bytes each, and and a column that says so.
gpuenv-bench -s 1000 -w 10 -i 1 --type f64 --only lemire,vanherk,cpu --csv all.csv --json all.json >table
head -n 3 table
cut -d , -f 3-5,8,18,21 all.csv
grep '"type"' all.json
gpuenv-bench -s 1000 -w 10 -i 1 --type f32 --only cpu --csv all.csv --json all.json >table
head -n 1 table
awk -F , 'NF != 20 { print "columns: " NF }' all.csv
! grep '"type"' all.json
gpuenv-bench -s 1000 --reduce max -i 1 --type f64 --only cpu | grep ' MB in'
gpuenv-bench -s 1000 --reduce sum -i 1 --type f64 --only cpu,float | sed -n 's/^float  *//p'
gpuenv-bench -s 1000 --reduce sum -i 1 --type f64 --only cpu --sweep threads=1 --csv - | cut -d , -f 1,2,13,15-17
gpuenv-bench --list --reduce sum --type f64 --only float
gpuenv-bench --type s16 || echo "exit $?"
