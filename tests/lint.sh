#!/bin/bash
# Looks at the sources: lint.sh manual|scripts|format|tidy SOURCE_DIR BUILD_DIR
set -eu

what=$1
source_dir=$2
build_dir=$3
cd "$source_dir"

needs() # COMMAND
{
    if ! command -v "$1" >/dev/null; then
        echo "no $1"
        exit 77
    fi
}

sources()
{
    find src cuda tests -name '*.[ch]' -print0 -o -name '*.cu' -print0 -o -name '*.cuh' -print0 \
        -o -name '*.cpp' -print0
}

case $what in
manual)
    needs mandoc
    for page in man/*; do
        mandoc -T lint -W warning "$page"
    done
    ;;
scripts)
    needs shellcheck
    # Everything that says it is a shell script, whatever its name.
    find .ci completions examples tests -type f -print0 |
        xargs -0 grep -l -E '^#!.*\b(ba|)sh$' |
        xargs -d '\n' shellcheck
    ;;
format)
    needs clang-format
    sources | xargs -0 clang-format --dry-run -Werror
    ;;
tidy)
    needs clang-tidy
    if [ ! -e "$build_dir/compile_commands.json" ]; then
        echo "no compile_commands.json: configure with a preset"
        exit 77
    fi
    # The C files that this build compiles; other machines' kernels are not among them.
    sed -n 's/^ *"file": "\(.*\.c\)",\{0,1\}$/\1/p' "$build_dir/compile_commands.json" | sort -u |
        xargs -d '\n' -n 2 -P "$(nproc)" clang-tidy --quiet -p "$build_dir"
    ;;
esac
