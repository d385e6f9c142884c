#!/bin/sh
# Kills the primary PostgreSQL of a cluster that Patroni keeps, under load, and looks whether Octavo goes on by itself and has everything that it
# acknowledged. Needs Patroni, etcd and PostgreSQL 15 or newer (Debian: patroni etcd-server postgresql-15) and Python 3; without them nothing is
# tested, and it is said so. The cluster and Octavo run in a folder of their own, on the loopback address.
#
#   scripts/failover.sh [--kills 3] [--switchovers 1] [--freezes 1] [--program target/debug/octavo] [--keep]
set -eu

cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
for needed in patroni patronictl etcd initdb pg_rewind psql python3; do
    command -v "$needed" >/dev/null || {
        printf '\n  SKIPPED: no failover was tried, because there is no %s on this machine.\n\n' "$needed" >&2
        exit 0
    }
done
export PATH PYTHONDONTWRITEBYTECODE=1
exec python3 -u scripts/failover/trial.py "$@"
