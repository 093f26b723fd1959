#!/bin/bash
# -T svg: its options, and what they are refused with.
floats 0 0.5 -1 -0.25 >in.f32
ends() { sed -n 's/.*class="m r".*>\(.*\)<.*/\1/p' | sed -n '1p;$p' | tr '\n' ' ' && echo; }
gpuenv in.f32 -T svg | ends
gpuenv in.f32 -T svg --scale fit | ends
gpuenv in.f32 -T svg --counts | ends
gpuenv in.f32 -T svg --counts --scale full | ends
gpuenv in.f32 -T svg --scale -2:4 | ends
gpuenv in.f32 -T svg --title 'Loud & clear' --size 640x200 | grep -o -e ' viewBox="[^"]*"' -e '<title>.*</title>'
gpuenv in.f32 -o x.svg && grep -c '>in.f32<' x.svg
gpuenv <in.f32 -T svg | grep -c 'class="t"' || true
gpuenv in.f32 -T svg --size 640x480 -c 9 -o y.svg || echo "exit $?"
gpuenv in.f32 -w 2 -T csv --title x || echo "exit $?"
gpuenv in.f32 -w 2 --out-dir there --name '{name}.csv' --scale fit || echo "exit $?"
gpuenv in.f32 --out-dir there --name '{name}.svg' --scale fit && ls there
ls
echo --- tables, with names and times
printf 'time,hPa,rain\n2026-11-20T22:00Z,1013.5,0\n2026-11-20T23:00Z,1012,0.25\n2026-11-21T01:00Z,1011.5,\n' >log.csv
gpuenv log.csv --time time -T svg | sed -n -e '/class="m c"/s/<tspan[^>]*>\(.*\)<.tspan>/ \1/' -e 's/.*class="m c".*>\(.*\)<.*/\1/p' -e 's/<tspan[^>]*>/ /; s/.*<text y=[^>]*>\(.*\)<.tspan.*/\1/p' -e 's/.*>\(time.*\)<.*/\1/p'
gpuenv log.csv --time time --zoom 1h --columns hPa -T svg | sed -n 's/.* \([0-9]*\)[^0-9]*% without a value<.desc>.*/\1/p'
