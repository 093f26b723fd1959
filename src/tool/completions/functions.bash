# What the completions of both programs for bash call.
# shellcheck shell=bash

_gpuenv_words() # WORD CHOICE...
{
    mapfile -t COMPREPLY < <(compgen -W "${*:2}" -- "$1")
    # The value goes on after the sign.
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
}

_gpuenv_list() # WORD CHOICE...: choices with commas between them, each once; none stands alone
{
    local rest=${1##*,} choice choices=
    local before=${1%"$rest"}

    for choice in "${@:2}"; do
        case ,$before in
        *,"$choice",* | *,none,*) ;;
        *) [[ -n $before && $choice == none ]] || choices+=" $choice" ;;
        esac
    done
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$choices" -- "$rest")
    compopt -o nospace 2>/dev/null
}

_gpuenv_files() # WORD -f|-d
{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$2" -- "$1")
}

_gpuenv_complete() # VALUES FILES OPTION...: its function for values; FILES: where it takes operands
{
    local current=${COMP_WORDS[COMP_CWORD]}
    local previous=${COMP_WORDS[COMP_CWORD - 1]}

    COMPREPLY=()
    # bash takes --name=value for three words.
    if [[ $current == "=" ]]; then
        current=
    elif [[ $previous == "=" && $COMP_CWORD -gt 1 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if "$1" "$previous" "$current"; then
        return
    fi
    if [[ -n $2 && $current != -* ]]; then
        _gpuenv_files "$current" -f
        return
    fi
    mapfile -t COMPREPLY < <(compgen -W "${*:3}" -- "$current")
}
