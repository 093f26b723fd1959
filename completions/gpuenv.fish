# Completion of gpuenv for fish.

function __gpuenv_list --argument-names alone # and words
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string replace -rf '^(.*,)[^,]*$' '$1')
    set -l given (string split , -- "$before")
    contains -- "$alone" $given; and return
    for word in $argv[2..-1]
        contains -- $word $given; and continue
        test -n "$before" -a "$word" = "$alone"; and continue
        echo "$before$word"
    end
end

complete -c gpuenv -s w -l window -x -d 'How long the window is (512, 10ms)'
complete -c gpuenv -l zoom -x -d 'An overview, a pixel for so many frames (512, 10ms)'
complete -c gpuenv -l align -x -a 'valid causal center forward' -d 'What output frame k covers'
complete -c gpuenv -l edge -x -a 'shrink nan' -d 'What a window cut by an end gives'
complete -c gpuenv -l hop -x -d 'Write every so many output frames'
complete -c gpuenv -l emit -x -a '(__gpuenv_list "none" min max abs range mid none)' -d 'What to write of each window'
complete -c gpuenv -l nan -x -a 'propagate omit error' -d 'What NaN in the input means'
complete -c gpuenv -s t -l type -x -a 'auto f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64 cf32 cf64 cs16 cs8 cu8 wav rf64 w64 au npy aiff caf csv tsv txt flac ogg mp3 sndfile' -d 'Type of the input'
complete -c gpuenv -s c -l channels -x -d 'Interleaved channels'
complete -c gpuenv -s r -l rate -x -d 'Frames a second (48000, 44.1k, 2.4M)'
complete -c gpuenv -l columns -x -d 'The columns of text to read (2,4)'
complete -c gpuenv -s L -l little-endian -d 'The input is little-endian'
complete -c gpuenv -s B -l big-endian -d 'The input is big-endian'
complete -c gpuenv -l counts -d 'Take integers as they are'
complete -c gpuenv -l skip -x -d 'Pass over the first frames'
complete -c gpuenv -l frames -x -d 'Read so many frames at most'
complete -c gpuenv -l shard -x -d 'Only one of several parts of the output (1/4)'
complete -c gpuenv -s o -l output -r -F -d 'Write to a file'
complete -c gpuenv -s T -l output-type -x -a 'f32 f64 f16 s8 u8 s16 u16 s24 u24 s32 u32 s64 u64 wav rf64 w64 au npy aiff caf csv tsv txt dat json svg flac ogg' -d 'Type of the output'
complete -c gpuenv -l size -x -d 'Size of the picture in pixels (1200x600)'
complete -c gpuenv -l title -x -d 'Title of the picture'
complete -c gpuenv -l scale -x -a 'full fit' -d 'Scale of the picture'
complete -c gpuenv -s f -l force -d 'Use a terminal for frames'
complete -c gpuenv -s n -l no-clobber -d 'Leave an output alone that is there already'
complete -c gpuenv -l stats -r -F -d 'Write statistics of the input'
complete -c gpuenv -l stats-every -x -d 'A record for each so many frames'
complete -c gpuenv -l stats-format -x -a 'jsonl tsv csv text' -d 'How statistics are written'
complete -c gpuenv -l out-dir -x -a '(__fish_complete_directories)' -d 'The folder for the outputs of many files'
complete -c gpuenv -l recursive -d 'Take the files in folders'
complete -c gpuenv -l files-from -r -F -d 'Read the names of inputs from a file'
complete -c gpuenv -s 0 -l null -d 'A zero byte ends each name'
complete -c gpuenv -l name -x -d 'How outputs are named ({dir}/{name}.{ext})'
complete -c gpuenv -l jobs -x -d 'How many files are open at once'
complete -c gpuenv -l skip-existing -d 'Pass over inputs whose output is there'
complete -c gpuenv -l fail-fast -d 'Begin no other file after one has failed'
complete -c gpuenv -l overwrite -d 'Replace files among inputs whose names come from a pipe'
complete -c gpuenv -l device -x -a 'auto cpu cuda' -d 'Where to compute'
complete -c gpuenv -l threads -x -d 'The most threads'
complete -c gpuenv -l isa -x -a 'scalar sse4 avx2 avx512 neon' -d 'The best instruction set to use'
complete -c gpuenv -l chunk -x -d 'The most frames at a time'
complete -c gpuenv -l algorithm -x -a 'engine lemire' -d 'How to compute'
complete -c gpuenv -l report -r -F -d 'Write an account of the run as JSON'
complete -c gpuenv -l progress -d 'Show progress'
complete -c gpuenv -l no-progress -d 'Show no progress'
complete -c gpuenv -s v -l verbose -d 'Tell the plan and what became of it'
complete -c gpuenv -s q -l quiet -d 'No messages but errors'
complete -c gpuenv -s h -l help -d 'Print help'
complete -c gpuenv -s V -l version -d 'Print the version'
