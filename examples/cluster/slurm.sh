#!/bin/bash
# SPDX-License-Identifier: MIT
# One large file as a Slurm job array: slurm.sh K FOLDER OUTPUT INPUT [OPTION OF GPUENV]...
#
# Submits an array of K tasks, and a job that joins the parts when the tasks have ended, however they
# did: a part that is lost is named in FOLDER/join.log. The nodes share FOLDER and INPUT under the
# same names. Start it again after anything: parts that are there are not done again. Options of
# sbatch are taken from its variables: SBATCH_PARTITION, SBATCH_TIMELIMIT and so on.
set -eu

if [ $# -lt 4 ]; then
    echo "usage: slurm.sh K FOLDER OUTPUT INPUT [OPTION OF GPUENV]..." >&2
    exit 1
fi
here=$(dirname "$(realpath "$0")")
count=$1
folder=$2
output=$3
input=$4
shift 4

mkdir -p "$folder"
tasks=$(sbatch --parsable --job-name=gpuenv --array="1-$count" --output="$folder/part.%a.log" \
    "$here/slurm_task.sh" "$here" "$count" "$folder" "$input" "$@")
join=$(sbatch --parsable --job-name=gpuenv-join --dependency="afterany:$tasks" \
    --output="$folder/join.log" "$here/join.py" "$count" "$folder" "$output")
echo "parts: job $tasks, 1 to $count; join: job $join"
