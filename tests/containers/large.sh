#!/bin/bash
# Files beyond 4 GiB, sparse: large.sh PROGRAM
#
# As files and in pipes: all frames are read, and the last one is right. Then one is written.
#
# cat is used because the tests are about pipes:
# shellcheck disable=SC2002
set -eu

program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

complain()
{
    echo "FAILED: $*"
    failed=1
}

little() # NUMBER BYTES
{
    local number=$1 count=$2
    while [ "$count" -gt 0 ]; do
        # The number becomes printf escapes.
        # shellcheck disable=SC2059
        printf "\\x$(printf %02x $((number & 255)))"
        number=$((number >> 8))
        count=$((count - 1))
    done
}

# Doubles: fewest frames for 4.5 GB. The last one is 1.
frames=560000001
bytes=$((frames * 8))
format() # PCM in the sense of fmt: 64 bits, float
{
    little 3 2
    little 1 2
    little 8000 4
    little 64000 4
    little 8 2
    little 64 2
}

tail='f3acd3118cd100c04f8edb8a'
guid() # NAME
{
    printf %s "$1"
    printf %s "$tail" | sed 's/../\\x&/g' | xargs -0 printf %b
}

{
    printf RF64
    little 0xffffffff 4
    printf WAVEds64
    little 28 4
    little $((bytes + 72)) 8
    little "$bytes" 8
    little "$frames" 8
    little 0 4
    printf 'fmt '
    little 16 4
    format
    printf data
    little 0xffffffff 4
} >x.rf64
{
    printf 'riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0'
    little $((bytes + 104)) 8
    guid wave
    guid 'fmt '
    little 40 8
    format
    guid data
    little $((bytes + 24)) 8
} >x.w64
for size in 0x7ffff000 0xffffffff 0; do
    {
        printf RIFF
        if [ "$size" = 0x7ffff000 ]; then little 0x7ffff024 4; else little $size 4; fi
        printf 'WAVEfmt '
        little 16 4
        format
        printf data
        little $size 4
    } >"x$size.wav"
done
printf '\0\0\0\0\0\0\360\77' >one

for file in x.rf64 x.w64 x0x7ffff000.wav x0xffffffff.wav x0.wav; do
    truncate -s +$((bytes - 8)) "$file"
    cat one >>"$file"
    for way in file pipe; do
        # In a pipe, one of the three sizes that mean "until the end".
        case $way$file in pipex0x7ffff000.wav | pipex0.wav) continue ;; esac
        if [ $way = file ]; then
            "$program" -w 2 --hop 1000 --emit max --align causal "$file" >out
        else
            cat "$file" | "$program" -w 2 --hop 1000 --emit max --align causal >out
        fi
        came=$(($(wc -c <out) / 4))
        printf '%-16s %s: %d frames due, %d to %d came\n' "$file" $way "$frames" \
            $(((came - 1) * 1000 + 1)) $((came * 1000))
        [ "$came" -eq $(((frames + 999) / 1000)) ] || complain "$file, $way"
        [ "$(tail -c 4 out | od -An -t f4 | xargs)" = 1 ] || complain "$file, $way: the last frame"
    done
    "$program" -w 1 --emit max --skip $((frames - 2)) "$file" | od -An -t f4 | xargs >last
    [ "$(cat last)" = "0 1" ] || complain "$file --skip: $(cat last)"
done
rm -f x*

# 4.3 GB are written to a name that ends in .wav, and to a pipe.
if [ "$(df --output=avail -k . | tail -1)" -lt 6000000 ]; then
    echo "less than 6 GB free: nothing this large was written"
    exit 77
fi
truncate -s 537000000 zeros
printf '\1' >>zeros
"$program" -t s8 -r 8000 -w 1 zeros -o big.wav
[ "$(head -c 4 big.wav)" = RF64 ] || complain "a WAV of more than 4 GiB is no RF64"
[ "$("$program" -w 1 --emit max -c 2 --skip 537000000 big.wav | od -An -t f4 | xargs)" = \
    "0.0078125 0.0078125" ] || complain "its last frame"
if command -v ffmpeg >/dev/null; then
    got=$(ffmpeg -v error -ss 67124.9999 -i big.wav -f f32le - | tail -c 8 | od -An -t f4 | xargs)
    [ "$got" = "0.0078125 0.0078125" ] || complain "its last frame, by ffmpeg: $got"
fi
"$program" -t s8 -r 8000 -w 1 zeros -T wav 2>/dev/null | head -c 4 >start || true
[ "$(cat start)" = RF64 ] || complain "in a pipe, of known length"
exit "$failed"
