# Completion of gpuenv for bash.
# shellcheck shell=bash

# The values of an option: words, a list with commas, or files.
_gpuenv_values()
{
    local current=$2
    local types="f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32"
    local containers="wav rf64 w64 au npy aiff caf flac ogg"
    local words=
    local rest

    case $1 in
    --align) words="valid causal center" ;;
    --edge) words="shrink nan" ;;
    --nan) words="propagate omit error" ;;
    --device) words="auto cpu cuda" ;;
    --isa) words="scalar sse4 avx2 avx512 neon" ;;
    --algorithm) words="engine lemire" ;;
    --stats-format) words="jsonl tsv" ;;
    -t | --type) words="auto $types cf32 cs16 cs8 cu8 $containers mp3 sndfile" ;;
    -T | --output-type) words="$types $containers" ;;
    --emit)
        rest=${current##*,}
        mapfile -t COMPREPLY < <(compgen -P "${current%"$rest"}" \
            -W "min max abs range mid none" -- "$rest")
        compopt -o nospace 2>/dev/null
        return 0
        ;;
    -o | --output | --report | --stats)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
        return 0
        ;;
    -w | --window | --hop | --skip | --frames | -c | --channels | -r | --rate | \
        --threads | --chunk | --stats-every)
        # Numbers: there is nothing to offer.
        return 0
        ;;
    *)
        return 1
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

_gpuenv()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options="--window --align --edge --hop --emit --nan --type --channels --rate
        --little-endian --big-endian --counts --skip --frames --output --output-type --force
        --stats --stats-every --stats-format
        --device --threads --isa --chunk --algorithm --report --progress --no-progress
        --verbose --quiet --help --version"

    COMPREPLY=()
    # bash takes --align=valid for three words.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" && $COMP_CWORD -gt 1 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if _gpuenv_values "$previous" "$current"; then
        return
    fi
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}

complete -F _gpuenv gpuenv
