#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures again what the table "How fast" of README.md says, a command for each row: readme.sh [PROGRAM]
#
# Without PROGRAM it is the gpuenv of PATH. Needs NumPy; the libraries that are not installed are left out of the
# comparison, and nothing else is needed: no sox, no recordings. On a busy machine only the ratios mean anything.
set -eu

program=$(realpath "${1:-$(command -v gpuenv)}")
cd "$(dirname "$0")/../.."
echo "$(date -u +%F), $(nproc) of: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1); $("$program" --version | head -n 1)"
for script in tests/perf/peers.py tests/perf/text.py; do
    echo "== python3 $script"
    python3 "$script" "$program"
done
