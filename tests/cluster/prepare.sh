# SPDX-License-Identifier: MIT
# What the tests of examples/cluster/ begin with: prepare.sh GPUENV EXAMPLES. Leaves us in a folder of
# our own, with an input, the output that is due, and gpuenv in the path.
# shellcheck shell=bash disable=SC1091,SC2034
source "$(dirname "$0")/../need.sh"
gpuenv=$(realpath "$1")
examples=$(realpath "$2")
work=$(mktemp -d)
# shellcheck disable=SC2064
trap "rm -rf '$work'" EXIT
cd "$work" || exit 1
mkdir bin
ln -s "$gpuenv" bin/gpuenv
export PATH=$work/bin:$PATH
head -c 6000000 /dev/urandom >in.s16
question=(-t s16 -c 2 -w 5000 --align center --hop 7 --emit "min,max,mid")
gpuenv "${question[@]}" in.s16 >whole.f32

# What join.py says, which must fail and leave an older output alone.
refused()
{
    echo older >out.f32
    if "$examples/join.py" "$@" out.f32 2>said; then
        fail "join.py $* should have failed"
    fi
    [ "$(cat out.f32)" = older ] || fail "join.py $*: has touched the output"
    cat said
}
