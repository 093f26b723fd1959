#!/bin/bash
# SPDX-License-Identifier: MIT
# --skip past the end of a truncated input: the error is reported, and outputs are finished as for any other input that
# ends early.
if gpuenv -w 1 -T flac -r 1 </dev/null 2>&1 | grep -q libsndfile; then
    echo "no libsndfile"
    exit 77
fi
seq 99999 | head -c 400000 | gpuenv -t s16 -r 1000 -w 1 --emit max -T wav:s16 >whole.wav
gpuenv -w 1 --emit max -T flac:s16 whole.wav -o whole.flac
head -c 1000 whole.wav >cut.wav
head -c 30000 whole.flac >cut.flac
for name in cut.wav cut.flac; do
    echo "--- $name, as a file and in a pipe"
    for way in file pipe; do
        file=$name
        [ "$way" = file ] || file=-
        for type in csv json; do
            gpuenv --zoom 20000 --skip 180s -T "$type" "$file" <"$name" || echo "$type: exit $?"
        done
        gpuenv --emit none --stats - --skip 180s "$file" <"$name" >record || echo "statistics: exit $?"
        cut -d , -f 2- record # how far a decoder gets differs
        gpuenv -w 1 --skip 180s -o out.wav "$file" <"$name" || echo "a file: exit $?"
        [ ! -e out.wav ] || echo "out.wav was left"
    done >told
    head -n 7 told
    head -n 7 told | cmp - <(tail -n +8 told)
done
echo --- a batch
gpuenv --emit none --stats - --skip 180s --jobs 1 cut.wav whole.wav cut.flac >records || echo "exit $?"
cut -d , -f 2- records
echo --- as far as it goes, and no further
gpuenv -w 1 -T csv --skip 200s whole.flac
gpuenv -w 1 -T csv --skip 201s whole.flac
gpuenv -w 1 -T csv --skip 199.999s whole.flac
# A shard has no whole output to finish.
gpuenv -w 1 -T csv --skip 180s --shard 1/2 cut.flac || echo "exit $?"
