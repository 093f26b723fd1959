#!/bin/bash
# SPDX-License-Identifier: MIT
# Is the installed program hardened? hardened.sh CMAKE BUILD_DIR BUILD_TYPE SOURCE_DIR
#
# What the platform lacks is said, and does not count.
set -eu

cmake=$1
build_dir=$2
build_type=$3

# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
need readelf objdump
case $build_type in
Release | RelWithDebInfo | MinSizeRel) ;;
*)
    echo "a build of type $build_type is not optimised"
    exit 77
    ;;
esac
if ! grep -q '^GPUENV_HARDEN:BOOL=ON' "$build_dir/CMakeCache.txt"; then
    echo "built with GPUENV_HARDEN=OFF"
    exit 77
fi
# shellcheck source=tests/installed.sh
. "$4/tests/installed.sh"
installed "$cmake" "$build_dir"
failed=0

# expect WHAT: standard input has it
expect()
{
    if grep -q -E -e "$2"; then
        echo "$program: $1"
    else
        echo "$program: NOT $1"
        failed=1
    fi
}

# The compiler was asked for it, and could.
built_with()
{
    grep -q "^$1:INTERNAL=1" "$build_dir/CMakeCache.txt"
}

for program in gpuenv gpuenv-bench; do
    file=$prefix/bin/$program
    readelf -W -h "$file" | expect 'position independent' 'Type:.* DYN'
    readelf -W -l "$file" | expect 'relocations read-only' 'GNU_RELRO'
    readelf -W -d "$file" | expect 'symbols bound at the start' 'BIND_NOW|FLAGS_1.* NOW'
    readelf -W -l "$file" | expect 'stack not executable' 'GNU_STACK.* RW '
    readelf -W --dyn-syms "$file" | expect 'stack protected' '__stack_chk_(fail|guard)'
    if ldd --version 2>&1 | grep -q -i -e glibc -e 'gnu libc'; then
        readelf -W --dyn-syms "$file" | expect 'calls checked' '__[a-z]*printf_chk|__memcpy_chk'
    else
        echo "$program: this C library checks no calls: not looked at"
    fi
    if ! built_with GPUENV_fcf_protection_full; then
        echo "$program: no CET on this processor or with this compiler: not looked at"
    else
        objdump -d --no-show-raw-insn "$file" | sed -n '/<main>:/{n;p;q}' |
            expect 'functions marked for CET' 'endbr64'
        # The mark of the whole program needs start files that have it, too.
        readelf -W -n "$file" | grep -q 'IBT, SHSTK' ||
            echo "$program: the C library's start files are not marked: CET stays off as a whole"
    fi
done
exit "$failed"
