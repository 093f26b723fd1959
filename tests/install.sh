#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs into a place of its own, looks, and removes it again: install.sh CMAKE BUILD_DIR VERSION SOURCE_DIR
set -eu

cmake=$1
build_dir=$2
version=$3
source_dir=$4
# shellcheck source=tests/installed.sh
. "$source_dir/tests/installed.sh"

installed "$cmake" "$build_dir"
"$prefix/bin/gpuenv" --version | grep -F "gpuenv $version"
"$prefix/bin/gpuenv-bench" --version | grep -F "gpuenv-bench $version"
for page in man1/gpuenv.1 man1/gpuenv-bench.1 man3/gpuenv.3 man7/gpuenv-formats.7; do
    test -s "$(find "$prefix" -path "*/man/$page")"
done
# A page for each function, and no other.
find "$prefix" -path '*/man3/*' -printf '%f\n' | sort >"$prefix/pages"
sed -n 's/^\.Nm \(gpuenv_[a-z_]*\).*/\1.3/p' "$source_dir/man/gpuenv.3" | sort - <(echo gpuenv.3) | diff - "$prefix/pages"
rm "$prefix/pages"
# The documents, and what they name.
documents=$(dirname "$(find "$prefix" -path "*/doc/*/README.md" ! -path "*/examples/*")")
for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DEPENDENCIES.md LICENSE docs/batch.md docs/speed.md \
    $(grep -ohE '\b(examples|docs)/[A-Za-z0-9_./-]*[A-Za-z0-9]' "$source_dir/README.md" "$source_dir"/docs/*.md | sort -u); do
    if [ ! -e "$documents/$file" ]; then
        echo "$file is not installed"
        exit 1
    fi
done
printf '\0\0\200?\0\0\0@' | "$prefix/bin/gpuenv" -w 2 | od -An -t f4

# A component that the texts install exists: CMake would install nothing, and say nothing.
components=";$(sed -n 's/.*CMAKE_INSTALL_COMPONENT STREQUAL "\([a-z]*\)".*/\1/p' "$build_dir/cmake_install.cmake" \
    "$build_dir"/src/lib/cmake_install.cmake | sort -u | paste -s -d ';');"
grep -h -o -e '--component [a-z]*' "$source_dir/README.md" "$source_dir"/examples/*.sh | sort -u |
    while read -r _ component; do
        case $components in
        *";$component;"*) ;;
        *)
            echo "a text installs the component $component; there are: $components"
            exit 1
            ;;
        esac
    done

# DEPENDENCIES.md names every library, linked or loaded. The sanitizers bring their own.
if [ -z "${GPUENV_SANITIZE-}" ] && command -v readelf >/dev/null; then
    for program in gpuenv gpuenv-bench; do
        {
            readelf -W -d "$prefix/bin/$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
            grep -a -E -o 'lib(sndfile|mpg123|opusfile)\.so\.[0-9]*' "$prefix/bin/$program" || true
        } | sort -u >"$prefix/needed"
        test -s "$prefix/needed"
        while read -r library; do
            if ! grep -q -F "\`$library\`" "$source_dir/DEPENDENCIES.md"; then
                echo "$program needs $library, which DEPENDENCIES.md does not name"
                exit 1
            fi
        done <"$prefix/needed"
        rm "$prefix/needed"
    done
fi

"$cmake" -D "BUILD_DIR=$build_dir" -P "$source_dir/packaging/uninstall.cmake" >/dev/null
left=$(find "$prefix" ! -type d)
if [ -n "$left" ]; then
    echo "left behind: $left"
    exit 1
fi
