#!/bin/bash
# SPDX-License-Identifier: MIT
# One large file on the machines of a list: parallel.sh K FOLDER OUTPUT INPUT [OPTION OF GPUENV]...
#
# HOSTS names a file with a host a line, as for `parallel --sshloginfile`; without it all is done
# here. The machines share FOLDER and INPUT under the same names. Start it again after anything:
# parts that are there are not done again.
set -eu

if [ $# -lt 4 ]; then
    echo "usage: parallel.sh K FOLDER OUTPUT INPUT [OPTION OF GPUENV]..." >&2
    exit 1
fi
here=$(dirname "$(realpath "$0")")
count=$1
folder=$2
output=$3
input=$4
shift 4

# A gpuenv uses all the cores of its machine: one at a time on each.
hosts=()
if [ -n "${HOSTS-}" ]; then
    hosts=(--sshloginfile "$HOSTS" --workdir .)
fi
# What has failed is for the join to say.
seq "$count" | parallel --quote --jobs 1 --retries 2 "${hosts[@]}" \
    "$here/part.sh" {} "$count" "$folder" "$input" "$@" || true
exec "$here/join.py" "$count" "$folder" "$output"
