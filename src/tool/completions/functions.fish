# What the completions of both programs for fish call.

function __gpuenv_list # words with commas between them, each once; none stands alone
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -rf '^(.*,)[^,]*$' '$1')
    set -l given (string split , -- "$before")
    contains -- none $given; and return
    for word in $argv
        contains -- $word $given; and continue
        test -n "$before" -a "$word" = none; and continue
        echo "$before$word"
    end
end
