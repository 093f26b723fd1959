#!/bin/bash
# SPDX-License-Identifier: MIT
# Numbers with something between their thousands, and the delimiter that a first line says.
read_csv() { gpuenv -t csv -w 1 --emit max --no-frame -T csv "$@"; }
printf 'a;b\n1,352;2\n-12,345,678.25;+1,000\n999;1,000e3\n' | read_csv --thousands ,
printf 'a,b\n"1,352",2\n"12,345",NA\n3,4\n' | read_csv --thousands ,
printf "a;b\n1.352,5;2\n1'000;3\n" | read_csv --thousands . --decimal , --bad-lines skip
printf "a;b\n1'352.5;2\n" | read_csv --thousands "'"
printf 'a;b\n1 352;2\n12 345,5;2\n' | read_csv --thousands blank --decimal ,
printf 'a;b\n1,000;2\n-999;3\n' | read_csv --thousands , --missing -999
echo --- a first line of Excel
printf 'sep=;\r\na;b,c\r\n1;2\r\n3;4\r\n' | read_csv
printf '\357\273\277SEP=|\na|b\n1|2\n' | read_csv
printf 'sep=\t\na\tb\n1\t2\n' | read_csv
printf 'sep=;\na,b\n1,2\n' | read_csv --delimiter ,
printf 'sep=;\na;b\n1;2\n' | read_csv --skip-lines 1
printf 'sep=;' | read_csv
printf 'sep=,\nsep=;\n1\n2\n' | read_csv
