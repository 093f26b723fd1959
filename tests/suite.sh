#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds another preset, and runs its tests that are quick or labelled "suite": suite.sh PRESET SOURCE_DIR BUILD_DIR JOBS
#
# What goes well says nothing. What ctest has to say is in BUILD_DIR/tests.log; where tests fail, what they said
# and its summary are the last words here.
set -eu
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

preset=$1
source_dir=$2
build_dir=$3
jobs=$4

# What a suite leaves to the plain build, as regular expressions for names of tests. CMake's have ten groups at the most,
# and with more leave nothing out.
#
# What runs no code that other tests of the suite do not run as well.
left_out='^readme$|^batch/names$'
# ThreadSanitizer: what starts no threads; and what repeats with other files, or in processes of
# their own, what pipes/, pieces/, batch/faults and the rest of cli/ do with threads.
left_out_tsan="$left_out|^fuzz/|^oracle-|^bench/|^containers/|^unit/(bench|cpu|sample|stats|window)/"
left_out_tsan+='|^unit/base/(cut|memory_text|seen|size_words|utf8)$|^unit/format/json_read$|^unit/tool/(help|names|options|progress|rows|targets)$'
left_out_tsan+='|^unit/job/(choice|pieces_plan|plan|report|settings|shard|window_rows)$'
left_out_tsan+='|^unit/format/(alarms|chunks|decibels|headers|sigmf|number|number_read|registry|svg.*|text_parser|times|zone)$'
left_out_tsan+='|^pieces/(borders|differential|far)$|^emu/test_(stats_emu|window_emu-f..)$'
left_out_tsan+='|^pipes/zero_copy$|^cli/(commands|option_lists|words)$|^look/'

# The programs and libraries in BUILD_DIR that the commands of these tests name.
targets()
{
    ctest --test-dir "$build_dir" "${tests[@]}" -N | sed -n 's/^ *Test *#[0-9]*: //p' >"$build_dir/names" &&
        find "$build_dir" -name CTestTestfile.cmake -exec cat {} + |
        sed -n 's/^add_test(\[=\[\(.*\)\]=\] /\1 /p' |
            awk -v folder="$build_dir/" '
                FNR == NR { wanted[$1] = 1; next }
                $1 in wanted {
                    while ((at = index($0, folder)) > 0) {
                        $0 = substr($0, at + length(folder))
                        match($0, /^[^":) ]*/)
                        word = substr($0, 1, RLENGTH)
                        sub(/.*\//, "", word)
                        sub(/\.so$/, "", word)
                        print word
                    }
                }' "$build_dir/names" - | sort -u
}

# Nothing of nvcc's is looked at: the kernels are compiled for the emulator, by the C++ compiler. Where there is LLVM's
# linker, it links the tests in half of the time that GNU's takes, which links those of the plain build.
build()
{
    local linker=

    ! command -v ld.lld >/dev/null || linker=-fuse-ld=lld
    cmake --preset "$preset" -S "$source_dir" -B "$build_dir" -DGPUENV_CUDA=OFF "-DCMAKE_EXE_LINKER_FLAGS=$linker" &&
        mapfile -t needed < <(targets) && [ "${#needed[@]}" -gt 0 ] &&
        cmake --build "$build_dir" -j "$jobs" --target "${needed[@]}"
}

cd "$source_dir"
mkdir -p "$build_dir"
fast_generator
if [ "$preset" = tsan ]; then
    left_out=$left_out_tsan
fi
tests=(-L "quick|suite" -E "$left_out")
if ! build >"$build_dir/build.log" 2>&1; then
    grep -E -A 8 'error|warning|Error' "$build_dir/build.log" | head -n 200
    echo "the build of $preset failed; all of its output is in $build_dir/build.log"
    exit 1
fi
# ThreadSanitizer of gcc 12 dies before main() in the most random address spaces that newer kernels
# give, at times or always. Without that randomness it lives.
way=()
if [ "$preset" = tsan ]; then
    if setarch -R true 2>/dev/null; then
        way=(setarch -R)
    elif "$build_dir/src/gpuenv" --version 2>&1 | grep -q 'unexpected memory mapping'; then
        echo "ThreadSanitizer does not run on this kernel, and setarch -R is not allowed here"
        exit 77
    fi
fi
# What libraries leave is not ours.
export LSAN_OPTIONS="print_suppressions=0:suppressions=$source_dir/tests/faults/leaks"
"${way[@]}" ctest --test-dir "$build_dir" "${tests[@]}" -j "$jobs" --output-on-failure \
    >"$build_dir/tests.log" 2>&1 && exit
sed -E '/ (Start +[0-9]+: |\.\.+ +Passed )/d' "$build_dir/tests.log"
exit 1
