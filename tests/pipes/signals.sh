#!/bin/bash
# Signals that do not end the program: signals.sh PROGRAM
#
# SIGUSR1 prints a progress line, and may be ignored at the start; after SIGSTOP and SIGCONT the stream continues.
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Half a minute at most; the checks after it report a failure.
wait_until() # COMMAND...
{
    for _ in $(seq 1 3000); do
        ! "$@" || return 0
        sleep 0.01
    done
}

has_bytes() # FILE COUNT
{
    [ "$(stat -c %s "$1")" -ge "$2" ]
}

has_lines() # FILE COUNT
{
    [ "$(wc -l <"$1")" -ge "$2" ]
}

mkfifo "$work/in"
"$program" -w 3 -t f32 "$work/in" >"$work/out" 2>"$work/words" &
pid=$!
exec 3>"$work/in"
printf 'aaaabbbbccccdddd' >&3

# Two windows of eight bytes are out when the signals are handled.
wait_until has_bytes "$work/out" 16
kill -s USR1 "$pid"
wait_until has_lines "$work/words" 1
lines=$(wc -l <"$work/words")
cat "$work/words"
if [ "$lines" -ne 1 ] || ! grep -q '^gpuenv: .*[0-9]' "$work/words"; then
    echo "one line of progress was due"
    exit 1
fi
kill -s USR1 "$pid"
wait_until has_lines "$work/words" 2
if [ "$(wc -l <"$work/words")" -ne 2 ]; then
    echo "a second line of progress was due"
    exit 1
fi

kill -s STOP "$pid"
printf 'eeee' >&3
sleep 0.2
kill -s CONT "$pid"
printf 'ffff' >&3
exec 3>&-
wait "$pid"
printf 'aaaabbbbccccddddeeeeffff' | "$program" -w 3 | cmp - "$work/out"

# At full speed, stopped again and again, with signals all the while. The first bytes must be its own.
: >"$work/out"
head -c 100000000 /dev/zero | "$program" -w 1000 2>"$work/words" >"$work/out" &
pid=$!
# It must have started before the first SIGUSR1, which would end a program that does not handle it.
wait_until has_bytes "$work/out" 1
for _ in 1 2 3 4 5; do
    kill -s USR1 "$pid" 2>/dev/null || break
    kill -s STOP "$pid" 2>/dev/null || break
    sleep 0.02
    kill -s CONT "$pid" 2>/dev/null || break
done
wait "$pid"
[ "$(stat -c %s "$work/out")" -eq $(((25000000 - 999) * 8)) ]

# If it is ignored from the start it cannot come too early, and is answered as soon as the handler is installed.
rm "$work/words"
trap '' USR1
"$program" -w 3 -t f32 "$work/in" >"$work/out" 2>"$work/words" &
pid=$!
trap - USR1
kill -s USR1 "$pid"
exec 3>"$work/in"
printf 'aaaabbbbcccc' >&3
wait_until has_bytes "$work/out" 8
: >"$work/words"
kill -s USR1 "$pid"
wait_until has_lines "$work/words" 1
exec 3>&-
wait "$pid"
