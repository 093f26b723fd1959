# Files that clearly contain no samples are rejected, from a file and from a pipe, with advice. An explicit type, or one
# given by the file name, overrides detection.
refused()
{
    gpuenv -w 1 "$1" >out && echo "taken: $1"
    test ! -s out
    cat "$1" | gpuenv -w 1 >out && echo "taken from a pipe: $1"
    test ! -s out
}
seq 100 >numbers
printf 'x\n%s\n' 1.5 1.6 1.7 1.8 1.9 >columns
printf '{"a": [1, 2, 3]}\n' >json
printf '\037\213\010\0\1\2\3\4\0\3\113\114\4\0' >packed
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >picture
for file in numbers columns json packed picture; do
    refused "$file"
done
gpuenv -w 1 -t f32 numbers | wc -c
gpuenv -w 1 -t u8 <picture | wc -c
for ending in f32 u8 S16; do
    cp numbers "numbers.$ending"
    gpuenv -q -w 1 "numbers.$ending" | wc -c
done
cp packed packed.s8
gpuenv -w 1 packed.s8 | wc -c

# A slow stream is not delayed, and no bytes are read that belong to the next program.
mkfifo held
exec 3<>held
printf 'ABCD' >&3
exec 4< <(gpuenv -w 1 --emit max <held 3>&-)
IFS= read -r -t 30 -N 4 first <&4 || true
echo "$first"
printf 'EFGH' >&3
exec 3>&-
cat <&4
echo
{ printf '0 1 2 3 4 5 6 7 8 9 a b c d'; } | { gpuenv -w 1 --emit max --frames 1; echo; cat; echo; }

# The type given by the name, also for output.
printf '\0\0\200\77\0\0\0\77' >in.f32
for ending in s16 f64be f32 raw u8; do
    gpuenv -w 1 --emit max -q -o "out.$ending" in.f32
    wc -c <"out.$ending"
done
gpuenv -w 1 -o out.cu8 in.f32 || echo $?
gpuenv -w 1 -t S61_LE in.f32 || echo $?
gpuenv -w 1 -T wva in.f32 || echo $?
gpuenv -w 1 --align centre -t FLOAT_LE in.f32 | wc -c
