#!/bin/sh
# The laboratory's generator beside wrk, each alone on the machine's last core, in turns, at the least call there is: do they tell the
# same? Needs wrk and a server that does nothing else. Prints the medians of the rounds.
#
#   scripts/lab-generator.sh OCTAVO URL [ROUNDS [SECONDS]]     OCTAVO is the program, built for release
set -eu

octavo=$1
url=$2
rounds=${3:-6}
seconds=${4:-2}
core=$(($(nproc) - 1))
out=$(mktemp -d "${TMPDIR:-/tmp}/octavo-generator-XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

command -v wrk >/dev/null || { echo "wrk is not installed" >&2; exit 1; }

# Each writes a line: requests a second, and the 50th percentile in microseconds. Averages can't be laid side by side: wrk adds times
# that it thinks it has missed.
ours() {
    rm -rf "$out/report"
    taskset -c "$core" "$octavo" lab run generator --test "$1 user" --seconds "$seconds" --url "$url" --tenant "" --out "$out/report" \
        >"$out/log" 2>&1 || { cat "$out/log" >&2; exit 1; }
    # A test's name has no comma.
    awk -F, '$3 == "call" { print $14, $8 * 1000 }' "$out"/report/*.csv
}
theirs() {
    taskset -c "$core" wrk --threads 1 --connections "$1" --duration "${seconds}s" --latency "$url/_/version" >"$out/log"
    awk '$1 == "50%" { half = $2 * ($2 ~ /us$/ ? 1 : $2 ~ /ms$/ ? 1000 : 1000000) }
         $1 == "Requests/sec:" { print $2, half }' "$out/log"
}
median() {
    sort -n | awk '{ value[NR] = $1 } END { print (value[int((NR + 1) / 2)] + value[int((NR + 2) / 2)]) / 2 }'
}

printf '%s\n' "| users | requests/s, octavo lab | wrk | ratio | 50th percentile, octavo lab | wrk | ratio |" "|---|---|---|---|---|---|---|"
for users in 1 16; do
    rm -f "$out/ours" "$out/theirs"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        # Each is first in every other round.
        if [ $((round % 2)) -eq 0 ]; then
            ours "$users" >>"$out/ours"; theirs "$users" >>"$out/theirs"
        else
            theirs "$users" >>"$out/theirs"; ours "$users" >>"$out/ours"
        fi
        round=$((round + 1))
    done
    for column in 1 2; do
        for who in ours theirs; do
            awk -v c="$column" '{ print $c }' "$out/$who" | median
        done
        paste -d ' ' "$out/ours" "$out/theirs" | awk -v c="$column" '{ print $c / $(c + 2) }' | median
    done | paste -d ' ' - - - - - - | awk -v users="$users" \
        '{ printf "| %d | %.0f | %.0f | %.3f | %.1f µs | %.1f µs | %.3f |\n", users, $1, $2, $3, $4, $5, $6 }'
done
