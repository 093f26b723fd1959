# Completion of gpuenv for bash.
# shellcheck shell=bash

_gpuenv_words() # WORDS CURRENT
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_gpuenv_list() # WORDS CURRENT [ALONE]: words with commas between them, each once
{
    local rest=${2##*,} word words=
    local before=${2%"$rest"}

    for word in $1; do
        case ,$before in
        *,"$word",* | *,"${3:-,}",*) ;;
        *) [[ -n $before && $word == "${3-}" ]] || words+=" $word" ;;
        esac
    done
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$rest")
    compopt -o nospace 2>/dev/null
}

_gpuenv_files() # CURRENT
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_gpuenv_directories() # CURRENT
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

_gpuenv_values() # OPTION CURRENT: false where the option takes no value
{
    case $1 in
    -w | --window) ;;
    --zoom) ;;
    --align) _gpuenv_words "valid causal center forward" "$2" ;;
    --edge) _gpuenv_words "shrink nan" "$2" ;;
    --hop) ;;
    --emit) _gpuenv_list "min max abs range mid none" "$2" none ;;
    --nan) _gpuenv_words "propagate omit error" "$2" ;;
    -t | --type) _gpuenv_words "auto f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64 cf32 cf64 cs16 cs8 cu8 wav rf64 w64 au npy aiff caf csv tsv txt flac ogg mp3 sndfile sigmf" "$2" ;;
    -c | --channels) ;;
    -r | --rate) ;;
    --pick) ;;
    --skip) ;;
    --frames) ;;
    --shard) ;;
    --delimiter) ;;
    --decimal) ;;
    --columns) ;;
    --header) ;;
    --skip-lines) ;;
    --missing) ;;
    --bad-lines) _gpuenv_words "error nan skip" "$2" ;;
    --time) ;;
    --time-unit) _gpuenv_words "s ms us ns" "$2" ;;
    --time-format) ;;
    --gaps) _gpuenv_words "nan skip" "$2" ;;
    -o | --output) _gpuenv_files "$2" ;;
    -T | --output-type) _gpuenv_words "f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64 wav rf64 w64 au npy aiff caf csv tsv txt dat json svg spans flac ogg" "$2" ;;
    --size) ;;
    --title) ;;
    --scale) _gpuenv_words "full fit" "$2" ;;
    --level) ;;
    --join) ;;
    --stats) _gpuenv_files "$2" ;;
    --stats-every) ;;
    --stats-format) _gpuenv_words "jsonl tsv csv text" "$2" ;;
    --out-dir) _gpuenv_directories "$2" ;;
    --files-from) _gpuenv_files "$2" ;;
    --name) ;;
    --jobs) ;;
    --device) _gpuenv_words "auto cpu cuda" "$2" ;;
    --threads) ;;
    --isa) _gpuenv_words "scalar sse4 avx2 avx512 neon" "$2" ;;
    --chunk) ;;
    --algorithm) _gpuenv_words "engine lemire" "$2" ;;
    --report) _gpuenv_files "$2" ;;
    *) return 1 ;;
    esac
    return 0
}

_gpuenv()
{
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}
    local options="--window --zoom --align --edge --hop --emit --overall --nan --type --channels --rate
        --pick --mix --little-endian --big-endian --counts --skip --frames --shard
        --delimiter --decimal --columns --header --skip-lines --missing --bad-lines --time
        --time-unit --time-format --gaps --output --output-type --size --title --scale
        --level --join --no-frame --force --no-clobber --stats --stats-every --stats-format
        --out-dir --recursive --files-from --null --name --jobs --skip-existing --fail-fast
        --overwrite --device --threads --isa --chunk --algorithm --report --progress
        --no-progress --verbose --quiet --help --version"

    COMPREPLY=()
    # bash takes --name=value for three words.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" && $COMP_CWORD -gt 1 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if _gpuenv_values "$previous" "$current"; then
        return
    fi
    if [[ $current != -* ]]; then
        _gpuenv_files "$current"
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
}

complete -F _gpuenv gpuenv
