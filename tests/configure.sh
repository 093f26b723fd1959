#!/bin/bash
# SPDX-License-Identifier: MIT
# What CMake is asked for, and what it makes of it: configure.sh CMAKE SOURCE_DIR
#
# 32 bits, and options that change results, are refused in a sentence. Libraries are installed where one says.
set -eu -o pipefail
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

cmake=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

configure()
{
    rm -rf "$work/build"
    "$cmake" -S "$source_dir" -B "$work/build" -DGPUENV_CUDA=OFF -DGPUENV_SNDFILE=OFF -DGPUENV_PYTHON=OFF \
        -DBUILD_TESTING=OFF "$@" >"$work/said" 2>&1
}

# refused WORDS OPTIONS...: the words are in one line.
refused()
{
    local words=$1

    shift
    ! configure "$@" || fail "$* is not refused"
    tr -s '\n ' ' ' <"$work/said" | grep -q -F -e "$words" || fail "$*: $(cat "$work/said")"
}

# A 32-bit program cannot be linked on most machines, and need not be.
refused "gpuenv needs a 64-bit system" -DCMAKE_C_FLAGS=-m32 -DCMAKE_CXX_FLAGS=-m32 \
    -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY
refused "CMAKE_C_FLAGS has -ffast-math, which changes results" -DCMAKE_C_FLAGS="-O2 -ffast-math -g"
refused "CMAKE_C_FLAGS_RELEASE has -Ofast" -DCMAKE_C_FLAGS_RELEASE=-Ofast
refused "CMAKE_SHARED_LINKER_FLAGS has -ffast-math" -DCMAKE_SHARED_LINKER_FLAGS=-ffast-math
if gcc -ffast-math -fsyntax-only -I "$source_dir/src/core" -x c - <<<'#include "window/rules.h"' 2>"$work/said"; then
    fail "the compiler takes -ffast-math"
fi
grep -q -F "build gpuenv without it" "$work/said" || fail "$(cat "$work/said")"

# The first is the name of a folder, whatever the present one is.
for folder in lib64 lib/odd /opt/lib; do
    (cd "$work" && configure -DCMAKE_INSTALL_LIBDIR=$folder -DCMAKE_INSTALL_PREFIX=/usr) || fail "$(cat "$work/said")"
    case $folder in
    /*) path=$folder ;;
    *) path="\${prefix}/$folder" ;;
    esac
    grep -q -x -F "libdir=$path" "$work/build/src/lib/gpuenv.pc" || fail "$(cat "$work/build/src/lib/gpuenv.pc")"
done
echo "6 refusals, 3 folders"
