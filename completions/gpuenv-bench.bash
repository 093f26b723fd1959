# Completion of gpuenv-bench for bash.
# shellcheck shell=bash

# The values of an option: words, names with commas, or files.
_gpuenv_bench_values()
{
    local current=$2
    local words=
    local rest

    case $1 in
    --reduce) words="max sum" ;;
    --data) words="random positive sorted falling constant zero ties subnormal" ;;
    --sweep) words="threads= blocks=" ;;
    --only)
        rest=${current##*,}
        mapfile -t COMPREPLY < <(compgen -P "${current%"$rest"}" \
            -W "$(_gpuenv_bench_names)" -- "$rest")
        compopt -o nospace 2>/dev/null
        return 0
        ;;
    --csv | --json | --plot)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return 0
        ;;
    -s | --samples | -w | --window | -i | --iterations | --device)
        # Numbers: there is nothing to offer.
        return 0
        ;;
    *)
        return 1
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

# The flavours of all problems that the program on the command line has.
_gpuenv_bench_names()
{
    {
        "${COMP_WORDS[0]}" --list
        "${COMP_WORDS[0]}" --list --reduce max
        "${COMP_WORDS[0]}" --list --reduce sum
    } 2>/dev/null | cut -d ' ' -f 1
}

_gpuenv_bench()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options="--samples --window --iterations --reduce --data --only --list --sweep --device
        --csv --json --plot --verbose --help --version"

    COMPREPLY=()
    # bash takes --reduce=max for three words.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" && $COMP_CWORD -gt 1 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if _gpuenv_bench_values "$previous" "$current"; then
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
}

complete -F _gpuenv_bench gpuenv-bench
