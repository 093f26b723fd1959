#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs the Debian 12 packages that are missing, builds, and runs the tests:
# tests/run.sh [quick|full|long|perf]
# tests/run.sh fuzz [SECONDS]    the fuzzers, 600 seconds by default; tests/fuzz/run.sh
# tests/run.sh soak [GIGABYTES]  a stream of 1000 GB through one run; tests/pipes/constant_memory.sh
# tests/run.sh soak batches [SECONDS]  small batches for a day; tests/soak/batches.py
# tests/run.sh coverage          the lines of src/format that tests reach; tests/coverage.sh
#
# It names the packages before it installs them. One run of ctest holds all the tests; its summary
# is the last thing printed, or what the tests have said that failed.
set -eu
cd "$(dirname "$0")/.."

part=${1-full}
case $part in
quick | full | long | perf | fuzz | soak | coverage) ;;
*)
    echo "usage: tests/run.sh [quick|full|long|perf|fuzz [SECONDS]|soak [GIGABYTES]|soak batches [SECONDS]|coverage]" >&2
    exit 1
    ;;
esac

packages=(gcc g++ libc6-dev ccache make ninja-build cmake perl-base python3 python3-dev python3-numpy python3-scipy python3-pandas
    python3-bottleneck tzdata
    bsdutils util-linux time sox libsox-fmt-all ffmpeg flac lame opus-tools vorbis-tools libopusfile0 libsndfile1-dev
    ladspa-sdk bzip2 xz-utils zstd alsa-utils
    mandoc groff-base abigail-tools shellcheck clang-format libtbb-dev gnuplot-nox librsvg2-bin)
if [ "$part" = full ] || [ "$part" = long ]; then
    packages+=(lld clang libclang-rt-dev clang-tidy qemu-user gcc-aarch64-linux-gnu g++-aarch64-linux-gnu
        libc6-dev-arm64-cross parallel slurm-wlm munge python3-pip
        python3-venv python3-dask python3-matplotlib python3-distributed python3-pytest python3-hypothesis mypy
        dpkg-dev chromium musl-tools
        pkg-config rustc bindgen golang-go gfortran luajit libeigen3-dev)
fi

if [ "$part" = long ]; then
    packages+=(sound-theme-freedesktop sonic-pi-samples # recordings
        lintian fakeroot mmdebstrap debhelper dh-python crossbuild-essential-arm64
        rpm rpmlint cpio)
fi

case $part in
fuzz | coverage) packages+=(clang llvm libclang-rt-dev) ;;
esac

if [ "$part" = perf ]; then
    packages+=(python3-opencv parallel)
fi

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    if [ "$state" != installed ]; then
        missing+=("$package")
    fi
done

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing()
{
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q -o Acquire::Retries=5 --no-install-recommends "${missing[@]}"
}

if [ "${#missing[@]}" -gt 0 ]; then
    echo "Installing ${#missing[@]} Debian packages with apt-get:"
    printf '%s\n' "${missing[*]}" | fold -s -w 78 | sed 's/^/  /'
    # The lists of a fresh machine are empty or old, and a mirror may be busy: twice at most.
    as_root apt-get update -q -o Acquire::Retries=5 || as_root apt-get update -q
    install_missing
fi

# These two have builds of their own.
case $part in
fuzz) exec tests/fuzz/run.sh "$PWD" "$PWD/build/suites/fuzz" "${2-600}" ;;
coverage) exec tests/coverage.sh "$PWD/build/suites/coverage" ;;
esac

jobs=$(nproc)
build=build/release
words=(--preset release -DBUILD_TESTING=ON -DGPUENV_WERROR=ON)
# Where nvcc is, the CUDA engine is built without a device, too: no kernel may spill. Where there may be a device, its
# kernels are for the oldest ones, from which all others can get theirs. What is to be fast is built as it is installed.
case $part in
quick | full | long)
    build=build/tests
    architecture=90
    ! command -v nvidia-smi >/dev/null || architecture=75
    words+=(-B "$build" "-DCMAKE_CUDA_ARCHITECTURES=$architecture")
    if PATH=$PATH:${CUDA_PATH-}/bin:${CUDA_HOME-}/bin:/usr/local/cuda/bin command -v nvcc >/dev/null; then
        words+=(-DGPUENV_CUDA=ON
            "-DCMAKE_CUDA_FLAGS=-Xptxas=--warn-on-spills,--warn-on-local-memory-usage,-Werror")
    fi
    ;;
esac
# What make starts besides compilers is a tenth of a build. To ccache the words of its compilers are others than Ninja's, so
# that all builds here are Ninja's but one, of builds.sh.
export CMAKE_GENERATOR=Ninja
# Tests build the program over and over: with what an earlier build has compiled with the same words, wherever its tree
# is. Whether warnings are errors changes no object; the compiler's name does, to ccache. Which headers a file includes
# ccache learns from the compiler, so that a file that is new is not preprocessed before it is compiled: that would be a
# third of the time that most files take.
export CC=gcc CXX=g++
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_IGNOREOPTIONS=-Werror CCACHE_DEPEND=1
cmake "${words[@]}"
cmake --build "$build" -j "$jobs"

# A fifth of their time tests wait for something else than a processor: one test more.
run=(ctest --test-dir "$build" -j "$((jobs + 1))" --output-on-failure)
case $part in
quick) run+=(-L quick) ;;
# What measures speed wants a machine to itself, what is long is more of the same, and what is less is in other tests.
full) run+=(-LE 'perf|long|less') ;;
long) run+=(-L long) ;;
perf) exec ctest --test-dir "$build" --verbose -L perf ;;
soak)
    if [ "${2-}" = batches ]; then
        exec tests/soak/batches.py "$build/src/gpuenv" "${3-86400}"
    fi
    exec bash tests/pipes/constant_memory.sh "$build/src/gpuenv" "${2-1000}"
    ;;
esac
exec "${run[@]}"
