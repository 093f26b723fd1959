#!/bin/bash
# libgpuenv.a from builds that others make: builds.sh CMAKE SOURCE_DIR lto|musl
#
# lto: with -flto -ffat-lto-objects, as distributions build, for programs with names of ours, built with -flto as well.
# musl: with another C library, whose words for errors are told.
set -eu -o pipefail

cmake=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -n "${GPUENV_SANITIZE-}" ]; then
    echo "skipped: a library with sanitizers cannot be linked into other programs"
    exit 77
fi

fail()
{
    echo "FAILED: $*"
    exit 1
}

case $3 in
lto)
    export CC=gcc CFLAGS="-flto -ffat-lto-objects"
    ;;
musl)
    if ! command -v musl-gcc >/dev/null; then
        echo "skipped: no musl-gcc (Debian: musl-tools)"
        exit 77
    fi
    export CC=musl-gcc CFLAGS=
    ;;
esac
"$cmake" -S "$source_dir" -B "$work/build" -DGPUENV_CUDA=OFF -DGPUENV_SNDFILE=OFF -DGPUENV_PYTHON=OFF \
    -DBUILD_TESTING=OFF >"$work/log" 2>&1 || fail "$(tail -20 "$work/log")"
"$cmake" --build "$work/build" --target gpuenv_static >"$work/log" 2>&1 || fail "$(tail -20 "$work/log")"
archive=$work/build/src/lib/libgpuenv.a
if nm -g --defined-only "$archive" | grep -v -E ' gpuenv_[a-z_]+$|^$|^gpuenv.o:$'; then
    fail "libgpuenv.a shows other names than gpuenv.h"
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
    return strstr(error.text, "memory") == NULL;
}
PROGRAM
# shellcheck disable=SC2086 # words
"$CC" $CFLAGS -I "$source_dir/src/lib" "$work/user.c" "$archive" -lm -pthread -o "$work/user"
"$work/user"
