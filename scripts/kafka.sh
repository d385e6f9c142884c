#!/bin/sh
# Tests what is published to Kafka with a broker of Apache Kafka itself, which Maven fetches, and its console consumer. Needs Java 17 and
# Maven; without them nothing is tested, and it is said so.
set -eu

cd "$(dirname "$0")/.."
for needed in java mvn; do
    command -v "$needed" >/dev/null || {
        printf '\n  SKIPPED: nothing was tested with Kafka, because there is no %s on this machine.\n\n' "$needed" >&2
        exit 0
    }
done
jars=$PWD/.octavo/kafka
[ -d "$jars" ] || {
    echo "fetching Apache Kafka"
    mvn --quiet --batch-mode --file scripts/kafka/pom.xml dependency:copy-dependencies -DoutputDirectory="$jars.part"
    mv "$jars.part" "$jars"
}
export OCTAVO_KAFKA=$jars
cargo test --package octavo-tests --test api -- --ignored --nocapture --test-threads 1 events::kafka
exec cargo test --package octavo --test program -- --ignored --nocapture killed_events
