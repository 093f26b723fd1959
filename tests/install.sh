#!/bin/bash
# Installs into a place of its own and looks: install.sh CMAKE BUILD_DIR VERSION
set -eu

cmake=$1
build_dir=$2
version=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

"$cmake" --install "$build_dir" --prefix "$prefix" >"$prefix/log"
"$prefix/bin/gpuenv" --version | grep -F "gpuenv $version"
"$prefix/bin/gpuenv-bench" --version | grep -F "gpuenv-bench $version"
for page in gpuenv.1 gpuenv-bench.1; do
    test -s "$(find "$prefix" -path "*/man/man1/$page")"
done
for file in README.md CHANGELOG.md LICENSE; do
    if [ -z "$(find "$prefix" -path "*/doc/*/$file")" ]; then
        echo "$file is not installed"
        exit 1
    fi
done
printf '\0\0\200?\0\0\0@' | "$prefix/bin/gpuenv" -w 2 | od -An -t f4
