#!/bin/bash
# What the tests that failed in the last run of ctest had to say, each with its last lines: failures.sh BUILD_DIR
set -eu

lines=150 # of each
logs=$1/Testing/Temporary
[ -s "$logs/LastTestsFailed.log" ] || exit 0

# A test in LastTest.log is "2/9 Test: NAME", "Output:" and a rule, what it said, "<end of output>".
awk -v lines=$lines '
    FNR == NR {
        sub(/^[0-9]+:/, "")
        failed[$0] = 1
        next
    }
    /^[0-9]+\/[0-9]+ Test: / && !inside {
        name = $0
        sub(/^[0-9]+\/[0-9]+ Test: /, "", name)
        next
    }
    /^Output:$/ && !inside && (name in failed) {
        inside = 1
        count = -1 # the rule
        next
    }
    inside && /^<end of output>$/ {
        printf "\n---- %s has failed, and said:\n", name
        if (count > lines)
            printf "(%d lines before these)\n", count - lines
        for (i = count > lines ? count - lines : 0; i < count; i++)
            print line[i % lines]
        inside = 0
        delete failed[name]
        next
    }
    inside {
        if (count >= 0)
            line[count % lines] = $0
        count++
    }
    END {
        for (name in failed)
            printf "\n---- %s has failed, and said nothing\n", name
    }' "$logs/LastTestsFailed.log" "$logs/LastTest.log"
