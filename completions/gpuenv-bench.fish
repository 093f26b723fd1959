# Completion of gpuenv-bench for fish.

function __gpuenv_bench_list
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -rf '^(.*,)[^,]*$' '$1')
    set -l given (string split , -- "$before")
    for word in $argv
        contains -- $word $given; or echo "$before$word"
    end
end

function __gpuenv_bench_only
    begin
        gpuenv-bench --list
        gpuenv-bench --list --reduce max
        gpuenv-bench --list --reduce sum
    end 2>/dev/null | string replace -r ' .*' ''
end

complete -c gpuenv-bench -f
complete -c gpuenv-bench -s s -l samples -x -d 'Number of samples (1e6,1e7 1000..1e6*10)'
complete -c gpuenv-bench -s w -l window -x -d 'The lengths of the window (100,512 100..500+100)'
complete -c gpuenv-bench -l reduce -x -a 'max sum' -d 'Compare reductions instead of windows'
complete -c gpuenv-bench -l type -x -a 'f32 f64' -d 'The type of the samples'
complete -c gpuenv-bench -l data -x -a 'random positive sorted falling constant zero ties subnormal' -d 'Values of the samples'
complete -c gpuenv-bench -l only -x -a '(__gpuenv_bench_list (__gpuenv_bench_only))' -d 'Run only these flavours'
complete -c gpuenv-bench -l list -d 'List the flavours'
complete -c gpuenv-bench -s i -l iterations -x -d 'Timed runs of each flavour'
complete -c gpuenv-bench -l sweep -x -a 'threads= blocks=' -d 'Every pair of threads and blocks (threads=32..1024,blocks=4,16)'
complete -c gpuenv-bench -l device -x -d 'The number of the CUDA device'
complete -c gpuenv-bench -l csv -r -F -d 'Write comma-separated values'
complete -c gpuenv-bench -l json -r -F -d 'Write JSON'
complete -c gpuenv-bench -l plot -r -F -d 'Draw a picture'
complete -c gpuenv-bench -s v -l verbose -d 'Report each step'
complete -c gpuenv-bench -s h -l help -d 'Print help'
complete -c gpuenv-bench -s V -l version -d 'Print the version'
