#!/bin/bash
# From a bare Debian 12 to the envelope of a real sound: examples/quickstart.sh
#
# It installs compilers, libsndfile and sox if they are missing (needs root or sudo), builds in
# build/release, and changes nothing else.
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
for package in gcc libc6-dev make cmake libsndfile1-dev sox alsa-utils; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    if [ "$state" != installed ]; then
        missing+=("$package")
    fi
done
if [ "${#missing[@]}" -gt 0 ]; then
    say "Installing ${missing[*]}"
    as_root apt-get update -q
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

say "Building"
build=build/release
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
frames=$(soxi -s "$sound")
width=$((rate / 100))

say "The running minimum and maximum of a real sound, over 10 ms"
set -o pipefail
echo "gpuenv -w 10ms $sound >envelope.f32"
gpuenv -w 10ms "$sound" >"$work/envelope.f32"

# Two float32 for every window that fits.
due=$(((frames - width + 1) * 8))
size=$(wc -c <"$work/envelope.f32")
echo "$frames frames in; $size bytes out, $due due"
[ "$size" -eq "$due" ]

say "The same in a pipe, from raw samples"
echo "sox $sound -t f32 - | gpuenv -w 10ms -r $rate | cmp - envelope.f32"
sox "$sound" -t f32 - | gpuenv -w 10ms -r "$rate" | cmp - "$work/envelope.f32"
echo "the same"

say "Lemire's sequential algorithm gives the same bytes"
echo "gpuenv -w 10ms $sound --algorithm lemire | cmp - envelope.f32"
gpuenv -w 10ms "$sound" --algorithm lemire | cmp - "$work/envelope.f32"
echo "the same"

say "An overview: minimum and maximum of every tenth of a second"
echo "gpuenv -w 100ms --hop 100ms $sound | od -An -v -t f4 -w8"
gpuenv -w 100ms --hop 100ms "$sound" | od -An -v -t f4 -w8

say "The engine"
gpuenv -w 10ms "$sound" --device auto --report "$work/report.json" -o /dev/null
grep '^ *"engine' "$work/report.json"
if command -v nvcc >/dev/null && nvidia-smi -L 2>/dev/null; then
    echo "There is a GPU here, but this version has no CUDA engine yet; --device auto stays on the CPU."
fi

say "To install it"
echo "cmake --install $build                         (into /usr/local, as root)"
echo "cmake --install $build --prefix ~/.local       (for yourself)"
