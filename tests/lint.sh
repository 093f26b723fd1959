#!/bin/bash
# SPDX-License-Identifier: MIT
# Looks at the sources: lint.sh manual|scripts|format|tidy|deep SOURCE_DIR BUILD_DIR
set -eu
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"
# What stands last in a pipe runs in this shell, and can tell of a failure.
shopt -s lastpipe

what=$1
source_dir=$2
build_dir=$3
failed=0
cd "$source_dir"

sources()
{
    find src cuda python tests -name '*.[ch]' -print0 -o -name '*.cu' -print0 -o -name '*.cuh' -print0 \
        -o -name '*.cpp' -print0
}

# The C files that this build compiles, other machines' kernels not among them, and the C++ of src/format/text.
compiled()
{
    sed -n 's/^ *"file": "\(.*\.c\|.*\/text\/.*\.cpp\)",\{0,1\}$/\1/p' "$build_dir/compile_commands.json" | sort -u
}

tidy() # [OPTION...] <FILES
{
    tests/tidied.py "$build_dir" "$@" || failed=1
}

# groff, which most Linux systems render with, takes other words for macros than mandoc does, and
# loses text with no more than a warning. So it must say nothing, and the page that it renders must
# have every section and every reference.
check_rendered() # PAGE
{
    local page=$1
    local said text kind words pattern

    said=$(groff -mdoc -T utf8 -ww -z "$page" 2>&1) || true
    if [ -n "$said" ]; then
        printf 'groff on %s:\n%s\n' "$page" "$said"
        failed=1
    fi
    # On lines this long no title is broken.
    text=$(groff -mdoc -T ascii -r LL=500n -P -bcou "$page" 2>/dev/null) || true
    while read -r kind words; do
        case $kind in
        .S?) pattern="^ {0,3}$words\$" ;;
        *) pattern="(^|[^[:alnum:]])$words([^[:alnum:]]|\$)" ;;
        esac
        if ! grep -q -E -e "$pattern" <<<"$text"; then
            echo "$page, rendered by groff, lacks $kind $words"
            failed=1
        fi
    done < <(grep -E '^\.(Sh|Ss|%[A-Z]) ' "$page" | sed 's/\\&//g')
}

case $what in
manual)
    need mandoc groff
    for page in man/*; do
        mandoc -T lint -W warning "$page"
        check_rendered "$page"
    done
    ;;
scripts)
    need shellcheck
    # Everything that says it is a shell script, whatever its name.
    find .ci debian examples packaging tests -type f -print0 |
        xargs -0 grep -l -E '^#!.*\b(ba|)sh$' |
        xargs -d '\n' shellcheck
    ;;
format)
    need clang-format
    sources | xargs -0 clang-format --dry-run -Werror
    ;;
tidy | deep)
    need clang-tidy
    if [ ! -e "$build_dir/compile_commands.json" ]; then
        echo "no compile_commands.json: configure with a preset"
        exit 77
    fi
    # The analyzer walks the ways through a function until it has seen so many places, 225,000 by default. That takes
    # most of the time of clang-tidy, so a change waits for a part of it. The longest ways are those of tests, which are
    # run anyway. The C++ file gets all of it: with a part, the analyzer sees faults there that are none.
    ways=()
    if [ "$what" = tidy ]; then
        for word in -Xclang -analyzer-config -Xclang max-nodes=10000; do
            ways+=("--extra-arg=$word")
        done
        # Kernels are made of the same templates: each kind of values once, and each instruction set.
        alike='kernels_(sse|avx)[0-9]*_(i|f16|f64)'
        compiled | grep "^$source_dir/tests/" | tidy '--checks=-clang-analyzer-*'
    fi
    compiled | grep -v -E "^$source_dir/tests/${alike+|$alike}" | grep '\.c$' | tidy "${ways[@]}"
    compiled | grep '\.cpp$' | tidy
    ;;
esac
exit "$failed"
