#!/bin/bash
# renew.sh GPUENV-FACES DIRECTORY
#
# Writes the completions of both programs.
set -eu

faces=$1
directory=$2

for program in gpuenv gpuenv-bench; do
    "$faces" "$program" bash >"$directory/$program.bash"
    "$faces" "$program" zsh >"$directory/_$program"
    "$faces" "$program" fish >"$directory/$program.fish"
done
