#!/bin/sh
# rolling-upgrade.sh [TAG]: builds the program of the last release from its tag, and lets it and this one take turns on one database
# while clients go on. OCTAVO_LAST_RELEASE names a program that is built already; OCTAVO_ROUNDS says for how many rounds each of six
# clients goes on with each pair of servers (200, of 14 calls each). Prints the requests made, retried and failed.
set -eu
cd "$(dirname "$0")/.."
tag=${1:-$(git describe --tags --abbrev=0 --match 'v*' HEAD)}
target=${CARGO_TARGET_DIR:-$PWD/target}

if [ -z "${OCTAVO_LAST_RELEASE:-}" ]; then
    tree=$target/last-release/$tag
    [ -d "$tree" ] || git worktree add --detach "$tree" "$tag"
    echo "building Octavo of $tag"
    (cd "$tree" && CARGO_TARGET_DIR="$target/last-release/target" cargo build --package octavo --locked)
    OCTAVO_LAST_RELEASE=$target/last-release/target/debug/octavo
    export OCTAVO_LAST_RELEASE
fi
echo "taking turns with $OCTAVO_LAST_RELEASE ($("$OCTAVO_LAST_RELEASE" --version))"
cargo test --package octavo --test program -- --ignored --nocapture --exact \
    rolling::two_releases_serve_one_database_and_take_turns
