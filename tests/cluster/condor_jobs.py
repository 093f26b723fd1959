# SPDX-License-Identifier: MIT
"""The command lines of all jobs of a DAG of HTCondor, in an order in which they may run:
condor_jobs.py DAG

The submit files are read by HTCondor's parser; of a DAG this knows the few words that ours has."""

import re
import sys

import htcondor


def read_dag(name):
    files, words, after = {}, {}, {}
    with open(name, encoding="utf-8") as dag:
        for line in dag:
            fields = line.split()
            if not fields or fields[0].startswith("#"):
                continue
            if fields[0] == "JOB":
                files[fields[1]] = fields[2]
            elif fields[0] == "PARENT":
                child = fields.index("CHILD")
                for node in fields[child + 1:]:
                    after.setdefault(node, []).extend(fields[1:child])
            elif fields[0] == "VARS" and fields[1] == "ALL_NODES":
                words.update(re.findall(r'(\w+)="([^"]*)"', line))
            elif fields[0] != "RETRY" or fields[1] not in files:
                sys.exit(f"{name}: what is {line}")
    return files, words, after


def main():
    files, words, after = read_dag(sys.argv[1])
    done = []
    while len(done) < len(files):
        node = next(node for node in files
                    if node not in done and set(after.get(node, [])) <= set(done))
        with open(files[node], encoding="utf-8") as file:
            settings = "".join(f"{word} = {value}\n" for word, value in words.items())
            submit = htcondor.Submit(settings + file.read())
        for job in submit.jobs(clusterid=1):
            print(job["Cmd"], job["Args"])
        done.append(node)


if __name__ == "__main__":
    main()
