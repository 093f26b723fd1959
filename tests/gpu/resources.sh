#!/bin/bash
# SPDX-License-Identifier: MIT
# The resources of the compiled kernels: resources.sh SOURCE_DIR NVCC [all]
#
# No kernel may spill or keep an array in local memory, none may use more registers than its launch bounds assume, and
# none has static shared memory: it is always sized and requested at the launch. Without `all`, those of cuda_window are
# left out, which take a minute for each kind of device: launch bounds limit their registers, and the build of the tests
# does not let them spill (tests/run.sh).
set -eu

source_dir=$1
nvcc=$2
files=(samples stats_kernel cuda_across)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! command -v "$nvcc" >/dev/null; then
    echo "no nvcc"
    exit 77
fi

# The most registers of each kernel. 64 leaves room for 1,024 threads per multiprocessor, 80 for 768. Those of samples as they are have
# twice as many on devices that have no instruction for the minima of two halves of a word.
limits='
gather_kernel 64
across_kernel 64
scatter_kernel 64
stats_kernel 64
part_kernel 80
deviations_kernel 96
'
if [ "${3-}" = all ]; then
    files+=(cuda_window)
    limits+='
tile_kernel 64
narrow_kernel 128
wide_kernel 72
ahead_kernel 64
'
fi

compile() # ARCHITECTURE FILE
{
    "$nvcc" -std=c++17 -O3 -arch="sm_$1" -fmad=false -Xptxas -v -I"$source_dir/src/core" -I"$source_dir/src" \
        -I"$source_dir" -cubin "$source_dir/cuda/$2.cu" -o "$dir/$2.cubin" 2>&1
}

for architecture in 75 90; do
    if ! "$nvcc" --list-gpu-code | grep -q "sm_$architecture\$"; then
        echo "sm_$architecture: not in this toolkit"
        continue
    fi
    for file in "${files[@]}"; do
        compile $architecture "$file" >"$dir/log"
        sed "s/^/sm_$architecture /" "$dir/log"
    done
done >"$dir/all"

awk -v limits="$limits" '
    BEGIN {
        count = split(limits, word)
        for (i = 1; i < count; i += 2)
            limit[word[i]] = word[i + 1]
    }
    /Compiling entry function/ {
        kernel = "unknown"
        for (name in limit)
            if (index($0, name))
                kernel = name
        seen[kernel]++
    }
    /bytes spill/ && !/ 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads/ { bad($0) }
    /Used [0-9]+ registers/ {
        match($0, /Used [0-9]+/)
        registers = substr($0, RSTART + 5, RLENGTH - 5) + 0
        if (registers > most[$1, kernel])
            most[$1, kernel] = registers
        if (!(kernel in limit) || registers > limit[kernel])
            bad(registers " registers")
        if (/ bytes smem/)
            bad("static shared memory")
    }
    /error|warning/ { bad($0) }
    function bad(what) {
        print $1 " " kernel ": " what
        failed = 1
    }
    END {
        for (name in limit)
            if (!seen[name]) {
                print "never compiled: " name
                failed = 1
            }
        for (key in most) {
            split(key, part, SUBSEP)
            printf "%s %-14s %d registers at most\n", part[1], part[2], most[key] | "sort"
        }
        close("sort")
        exit failed
    }' "$dir/all"
