#!/bin/bash
# Numbers in columns, read and written, and errors.
printf 'minute,hPa\n0,1013.25\n1,1012.5\n# a remark\n2,\n3,1014\n' >log.csv
gpuenv -w 2 --columns hPa log.csv -o out.csv && cat out.csv
gpuenv --zoom 2 -r 10 -T tsv log.csv
gpuenv -w 1 --hop 2 --skip 1 --emit abs,mid --columns 2,1 log.csv -T txt
echo --- by the ending, any case, and from a pipe
cp log.csv LOG.CSV && gpuenv -w 4 --nan omit LOG.CSV -T csv
gpuenv -t csv -w 4 --nan omit -T csv:f32 <log.csv
echo --- nothing
gpuenv -t txt -w 1 -T csv </dev/null
echo --- many columns
seq -s , 65536 | gpuenv -w 1 -t csv --columns 65536 -T f32 | od -An -t f4 | tr -s ' '
# Many names, in another order: each is found at once.
/usr/bin/python3 - >wide.csv <<'END'
print(",".join(f"c{i:05}" for i in range(15000)), ",".join(str(i) for i in range(15000)), sep="\n")
END
(
    ulimit -t 2
    gpuenv -w 1 --emit max -T csv --no-frame --columns "$(head -1 wide.csv | tr , '\n' | tac | paste -sd,)" wide.csv |
        tail -1 | cut -d, -f1-3,15000
)
