#!/bin/bash
# SPDX-License-Identifier: MIT
# libgpuenv as its users have it: library.sh SOURCE_DIR BUILD_DIR
#
# The names that it shows, the header for old and new compilers, the program in the manual page, and the
# examples: built with what is installed, by pkg-config and by find_package(), shared and static.
set -eu -o pipefail
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

source_dir=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

examples=$source_dir/examples/library
for component in lib dev; do
    cmake --install "$build" --prefix "$work/usr" --component "$component" >/dev/null
done
library=$(dirname "$(find "$work/usr" -name libgpuenv.so)")

# ---- the names

grep -h -o '\bgpuenv_[a-z_]*(' "$source_dir"/src/lib/gpuenv{,_cuda}.h | tr -d '(' | grep -v '^gpuenv_init$' |
    sort -u >"$work/declared"
names_of()
{
    awk '$2 ~ /[TDBRVW]/ { print $3 }' | sed 's/@.*//' | sort -u
}
nm -D --defined-only "$library/libgpuenv.so" | awk '$2 != "A"' | names_of >"$work/shared"
# Its objects call each other by names of their own.
nm -g --defined-only "$library/libgpuenv.a" | names_of | grep -v '^libgpuenv_' >"$work/static"
diff "$work/declared" "$work/shared" || fail "libgpuenv.so shows other names than gpuenv.h"
diff "$work/declared" "$work/static" || fail "libgpuenv.a shows other names than gpuenv.h"
nm -D --defined-only "$library/libgpuenv.so" | grep -q 'gpuenv_filter@@GPUENV_0' ||
    fail "the names have no version"
readelf -d "$library/libgpuenv.so" | grep -q 'SONAME.*\[libgpuenv.so.0\]' || fail "the name of the library"
if readelf -d "$library/libgpuenv.so" | grep NEEDED | grep -v 'lib[cm]\.so\|ld-linux\|lib\(pthread\|dl\|rt\)\.so'; then
    fail "libgpuenv.so needs more than the C library"
fi
# A library does not end its host, nor change how it works.
if nm -D --undefined-only "$library/libgpuenv.so" |
    grep -w -E '_?exit|_Exit|quick_exit|abort|mallopt|signal|sigaction|setlocale|std(out|err|in)'; then
    fail "libgpuenv.so has no use for these"
fi

# ---- the header

echo '#include "gpuenv_cuda.h"
int main(void) { gpuenv_spec spec = GPUENV_INIT(gpuenv_spec); return spec.size == sizeof spec ? 0 : 1; }' \
    >"$work/header.c"
cp "$work/header.c" "$work/header.cpp"
strict=(-Wall -Wextra -pedantic-errors -Wundef -Wmissing-field-initializers -Werror -I"$work/usr/include" -fsyntax-only)
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for standard in c99 c11 c17; do
        for file in "$work/header.c" "$examples"/*.c; do
            if [ "${file##*/}" = limiter.c ] && [ ! -e /usr/include/ladspa.h ]; then
                continue
            fi
            "$compiler" -std=$standard "${strict[@]}" "$file" || fail "$compiler -std=$standard $file"
        done
    done
    "$compiler" -std=c++98 "${strict[@]}" "$work/header.cpp" || fail "$compiler -std=c++98"
    for standard in c++11 c++17 c++20; do
        for file in "$work/header.cpp" "$examples"/*.cpp; do
            "$compiler" -x c++ -std=$standard "${strict[@]}" -Wold-style-cast "$file" ||
                fail "$compiler -std=$standard $file"
        done
    done
done

# What generates bindings reads the header as clang does.
if command -v clang >/dev/null; then
    echo '#include "gpuenv.h"
_Static_assert(_Generic((enum gpuenv_code)0, int: 1, default: 0) && _Generic((enum gpuenv_type)0, int: 1, default: 0), "");' |
        clang -std=c11 -I"$work/usr/include" -fsyntax-only -x c - || fail "enumerations are no ints"
fi

# ---- the manual page names all of the header

{
    cat "$work/declared"
    grep -o '\bGPUENV_[A-Z0-9_]*' "$source_dir/src/lib/gpuenv.h" | grep -v -x 'GPUENV_H\|GPUENV_VALUES\|GPUENV_IS_INT'
} | sort -u >"$work/names"
while read -r word; do
    grep -q -w "$word" "$source_dir/man/gpuenv.3" || fail "gpuenv(3) does not name $word"
done <"$work/names"

sed -n '/^\.Sh NAME/,/^\.Nd/s/^\.Nm \([a-z_]*\).*/\1/p' "$source_dir/man/gpuenv.3" | sort >"$work/page_names"
diff "$work/declared" "$work/page_names" || fail "the NAME of gpuenv(3) has other functions"
(echo gpuenv && cat "$work/declared") | sort >"$work/pages"
find "$work/usr" -path '*/man3/*' -size +0 -printf '%f\n' | sed 's/\.3$//' | sort |
    diff "$work/pages" - || fail "other pages are installed"

# ---- the page quotes the example

python3 - "$source_dir/docs/library.md" "$examples/envelope.c" <<'PYTHON' || fail "docs/library.md quotes another envelope.c"
import sys
sys.exit(0 if open(sys.argv[2]).read() in open(sys.argv[1]).read() else 1)
PYTHON

# ---- the examples

# check HOW: the programs in $work/bin print what they should.
check()
{
    local got

    got=$("$work/bin/envelope")
    [ "$got" = $'1 5\n1 9\n1 9\n1 9\n2 9\n2 9' ] || fail "$1: envelope: $got"
    got=$("$work/bin/envelope_cpp")
    [ "$got" = $'0.25 4\n-1 4\n-1 4\n-1 2\n2 8' ] || fail "$1: envelope.cpp: $got"
    got=$("$work/bin/columns")
    [ "$got" = $'7 50 -1\n7 50 -1\n8 40 -1\n8 30 -1\n8 20 -1
column 0: mean 4.2, minimum 1 in row 0
column 1: mean 30, minimum 10 in row 4
column 2: mean -2.8, minimum -5 in row 4' ] || fail "$1: columns: $got"
    got=$(head -c 20400 /dev/zero | "$work/bin/chunks" | wc -c)
    [ "$got" = 204 ] || fail "$1: chunks: $got bytes"
    got=$(python3 -c 'import array; array.array("f", [-0.5, 0.25] * 24000).tofile(open(1, "wb"))' |
        "$work/bin/meter" | uniq -c)
    [ "$got" = "      7 0.5000 0.3953" ] || fail "$1: meter: $got"
}

mkdir "$work/bin"
flags=(-Wall -Wextra -Wpedantic -Werror -O1)
# build HOW PKG_CONFIG_OPTION FLAGS...
build()
{
    local how=$1
    local words

    shift
    words=$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config "$@" --cflags --libs gpuenv)
    if [ "$how" = static ]; then
        words=${words/-lgpuenv/-l:libgpuenv.a}
    fi
    for name in envelope chunks columns meter; do
        # shellcheck disable=SC2086 # the words of pkg-config
        gcc -std=c99 "${flags[@]}" "$examples/$name.c" -o "$work/bin/$name" $words
    done
    # shellcheck disable=SC2086
    g++ -std=c++11 "${flags[@]}" "$examples/envelope.cpp" -o "$work/bin/envelope_cpp" $words
}

if command -v pkg-config >/dev/null; then
    build shared
    sed -n '/^#include <gpuenv.h>/,/^}/p' "$source_dir/man/gpuenv.3" | sed 's/\\en/\\n/' >"$work/page.c"
    # shellcheck disable=SC2046 # the words of pkg-config
    gcc "$work/page.c" -o "$work/page" $(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs gpuenv)
    [ "$(LD_LIBRARY_PATH=$library "$work/page")" = $'1 5\n1 9\n1 9\n1 9\n2 9\n2 9' ] || fail "the manual page"
    LD_LIBRARY_PATH=$library check "pkg-config, shared"
    build static --static
    check "pkg-config, static"
else
    echo "not tried: no pkg-config"
fi

mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<'LISTS'
cmake_minimum_required(VERSION 3.21)
project(user C CXX)
find_package(gpuenv 0.2 REQUIRED)
foreach(name envelope chunks columns meter)
  add_executable(${name} ${EXAMPLES}/${name}.c)
endforeach()
add_executable(envelope_cpp ${EXAMPLES}/envelope.cpp)
set_target_properties(envelope chunks columns meter envelope_cpp PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${BIN})
foreach(name envelope chunks columns meter envelope_cpp)
  target_link_libraries(${name} ${TARGET})
endforeach()
LISTS
for target in gpuenv::gpuenv gpuenv::static; do
    rm -f "$work/bin/"*
    cmake -S "$work/project" -B "$work/project/${target##*:}" -DCMAKE_PREFIX_PATH="$work/usr" \
        -DEXAMPLES="$examples" -DBIN="$work/bin" -DTARGET=$target >"$work/log" 2>&1 ||
        fail "find_package, $target: $(tail -20 "$work/log")"
    cmake --build "$work/project/${target##*:}" >>"$work/log" 2>&1 ||
        fail "$target: $(tail -20 "$work/log")"
    check "find_package, $target"
done
echo "$(wc -l <"$work/declared") functions, the header, 5 examples"
