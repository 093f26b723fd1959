#!/bin/bash
# SPDX-License-Identifier: MIT
# One part of the output, if it is not there yet: part.sh I K FOLDER INPUT [OPTION OF GPUENV]...
#
# The part is FOLDER/part.I-of-K.f32, with leading zeros, and beside it stands its report. gpuenv
# writes the report last, so a part that has a good one is whole.
set -eu

if [ $# -lt 4 ]; then
    echo "usage: part.sh I K FOLDER INPUT [OPTION OF GPUENV]..." >&2
    exit 1
fi
number=$1
count=$2
folder=$3
input=$4
shift 4

fail()
{
    echo "part.sh: $*" >&2
    exit 1
}

for word in "$number" "$count"; do
    if ! [[ $word =~ ^[1-9][0-9]*$ ]]; then
        fail "$word is no number of a part or of parts: give 1, 2, 3 and so on"
    fi
done
for word in "$@"; do
    case $word in
    --stats | --stats=*) fail "$word: each part would write over the records of the others" ;;
    esac
done

mkdir -p "$folder"
name=$(printf '%s/part.%0*d-of-%d' "$folder" "${#count}" "$number" "$count")

# The parts of a folder are answers to one question.
question=$(printf '%q ' "$count" "$input" "$@")
if [ ! -e "$folder/question" ]; then
    echo "$question" >"$folder/question.$number"
    ln "$folder/question.$number" "$folder/question" 2>/dev/null || true
    rm "$folder/question.$number"
fi
if [ "$(cat "$folder/question")" != "$question" ]; then
    fail "$folder holds parts of something else: see $folder/question"
fi

# Is it there, as long as its report says, and of the input as it is now?
is_there()
{
    [ -e "$name.f32" ] &&
        grep -qs '"status": 0,' "$name.json" &&
        grep -qs "\"out_bytes\": $(stat -L -c %s "$name.f32")," "$name.json" &&
        grep -qs "\"input_size\": $(stat -L -c %s "$input")," "$name.json" &&
        grep -qs "\"input_mtime\": \"$(stat -L -c %.9Y "$input")\"" "$name.json"
}

if is_there; then
    exit 0
fi
rm -f "$name.json"
exec gpuenv "$@" --shard "$number/$count" -o "$name.f32" --report "$name.json" "$input"
