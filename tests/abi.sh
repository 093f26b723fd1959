#!/bin/bash
# SPDX-License-Identifier: MIT
# What programs that were linked with an earlier or a later libgpuenv.so.0 rely on: abi.sh SOURCE_DIR LIBRARY
#
# tests/abi/gpuenv-VERSION.h are the headers as released, without their comments. Each function is in the node of the
# release that it came with (src/lib/gpuenv.map) and in debian/libgpuenv0.symbols; constants keep their values, and
# members their places; structs only grow at their end; and programs with the header of a release, and with one that is
# still to come, run.
#
# tests/abi.sh renew: writes debian/libgpuenv0.symbols anew; for those who add a function.
# tests/abi.sh release: keeps src/lib/gpuenv.h, with gpuenv_cuda.h, as that of its version.
set -eu -o pipefail
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

if [ $# -eq 2 ]; then
    source_dir=$1
else
    source_dir=$(cd "$(dirname "$0")/.." && pwd)
fi
map=$source_dir/src/lib/gpuenv.map
symbols=$source_dir/debian/libgpuenv0.symbols
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One header: what is for devices at the end of the other.
header=$work/gpuenv.h
end=$(grep -n '^#ifdef __cplusplus$' "$source_dir/src/lib/gpuenv.h" | tail -n 1 | cut -d : -f 1)
{
    head -n $((end - 1)) "$source_dir/src/lib/gpuenv.h"
    sed -n '/^extern "C" {$/,/^#ifdef __cplusplus$/p' "$source_dir/src/lib/gpuenv_cuda.h" | sed '1,2d;$d'
    tail -n "+$end" "$source_dir/src/lib/gpuenv.h"
} >"$header"

# The functions of a header.
functions()
{
    grep -o '^[a-z].*\bgpuenv_[a-z_]*(' "$1" | sed 's/.*\b\(gpuenv_[a-z_]*\)($/\1/' | grep -v -x gpuenv_init | sort
}

# node VERSION: 0.3.0 is GPUENV_0.3, and the first one GPUENV_0.
node()
{
    local name=GPUENV_${1%.*}

    echo "${name/%0.2/0}"
}

# release NODE: the other way round
release()
{
    local version=${1#GPUENV_}

    echo "${version/#%0/0.2}.0"
}

releases()
{
    find "$source_dir/tests/abi" -name 'gpuenv-*.h' | sort -V
}

# Each function in the node of the first release that has it, or in the last node, whose release is still to come: states
# before it have versions behind 0.4.0~.
symbols()
{
    local file version last

    last=$(grep -o '^GPUENV_[0-9.]*' "$map" | tail -n 1)
    printf 'libgpuenv.so.0 libgpuenv0 #MINVER#\n* Build-Depends-Package: libgpuenv-dev\n'
    {
        releases | while read -r file; do
            version=${file##*/gpuenv-}
            functions "$file" | sed "s/\$/ $(node "${version%.h}") ${version%.h}/"
        done
        functions "$header" | sed "s/\$/ $last $(release "$last")~/"
    } | awk '!seen[$1]++ { print " " $1 "@" $2 " " $3; if (!nodes[$2]++) print " " $2 "@" $2 " " $3 }' | LC_ALL=C sort
}

# Declarations alone.
bare()
{
    sed -z -E 's|/\*[^*]*(\*[^/][^*]*)*\*/||g; s/ *\n+/\n/g; s/^\n//' "$1"
}

# A library of a header alone: what abidiff looks at.
stub()
{
    {
        echo "#include \"$1\""
        bare "$1" | sed -z -E 's|\n#[^\n]*||g' | sed -z -E 's/.*extern "C" \{//' |
            grep -z -o -P '(?m)^[a-z][^;{}]*\bgpuenv_[a-z_]+\([^;{}]*\);' | tr -d '\0' | sed 's/);/) { return 0; }\n/g'
    } >"$work/stub.c"
    gcc -w -g -O0 -shared -fPIC "$work/stub.c" -o "$2" -Wl,-soname,libgpuenv.so.0 -Wl,--version-script="$map"
}

# The members of the structs of a header: "gpuenv_error code"
members()
{
    bare "$1" | sed -n -E '/^typedef struct /,/^\}/ {
        s/^typedef struct (\w+) \{$/\1/
        T member
        h
        d
        :member
        s/^ .*\(\*(\w+)\)\(.*;$/\1/
        s/^ .*\b(\w+)(\[[^]]*\])?;$/\1/
        /^\w+$/ { G; s/(.*)\n(.*)/\2 \1/p }
    }'
}

# tell HEADER: runs the statements that it reads.
tell()
{
    {
        printf '#include <stdio.h>\n#include "%s"\nint main(void)\n{\n' "$1"
        cat
        echo '}'
    } >"$work/tell.c"
    gcc "$work/tell.c" -o "$work/tell" && "$work/tell"
}

# The places of the members of a header, as statements.
places()
{
    members "$1" | sed -E 's/(.*) (.*)/printf("\1.\2 %zu\\n", offsetof(\1, \2));/'
}

# constants OLD HEADER: the values of the constants that OLD has, and where the members of its structs are, in HEADER
constants()
{
    {
        grep -o '\bGPUENV_[A-Z0-9_]*' "$1" | sort -u | grep -v -x 'GPUENV_\(H\|INIT\|IS_INT\|VERSION\(_[A-Z]*\)\?\)' |
            sed 's/.*/printf("& %d\\n", (int)&);/'
        places "$1"
    } | tell "$2"
}

# Members that structs have got since OLD, in what was padding at their ends: programs of OLD do not clear it, and its
# libraries do not see that they lack something.
in_padding()
{
    {
        members "$1" | sed -E 's/(.*) .*/printf("\1 %zu\\n", sizeof(\1));/' | uniq | cat - <(places "$1") | tell "$1"
        echo since
        places "$header" | tell "$header"
    } | awk '/^since$/ { since = 1; next }
        !/\./ { size[$1] = $2; next }
        !since { old[$1]; next }
        { split($1, at, "."); if (!($1 in old) && $2 < size[at[1]]) print $1 }'
}

# runs HEADER WORDS...: a program with this header, with the library of today
runs()
{
    gcc -std=c11 -Wall -Wextra -Werror -include "$1" "${@:2}" "$source_dir/tests/abi/user.c" -o "$work/user" "$library" &&
        LD_LIBRARY_PATH=$work "$work/user"
}

compare()
{
    local old=$1

    constants "$old" "$old" >"$work/old.constants"
    constants "$old" "$header" | diff "$work/old.constants" - || fail "constants, or places of members, have changed since ${old##*/}"
    [ -z "$(in_padding "$old")" ] ||
        fail "$(in_padding "$old") begins where ${old##*/} has padding, which programs do not clear: a filler goes before it"
    runs "$old" || fail "a program with ${old##*/}"
    if ! command -v abidiff >/dev/null; then
        echo "NOT LOOKED AT: structs and arguments: no abidiff (Debian: abigail-tools)"
        return
    fi
    stub "$old" "$work/old.so"
    stub "$header" "$work/new.so"
    printf '[suppress_type]\n type_kind = struct\n name_regexp = ^gpuenv_\n has_data_member_inserted_at = end\n' \
        >"$work/growth"
    abidiff --no-added-syms --suppressions "$work/growth" "$work/old.so" "$work/new.so" ||
        fail "what programs rely on has changed since ${old##*/}"
}

case $1 in
renew)
    symbols >"$symbols"
    exit
    ;;
release)
    version=$(sed -n 's/^#define GPUENV_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$header" | paste -s -d .)
    bare "$header" | clang-format --assume-filename="$source_dir/tests/abi/user.c" >"$source_dir/tests/abi/gpuenv-$version.h"
    exit
    ;;
esac
library=$work/libgpuenv.so.0
cp "$2" "$library"
newest=$(releases | tail -n 1)

symbols | diff "$symbols" - || fail "debian/libgpuenv0.symbols is another: run tests/abi.sh renew"
nm -D --defined-only "$library" | awk '$2 == "T" { sub("@@", "@", $3); print $3 }' | LC_ALL=C sort >"$work/shown"
sed -n 's/^ \(gpuenv_.*\) .*/\1/p' "$symbols" | LC_ALL=C sort | diff - "$work/shown" ||
    fail "functions are not in the node of their release: src/lib/gpuenv.map"
last=$(grep -o '^GPUENV_[0-9.]*' "$map" | tail -n 1)
if [ -e "$source_dir/tests/abi/gpuenv-$(release "$last").h" ]; then
    comm -13 <(functions "$newest") <(functions "$header") >"$work/added"
    [ ! -s "$work/added" ] || fail "$last is released: src/lib/gpuenv.map needs a new node for $(paste -s -d ' ' "$work/added")"
fi
while read -r old; do
    compare "$old"
done < <(releases)

# A later header has members that this library does not know.
sed 's/^} gpuenv_\(error\|options\|spec\|array\|record\);$/    uint64_t later;\n&/' "$header" >"$work/gpuenv-later.h"
runs "$work/gpuenv-later.h" -DLATER || fail "a program with a later header"
echo "$(wc -l <"$work/shown") functions, programs of $(releases | wc -l) releases and of a later one"
