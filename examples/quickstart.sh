#!/bin/bash
# From a bare Debian 12 to the envelope of a real sound: examples/quickstart.sh
#
# It installs a C compiler, CMake, libsndfile and sox where they are missing (as root or with sudo),
# builds in build/release, filters a sound that a package brings, and changes nothing else.
set -eu
cd "$(dirname "$0")/.."

say()
{
    printf '\n== %s\n' "$*"
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

missing=()
for package in g++ libc6-dev make cmake libsndfile1-dev sox alsa-utils; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    if [ "$state" != installed ]; then
        missing+=("$package")
    fi
done
if [ "${#missing[@]}" -gt 0 ]; then
    say "Installing Debian packages: ${missing[*]}"
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

build=build/release
say "Building in $build"
log=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$log" "$work"' EXIT
if ! { cmake --preset release && cmake --build "$build" --target gpuenv -j "$(nproc)"; } \
    >"$log" 2>&1; then
    cat "$log"
    exit 1
fi
PATH=$PWD/$build/src:$PATH
gpuenv --version

sound=/usr/share/sounds/alsa/Front_Center.wav
rate=$(soxi -r "$sound")
channels=$(soxi -c "$sound")
frames=$(soxi -s "$sound")
width=$((rate / 100))

say "The minimum and the maximum of every 10 ms of a real sound"
set -o pipefail
echo "gpuenv -w 10ms $sound >envelope.f32"
gpuenv -w 10ms "$sound" >"$work/envelope.f32"

# Two float32 for each channel of every window that fits.
due=$(((frames - width + 1) * channels * 8))
size=$(wc -c <"$work/envelope.f32")
echo "$frames frames in, $size bytes out; expected: $due bytes"
[ "$size" -eq "$due" ]

say "The same in a pipe, from raw samples"
echo "sox $sound -t f32 - | gpuenv -w 10ms -r $rate -c $channels | cmp - envelope.f32"
sox "$sound" -t f32 - | gpuenv -w 10ms -r "$rate" -c "$channels" | cmp - "$work/envelope.f32"
echo "the same bytes"

say "Lemire's sequential algorithm gives the same bytes"
echo "gpuenv -w 10ms $sound --algorithm lemire | cmp - envelope.f32"
gpuenv -w 10ms "$sound" --algorithm lemire | cmp - "$work/envelope.f32"
echo "the same bytes"

say "An overview: minimum and maximum of every tenth of a second"
echo "gpuenv -w 100ms --hop 100ms $sound | od -An -v -t f4 -w8"
gpuenv -w 100ms --hop 100ms "$sound" | od -An -v -t f4 -w8

say "The same on a CUDA device, where there is one"
echo "gpuenv -w 10ms $sound --device cuda | cmp - envelope.f32"
status=0
gpuenv -w 10ms "$sound" --device cuda >"$work/cuda.f32" || status=$?
case $status in
0)
    cmp "$work/cuda.f32" "$work/envelope.f32"
    echo "the same bytes"
    ;;
3) echo "The processor does it all here." ;;
*) exit "$status" ;;
esac

say "To install it"
echo "cmake --install $build --component program                       (into /usr/local, as root)"
echo "cmake --install $build --component program --prefix ~/.local     (for yourself)"
