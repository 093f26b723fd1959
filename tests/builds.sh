#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds that others make: builds.sh CMAKE SOURCE_DIR clang|alone|twice|lto|musl
#
# clang: both programs, by a compiler whose warnings are errors, in a project that joins files (CMAKE_UNITY_BUILD).
# The others build the library.
# alone: without the program, its tests and a C++ compiler; installed, shared or static.
# twice: in two folders, from two copies of the sources: the same bytes.
# lto: with -flto, as distributions build, for programs with names of ours, built with -flto as well.
# musl: with another C library.
set -eu -o pipefail
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

cmake=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# library FOLDER WORDS...: configured, and built
library()
{
    "$cmake" -S "$source_dir" -B "$1" -DCMAKE_BUILD_TYPE=Release -DGPUENV_CUDA=OFF -DGPUENV_PYTHON=OFF \
        -DGPUENV_PROGRAM=OFF "${@:2}" >"$work/log" 2>&1 || fail "$(tail -20 "$work/log")"
    "$cmake" --build "$1" -j "$(nproc)" >"$work/log" 2>&1 || fail "$(tail -20 "$work/log")"
}

# Both programs, with the portable kernels, by make. All other kernels are of the same templates.
clang()
{
    local build=$source_dir/build/clang_werror

    need clang make
    rm -rf "$build"
    CMAKE_GENERATOR="Unix Makefiles" "$cmake" --preset clang -S "$source_dir" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON -DBUILD_TESTING=OFF \
        -DGPUENV_CUDA=OFF -DGPUENV_PYTHON=OFF -DGPUENV_KERNELS=scalar >"$work/log" 2>&1 || fail "$(tail -20 "$work/log")"
    "$cmake" --build "$build" -j "$(nproc)" >"$work/log" 2>&1 || fail "$(grep -A 8 ' error: ' "$work/log" | head -n 100)"
    [ "$("$build/src/gpuenv" --version)" != "" ] || fail "its program prints nothing"
    echo "built by clang, without a warning"
}

# found PREFIX WORDS TARGET: find_package(gpuenv WORDS) finds it, and a program with TARGET runs.
found()
{
    rm -rf "$work/user"
    mkdir "$work/user"
    cat >"$work/user/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.21)
project(user C)
find_package(gpuenv $2 REQUIRED)
add_executable(user $source_dir/examples/library/envelope.c)
target_link_libraries(user $3)
LISTS
    "$cmake" -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$1" >"$work/log" 2>&1 &&
        "$cmake" --build "$work/user/build" >>"$work/log" 2>&1 &&
        [ "$("$work/user/build/user" | tail -n 1)" = "2 9" ]
}

alone()
{
    local kind prefix doc words

    # In a folder as deep as that of the build of the tests: there ccache has its objects.
    local build=$source_dir/build/alone

    rm -rf "$build"
    export CXX=/bin/false
    library "$build"
    [ -z "$(find "$build" -name 'gpuenv*' -type f -perm -u+x)" ] || fail "there is a program"
    ctest --test-dir "$build" -N | grep -q '^Total Tests: 0$' || fail "there are tests"
    for kind in both shared static; do
        case $kind in
        shared) library "$build" -DBUILD_SHARED_LIBS=ON ;;
        static) library "$build" -DBUILD_SHARED_LIBS=OFF ;;
        esac
        "$cmake" --install "$build" --prefix "$work/$kind" >/dev/null
    done
    prefix=$work/both
    for kind in bin share/man/man1 share/man/man7; do
        [ ! -e "$prefix/$kind" ] || fail "$kind is installed"
    done
    doc=$prefix/share/doc/gpuenv
    for kind in "$doc/docs/library.md" "$doc/examples/library/envelope.c" "$prefix/share/man/man3/gpuenv_filter.3"; do
        [ -s "$kind" ] || fail "$kind is not installed"
    done
    # The compiler knows the folders of /usr.
    DESTDIR=$work/root "$cmake" --install "$build" --prefix /usr >/dev/null
    words=$(PKG_CONFIG_PATH=$(dirname "$(find "$work/root" -name gpuenv.pc)") pkg-config --cflags --libs gpuenv)
    [ "$words" = "-lgpuenv " ] || [ "$words" = "-lgpuenv" ] || fail "gpuenv.pc in /usr: $words"

    [ -z "$(find "$work/shared" -name '*.a')" ] || fail "BUILD_SHARED_LIBS=ON gives a static library"
    [ -z "$(find "$work/static" -name '*.so*')" ] || fail "BUILD_SHARED_LIBS=OFF gives a shared library"

    found "$prefix" "0.1 COMPONENTS shared static" gpuenv::static || fail "find_package: $(tail -20 "$work/log")"
    found "$work/shared" "COMPONENTS shared" gpuenv::gpuenv || fail "find_package, shared: $(tail -20 "$work/log")"
    found "$work/static" "" gpuenv::gpuenv || fail "find_package, static: $(tail -20 "$work/log")"
    for words in "1.0" "COMPONENTS static" "COMPONENTS nonsense"; do
        ! found "$work/shared" "$words" gpuenv::gpuenv || fail "find_package(gpuenv $words) finds one"
    done

    # A program that needs little of it links little.
    echo '#include <gpuenv.h>
int main(void) { return gpuenv_type_bytes(GPUENV_F32) == 4 ? 0 : 1; }' >"$work/little.c"
    gcc -I "$prefix/include" "$work/little.c" "$(find "$prefix" -name libgpuenv.a)" -lm -pthread -o "$work/little"
    "$work/little"
    [ "$(stat -c %s "$work/little")" -lt 100000 ] || fail "one function brings all objects of libgpuenv.a"
    echo "the library alone: shared and static"
}

twice()
{
    local copy file original=$source_dir

    export CCACHE_DISABLE=1
    for copy in a another; do
        mkdir -p "$work/$copy/sources"
        tar -C "$original" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/$copy/sources" -xmf -
        source_dir=$work/$copy/sources
        library "$work/$copy/build"
        DESTDIR=$work/$copy/installed "$cmake" --install "$work/$copy/build" --prefix /usr >/dev/null
    done
    diff -r "$work/a/installed" "$work/another/installed" || fail "two builds differ"
    file=$(find "$work/a/installed" -name libgpuenv.a)
    ar tv "$file" | grep -v ' Jan  1 00:00 1970 ' && fail "libgpuenv.a has times"
    echo "the same bytes: $(find "$work/a/installed" -type f | wc -l) files"
}

case $3 in
alone | clang | twice)
    "$3"
    exit
    ;;
lto)
    export CC=gcc CFLAGS=-flto
    ;;
musl)
    if ! command -v musl-gcc >/dev/null; then
        echo "skipped: no musl-gcc (Debian: musl-tools)"
        exit 77
    fi
    export CC=musl-gcc CFLAGS=
    ;;
esac
library "$work/build" -DBUILD_SHARED_LIBS=OFF
archive=$work/build/src/lib/libgpuenv.a
if nm -g --defined-only "$archive" | grep -v -E ' (lib)?gpuenv_[A-Za-z0-9_]+$|^$|\.o:$'; then
    fail "libgpuenv.a shows names that are not its own"
fi
if nm "$archive" | grep lto_priv || readelf -W -S "$archive" | grep gnu.lto; then
    fail "libgpuenv.a has names of LTO"
fi

cat >"$work/user.c" <<'PROGRAM'
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include "gpuenv.h"

int pages_alloc(int x) /* as one of the library is called */
{
    return x + 1;
}

int main(void)
{
    const struct rlimit limit = {64 << 20, 64 << 20};
    gpuenv_error error = GPUENV_INIT(gpuenv_error);
    gpuenv_spec spec = GPUENV_INIT(gpuenv_spec);
    gpuenv_context *context;
    gpuenv_stream *stream;
    float in[4] = {1, 3, 2, 5};
    float out[8];
    uint64_t got;

    spec.width = 2;
    if (gpuenv_open(NULL, &context, &error) != GPUENV_OK ||
        gpuenv_stream_open(context, &spec, GPUENV_F32, 1, &stream, &error) != GPUENV_OK ||
        gpuenv_stream_push(stream, in, 4, out, 4, &got, &error) != GPUENV_OK || got != 3 || out[5] != 5)
        return 1;
    spec.width = 1 << 20;
    setrlimit(RLIMIT_AS, &limit);
    if (gpuenv_stream_open(context, &spec, GPUENV_F32, 1000, &stream, &error) != GPUENV_NO_MEMORY)
        return 2;
    printf("%d %s: %s\n", pages_alloc(6), error.subject, error.text);
    return strcmp(error.subject, "memory") != 0;
}
PROGRAM
# shellcheck disable=SC2086 # words
"$CC" $CFLAGS -I "$source_dir/src/lib" "$work/user.c" "$archive" -lm -pthread -o "$work/user"
"$work/user"
