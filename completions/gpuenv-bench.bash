# Completion of gpuenv-bench for bash.
# shellcheck shell=bash

_gpuenv_bench_words() # WORDS CURRENT
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    # A value follows the sign in the same word.
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

_gpuenv_bench_list() # WORDS CURRENT: words with commas between them, each once
{
    local rest=${2##*,} word words=
    local before=${2%"$rest"}

    for word in $1; do
        [[ ,$before == *,"$word",* ]] || words+=" $word"
    done
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$rest")
    compopt -o nospace 2>/dev/null
}

_gpuenv_bench_files() # CURRENT
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_gpuenv_bench_only()
{
    {
        "${COMP_WORDS[0]}" --list
        "${COMP_WORDS[0]}" --list --reduce max
        "${COMP_WORDS[0]}" --list --reduce sum
    } 2>/dev/null | cut -d ' ' -f 1
}

_gpuenv_bench_values() # OPTION CURRENT: false where the option takes no value
{
    case $1 in
    -s | --samples) ;;
    -w | --window) ;;
    --reduce) _gpuenv_bench_words "max sum" "$2" ;;
    --type) _gpuenv_bench_words "f32 f64" "$2" ;;
    --data) _gpuenv_bench_words "random positive sorted falling constant zero ties subnormal" "$2" ;;
    --only) _gpuenv_bench_list "$(_gpuenv_bench_only)" "$2" ;;
    -i | --iterations) ;;
    --sweep) _gpuenv_bench_words "threads= blocks=" "$2" ;;
    --device) ;;
    --csv) _gpuenv_bench_files "$2" ;;
    --json) _gpuenv_bench_files "$2" ;;
    --plot) _gpuenv_bench_files "$2" ;;
    *) return 1 ;;
    esac
    return 0
}

_gpuenv_bench()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options="--samples --window --reduce --type --data --only --list --iterations --sweep
        --device --csv --json --plot --verbose --help --version"

    COMPREPLY=()
    # bash takes --name=value for three words.
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
