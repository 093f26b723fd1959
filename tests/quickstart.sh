#!/bin/bash
# What README's first screen tells a newcomer to type, in a copy of the sources: quickstart.sh SOURCE_DIR
#
# Then it installs the program as the last lines say. The copy is built without nvcc, which takes longer than all of it.
set -eu -o pipefail

source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/gpuenv"
tar -C "$source_dir" --exclude=./build --exclude=./.git -cf - . | tar -C "$work/gpuenv" -xf -
cd "$work/gpuenv"
sed -i 's/^set(GPUENV_CUDA AUTO/set(GPUENV_CUDA OFF/' cuda/toolkit.cmake

examples/quickstart.sh | tee "$work/words"
[ "$(grep -c "^the same bytes" "$work/words")" -ge 2 ]
command=$(sed -n 's/^\(cmake --install .* --prefix\) .*/\1/p' "$work/words")
[ -n "$command" ]
$command "$work/installed" >/dev/null
"$work/installed/bin/gpuenv" --version
