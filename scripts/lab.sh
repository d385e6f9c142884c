#!/bin/sh
# The founding reports for Octavo, with short durations, in about half an hour: makes a synthetic library in a folder of its
# own, serves it, runs every experiment that repeats a report, and stops what it started. Reports go to lab-reports.
#
#   scripts/lab.sh OCTAVO [INSTANCES]     OCTAVO is the program, built for release
set -eu
. "$(dirname "$0")/serving.sh"

octavo=$1
instances=${2:-100000}
port=${LAB_PORT:-9139}
url=http://127.0.0.1:$port
data=$(mktemp -d "${TMPDIR:-/tmp}/octavo-lab-XXXXXX")
chmod 755 "$data"
server=

stop() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server"; } || true
    rm -rf "$data"
}
trap stop EXIT
trap 'exit 130' INT TERM

echo "making a library of $instances instances"
"$octavo" load synthetic --instances "$instances" --admin-password lab --data-dir "$data/library" >"$data/load.log" 2>&1 ||
    { cat "$data/load.log"; exit 1; }
"$octavo" serve --data-dir "$data/library" --listen "127.0.0.1:$port" --statement-statistics on --access-token-seconds 86400 --allowed-origins http://localhost:3000 --log warn >"$data/serve.log" 2>&1 &
server=$!

target="--url $url --tenant synthetic --username synthetic_admin --password lab"
until_serving "$server" "$url" "$data/serve.log"

socket=$(sed -n "s/^unix_socket_directories = '\(.*\)'/\1/p" "$data/library/octavo.conf")
database="postgresql://octavo@/octavo?host=$socket&port=5432"

# shellcheck disable=SC2086 # several words, on purpose
"$octavo" lab mark $target
# Titles with hundreds of holdings, and patrons with hundreds of loans: a library of this size has none by itself.
# shellcheck disable=SC2086
"$octavo" lab run prepare $target --out "$data/prepared" >/dev/null
for experiment in configuration items-and-holdings renewals availability check-in-check-out-honeysuckle check-in-check-out; do
    # shellcheck disable=SC2086
    "$octavo" lab run "$experiment" --short $target --collect metrics --collect "postgres=$database"
done
