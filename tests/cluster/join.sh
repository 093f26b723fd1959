#!/bin/bash
# SPDX-License-Identifier: MIT
# The joiner finds what is lost, short, of another input or of another question; part.sh does again
# what has to be done again and no more: join.sh GPUENV EXAMPLES
# What prepare.sh sets is not seen from here.
# shellcheck disable=SC1091,SC2154
set -eu
source "$(dirname "$0")/prepare.sh"
need python3

for i in $(seq 12); do
    "$examples/part.sh" "$i" 12 parts in.s16 "${question[@]}"
done
"$examples/join.py" 12 parts out.f32
cmp whole.f32 out.f32
cat parts/part.*.f32 | cmp whole.f32 -

expect()
{
    refused 12 parts | tee told
    grep -q "$1" told || fail "nothing is told of '$1'"
    grep -qx "to do again: $2" told || fail "$2 is to be done again"
}

again()
{
    for i in $(seq 12); do
        "$examples/part.sh" "$i" 12 parts in.s16 "${question[@]}"
    done
    "$examples/join.py" 12 parts out.f32
    cmp whole.f32 out.f32
}

rm parts/part.03-of-12.f32
expect 'part 3 of 12: is not there' 3
rm parts/part.12-of-12.json
truncate -s -8 parts/part.07-of-12.f32
expect 'part 7 of 12: has .* bytes, and should have' 3,7,12
touch -r parts/part.05-of-12.f32 five
again
[ ! parts/part.05-of-12.f32 -nt five ] || fail "part 5 was done again"

# A failure leaves a report that says so.
gpuenv "${question[@]}" --nan error --shard 4/12 --report parts/part.04-of-12.json -t f32 in.s16 \
    >part 2>/dev/null && fail "random bits hold no NaN"
expect 'part 4 of 12: has failed: .*NaN' 4
again
# Another part in its place, and a part of another question.
cp parts/part.02-of-12.json parts/part.09-of-12.json
expect 'part 9 of 12: is part 2 of 12' 9
gpuenv "${question[@]}" -w 500 --shard 9/12 -o parts/part.09-of-12.f32 \
    --report parts/part.09-of-12.json in.s16
expect 'part 9 of 12: has width 500, and others have 5000' 9
rm parts/part.09-of-12.json
again
if "$examples/part.sh" 1 12 parts in.s16 -w 5 2>said; then
    fail "a folder is of one question"
fi
grep -q 'parts of something else' said

# The input changes between parts: first its size, then its time alone.
head -c 4000 /dev/zero >>in.s16
rm parts/part.06-of-12.json
"$examples/part.sh" 6 12 parts in.s16 "${question[@]}"
expect 'part 5 of 12: in.s16 has changed since' 1,2,3,4,5,7,8,9,10,11,12
mv in.s16 elsewhere
expect 'part 6 of 12: has input_size 6004000, and others have 6000000' 6
mv elsewhere in.s16
gpuenv "${question[@]}" in.s16 >whole.f32
again
# What has no join, or no parts.
"$examples/part.sh" 1 2 sounds in.s16 "${question[@]}" -r 8000 -T wav
"$examples/part.sh" 2 2 sounds in.s16 "${question[@]}" -r 8000 -T wav
refused 2 sounds | tee told
grep -q 'part 1 of 2: is a whole wav file' told || fail "whole files were joined"
for words in "1 016 parts" "0 12 parts" "x 12 parts" "1 -3 parts"; do
    # shellcheck disable=SC2086
    if "$examples/part.sh" $words in.s16 "${question[@]}" 2>said; then
        fail "part.sh $words should have failed"
    fi
    grep -q 'is no number of a part or of parts' said || fail "nothing is told of $words"
done
if "$examples/part.sh" 1 2 records in.s16 "${question[@]}" --stats-every 9 --stats all 2>said; then
    fail "the records of the parts were written over one another"
fi
grep -q 'part.sh: --stats: each part would' said
touch -d '2001-02-03' in.s16
expect 'in.s16 has changed since' 1,2,3,4,5,6,7,8,9,10,11,12
again
