#!/bin/bash
# SPDX-License-Identifier: MIT
# Means beside extremes: of pieces of frames and of the clock, in text and in files.
floats 1 -3 2 nan 0.1 -0 4 >a.f32
gpuenv --zoom 3 --emit min,mean,rms,count a.f32 -T csv
gpuenv --zoom 3 --emit mean,max --nan omit --no-frame a.f32 -T tsv
gpuenv --zoom 2 --emit mean,count -c 2 --overall --frames 3 --no-frame a.f32 -T csv
gpuenv --zoom 3 --emit count,mean a.f32 | od -An -tf4
gpuenv --zoom 3 --emit rms --db --nan omit --no-frame a.f32 -T csv
gpuenv --zoom 3 --emit mean -T spans --level above:-1 a.f32
gpuenv -r 9 --zoom 3 --emit min,max,rms a.f32 -T wav:f64 | gpuenv -w 1 --emit max --no-frame -T csv
cat >log.csv <<EOF
time,a,b
0,1,5
59,4,
180,1e9,2
181,1000000001,3
EOF
gpuenv --time time --zoom 1min --emit max,mean,count log.csv -T csv
gpuenv --time time --zoom 1min --gaps skip --emit count --overall log.csv -T csv
gpuenv --time time --zoom 1min --emit rms log.csv -o log.svg
grep -o 'RMS' log.svg | sort -u
gpuenv --zoom 3 --emit count --counts -t s16 a.f32 -T s32 | od -An -td4
