#!/bin/bash
# Builds another preset, and runs its quick tests: suite.sh PRESET SOURCE_DIR BUILD_DIR GENERATOR
#
# For a compiler's preset the build is the test, because it takes warnings for errors.
set -eu

preset=$1
source_dir=$2
build_dir=$3
generator=$4
jobs=$(nproc)

if [ "$preset" = clang ] && ! command -v clang >/dev/null; then
    echo "no clang"
    exit 77
fi
cd "$source_dir"
cmake --preset "$preset" -B "$build_dir" -G "$generator"
cmake --build "$build_dir" -j "$jobs"
if [ "$preset" = clang ]; then
    exit 0
fi

# ThreadSanitizer of gcc 12 cannot live with the most random address spaces that newer
# kernels give; it then dies before main(). Without that randomness it can.
ways=("" "setarch -R")
for way in "${ways[@]}"; do
    # A way is a command and its options, or nothing.
    # shellcheck disable=SC2086
    if $way "$build_dir/src/gpuenv" --version; then
        # shellcheck disable=SC2086
        exec $way ctest --test-dir "$build_dir" -L quick -j "$jobs" --output-on-failure
    fi
done
echo "the $preset build does not start on this machine"
exit 77
