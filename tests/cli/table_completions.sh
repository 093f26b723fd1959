#!/bin/bash
# table_completions.sh GPUENV-FACES SOURCE GPUENV
#
# completions/ is up to date with the tables of options; shells can use the files, and the program accepts what they
# offer.
set -eu

faces=$1
source=$2
program=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

"$source/src/completions/renew.sh" "$faces" "$work"
if ! diff -r "$source/completions" "$work"; then
    echo "completions/ (<) is not what the tables (>) give: cmake --build BUILD --target completions"
    failed=1
fi

# Some shells may be missing.
for shell in bash zsh fish; do
    command -v "$shell" >/dev/null || continue
    for file in "$work"/*."$shell" "$work"/_*; do
        case $shell:$file in
        zsh:*/_* | bash:*.bash | fish:*.fish) "$shell" -n "$file" || failed=1 ;;
        esac
    done
done

complete_last() # FUNCTION WORD...: sets COMPREPLY for the last word of a command line
{
    local function=$1

    shift
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    COMPREPLY=()
    "$function" || true # compopt is for real completions only
}

offers() # FUNCTION EXPECTED WORD...: what bash offers for the last word
{
    local function=$1
    local expected=$2

    shift 2
    complete_last "$function" "$@"
    if [ "${COMPREPLY[*]}" != "$expected" ]; then
        echo "$*: offers ${COMPREPLY[*]}"
        echo "$*: should offer $expected"
        failed=1
    fi
}

# shellcheck disable=SC1091
. "$work/gpuenv.bash"
# shellcheck disable=SC1091
. "$work/gpuenv-bench.bash"
cd "$work"
offers _gpuenv "--align --algorithm" gpuenv --al
offers _gpuenv "--stats --stats-every --stats-format" gpuenv -w 5 --stats
offers _gpuenv "valid causal center forward" gpuenv --align ""
offers _gpuenv "causal center" gpuenv --align c
offers _gpuenv "valid causal center forward" gpuenv --align =
offers _gpuenv "center" gpuenv --align = ce
offers _gpuenv "u8 u16 u24 u32 u64" gpuenv -t u
offers _gpuenv "max,min max,mid" gpuenv --emit max,mi
offers _gpuenv "min max abs range mid none" gpuenv --emit ""
offers _gpuenv "none" gpuenv --emit n
offers _gpuenv "min,max min,abs min,range min,mid" gpuenv --emit min,
offers _gpuenv "min,mid" gpuenv --emit min,mi
offers _gpuenv "" gpuenv --emit none,
offers _gpuenv "" gpuenv -w ""
offers _gpuenv "gpuenv.bash gpuenv.fish" gpuenv -o gpuenv.
offers _gpuenv "gpuenv.bash gpuenv.fish" gpuenv -w 5 gpuenv.
offers _gpuenv_bench "max sum" gpuenv-bench --reduce ""
offers _gpuenv_bench "threads= blocks=" gpuenv-bench --sweep ""
offers _gpuenv_bench "--samples --sweep" gpuenv-bench --s

# The parser of types has words that are not in the table.
for option in -t -T; do
    complete_last _gpuenv gpuenv "$option" ""
    for type in "${COMPREPLY[@]}"; do
        words=$("$program" -w 1 -r 48k "$option" "$type" </dev/null 2>&1 >/dev/null) || true
        case $words in
        *"unknown type"*)
            echo "$option $type is offered: $words"
            failed=1
            ;;
        esac
    done
done

exit "$failed"
