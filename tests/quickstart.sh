#!/bin/bash
# SPDX-License-Identifier: MIT
# What README's first screen tells a newcomer to type, in a copy of the sources: quickstart.sh SOURCE_DIR
#
# The copy is built without CUDA: on a machine with a device, nvcc takes longer than all the rest. Then the program is
# installed as the last lines say.
set -eu -o pipefail

source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/gpuenv"
tar -C "$source_dir" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/gpuenv" -xf -
cd "$work/gpuenv"
export CCACHE_BASEDIR=$PWD # as packages.sh
sed -i 's/^set(GPUENV_CUDA AUTO/set(GPUENV_CUDA OFF/' cuda/toolkit.cmake

begun=$SECONDS
examples/quickstart.sh | tee "$work/words"
echo "$((SECONDS - begun)) s"
grep -q '^== 1 of 5: ' "$work/words"
grep -q '^== 5 of 5: ' "$work/words"
grep -q '^CUDA engine: not built: GPUENV_CUDA is OFF$' "$work/words"
[ "$(grep -c '^the same bytes$' "$work/words")" -eq 2 ]
picture=$(tail -n 1 "$work/words")
[ "$picture" = "$work/gpuenv/build/envelope.svg" ]
# It is README's picture.
cmp "$picture" "$source_dir/examples/envelope-speech.svg"
command=$(sed -n 's/^\(cmake --install .* --prefix\) .*/\1/p' "$work/words")
[ -n "$command" ]
$command "$work/installed" >/dev/null
"$work/installed/bin/gpuenv" --version
