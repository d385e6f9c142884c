#!/bin/sh
# Tries each target of fuzz/ with inputs that reach code not reached before, beginning with the kept seeds of the tests.
#
#   scripts/fuzz.sh [MINUTES] [TARGET...]     MINUTES of each target (60), TARGET: only these
#
# Needs `rustup toolchain install nightly`, `cargo install cargo-fuzz`, a C++ compiler and Python. A finding stays in fuzz/artifacts.
set -eu
cd "$(dirname "$0")/../fuzz"

minutes=${1:-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- cql marc sip2 notices files templates
nightly=$(rustup toolchain list | sed -n 's/^\(nightly[^ ]*\).*/\1/p' | head -n 1)

seeds() {
    case $1 in
        cql | marc | sip2) echo "../crates/$1/tests/fuzz/seeds.txt" ;;
        notices | files) echo "../crates/print/tests/fuzz/$1.txt" ;;
    esac
}

# A file for each line of escaped bytes.
unescape='
import pathlib, sys
lines = [line for line in pathlib.Path(sys.argv[1]).read_text().splitlines() if line and not line.startswith("#")]
for number, line in enumerate(lines, 1):
    pathlib.Path(sys.argv[2], f"kept-{number}").write_bytes(line.encode().decode("unicode_escape").encode("latin-1"))
'

failed=0
for target in "$@"; do
    mkdir -p "corpus/$target"
    kept=$(seeds "$target")
    [ -z "$kept" ] || python3 -c "$unescape" "$kept" "corpus/$target"
    cargo "+$nightly" fuzz run --fuzz-dir . "$target" -- "-max_total_time=$((minutes * 60))" -print_final_stats=1 || failed=1
done
exit "$failed"
