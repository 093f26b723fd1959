#!/bin/bash
# The resources of the compiled kernels: resources.sh SOURCE_DIR NVCC
#
# No kernel may spill or keep an array in local memory, none may use more registers than its launch bounds assume, and
# none has static shared memory: it is always sized and requested at the launch. This is for compute capability 9.0, for
# which they are tuned; for 7.5 the build of the tests sees to it that nothing spills (tests/run.sh).
set -eu

source_dir=$1
nvcc=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! command -v "$nvcc" >/dev/null; then
    echo "no nvcc"
    exit 77
fi

# The most registers of each kernel. 64 leaves room for 1,024 threads per multiprocessor.
limits='
near_kernel 64
vanherk_kernel 64
ahead_kernel 64
decode_kernel 40
gather_kernel 64
scatter_kernel 64
stats_kernel 64
'

if ! "$nvcc" --list-gpu-code | grep -q 'sm_90$'; then
    echo "sm_90: not in this toolkit"
    exit 77
fi
for file in cuda_window samples stats_kernel; do
    "$nvcc" -std=c++17 -O3 -arch=sm_90 -fmad=false -Xptxas -v -I"$source_dir/src" -I"$source_dir" \
        -cubin "$source_dir/cuda/$file.cu" -o "$dir/$file.cubin" 2>&1
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
        if (registers > most[kernel])
            most[kernel] = registers
        if (!(kernel in limit) || registers > limit[kernel])
            bad(registers " registers")
        if (/ bytes smem/)
            bad("static shared memory")
    }
    /error|warning/ { bad($0) }
    function bad(what) {
        print kernel ": " what
        failed = 1
    }
    END {
        for (name in limit)
            if (!seen[name]) {
                print "never compiled: " name
                failed = 1
            }
        for (kernel in most)
            printf "%-14s %d registers at most\n", kernel, most[kernel] | "sort"
        close("sort")
        exit failed
    }' "$dir/all"
