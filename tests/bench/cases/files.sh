#!/bin/bash
# SPDX-License-Identifier: MIT
# CSV and JSON, beside the table and in its place.
gpuenv-bench -s 1000,5000 -w 10,500 -i 2 --only vanherk,cpu --csv all.csv --json all.json >table
head -n 1 all.csv
cut -d , -f 1-5,8,10 all.csv | tail -n +2
awk -F , 'NF != 20 { print "columns: " NF }' all.csv
gpuenv-bench -s 100 -w 10 -i 1 --only cpu --csv - | cut -d , -f 3-5,8
gpuenv-bench -s 100 --reduce max -i 1 --only cpu --sweep threads=1,2,blocks=3 --csv - >sweep.csv
head -n 1 sweep.csv
cut -d , -f 1-3,12-15 sweep.csv | tail -n +2
gpuenv-bench -s 100 -w 10 -i 1 --only cpu --json - >stdout.json
# One that cannot be written keeps none of the others back.
gpuenv-bench -s 100 -w 10 -i 1 --only cpu --csv /dev/full --json rest.json >table 2>said || echo "exit $?"
cat said
if ! command -v python3 >/dev/null; then
    echo "no python3"
    exit 77
fi
python3 - <<'END'
import json
for name in "all.json", "stdout.json", "rest.json":
    account = json.load(open(name))
    print(account["problem"], account["data"], len(account["results"]))
    for result in account["results"]:
        assert result["status"] == "timed", result
        assert result["total_least"] <= result["total"] <= result["total_most"], result
        assert result["bytes"] == 4 * result["samples"] + 8 * (result["samples"] - result["window"] + 1)
        assert result["of_ceiling"] > 0
END
