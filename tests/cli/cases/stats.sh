#!/bin/bash
# SPDX-License-Identifier: MIT
# --stats: records of blocks, alone and beside the frames.
floats 1 -2 nan 2 -0 0 0.1 >in.f32
gpuenv --emit none --stats - in.f32
gpuenv --emit none --stats - --stats-every 3 --stats-format tsv in.f32
echo "--- a part, two channels, absolute frames"
gpuenv --emit none --stats - -c 2 --skip 1 --frames 1 in.f32
gpuenv --emit none --stats - -t u8 --counts --skip 2 in.f32 | grep -o '"frame":[0-9]*,"frames":[0-9]*'
echo "--- beside frames"
gpuenv -w 3 --hop 2 --stats records --stats-every 1s -r 4 --stats-format tsv in.f32 | show
cut -f 1-4,9,12 records
gpuenv -w 3 --stats /dev/fd/3 in.f32 3>three | wc -c
gpuenv --emit none --stats - in.f32 | cmp - three
gpuenv -w 3 --stats /dev/stdout in.f32 -o out.f32 | cmp - three
echo "--- nothing, and nothing but NaN"
gpuenv --emit none --stats - </dev/null
floats nan | gpuenv --emit none --stats - -q --nan omit
floats nan | gpuenv -t f32 --emit none --stats - --stats-format tsv
echo "--- infinities"
floats inf -1 | gpuenv -t f32 --emit none --stats -
floats inf -inf | gpuenv -t f32 --emit none --stats -
echo "--- at once"
mkfifo held
exec 3<>held
floats 1 2 >&3
read -r -t 30 line < <(gpuenv --emit none --stats - --stats-every 2 <held 3>&-)
echo "$line" | cut -c 1-22
echo "--- the ending of the file says the format"
for ending in tsv txt csv json; do
    gpuenv --emit none --stats "levels.$ending" --stats-every 4 in.f32
done
cmp levels.tsv levels.txt
cmp levels.csv <(tr '\t' ',' <levels.tsv)
head -n 1 levels.json | cut -c 1-10
gpuenv --emit none --stats - --stats-format csv in.f32 | cut -d , -f 1-4
