#!/bin/sh
# Attacks Octavo in every way that we know, on this machine alone, and prints one table: what was tried, how much of it, how
# long it took, and whether it held. Half an hour if it is not told otherwise.
#
#   scripts/attack.sh [MINUTES] [NAME...]     NAME: only these, as the table calls them
#
# OCTAVO_PROGRAM names a program that is attacked instead of the one that is built here. What each attack said stays in
# target/attack/NAME.log. Needs Rust, PostgreSQL, Node.js, Chromium and Python, which
# scripts/setup.sh attack installs.
set -u
cd "$(dirname "$0")/.."
. scripts/serving.sh

minutes=${1:-30}
[ $# -eq 0 ] || shift
only=$*
target=${CARGO_TARGET_DIR:-target}
logs=$target/attack
mkdir -p "$logs"
table=$logs/table.md
failed=0
# The attacked program is the one that is released.
octavo=$(realpath -m "${OCTAVO_PROGRAM:-$target/release/octavo}")

# Seconds for a share of the whole time, in hundredths.
share() { echo $((minutes * 60 * $1 / 100)); }

# attack NAME "what it tries" COMMAND...: what the command prints after "attack: " stands in the table.
attack() {
    name=$1
    about=$2
    shift 2
    case " $only " in
        "  " | *" $name "*) ;;
        *) return ;;
    esac
    printf 'attack: %s: %s\n' "$name" "$about"
    began=$(date +%s)
    if "$@" >"$logs/$name.log" 2>&1; then held=held; else held='**did not hold**' failed=1; fi
    took=$(($(date +%s) - began))
    said=$(sed -n 's/^.*attack: //p' "$logs/$name.log" | tail -n 1)
    [ -n "$said" ] || said=$(sed -n 's/^test result: [a-z]*\. \([0-9]* passed\).*/\1/p' "$logs/$name.log" | tail -n 1)
    printf '| %s | %s | %s | %s s | %s |\n' "$name" "$about" "$said" "$took" "$held" | tee -a "$table"
}

api() { cargo test --profile walk --package octavo-tests --test api -- --nocapture "$@"; }
program() { OCTAVO_PROGRAM=$octavo cargo test --profile walk --package octavo --test program -- --nocapture "$@"; }

printf '| attack | what it tries | how much | time | |\n|---|---|---|---|---|\n' >"$table"
# Generated requests need no tests.
[ "$only" = schemathesis ] || cargo test --profile walk --package octavo-tests --package octavo --no-run || exit 1
[ -n "${OCTAVO_PROGRAM:-}" ] || cargo build --release --package octavo || exit 1

# --- Generated requests: schemathesis reads the OpenAPI page and tries each operation, then chains of them ---

# Left out, each for its reason:
#   /_/                          would delete the tenant under attack
#   /authn/log..., /octavo/lab   end the session, start the laboratory
#   positive_data_acceptance     records name others, which have to exist
#   unsupported_method           Okapi answers 404
#   ignored_auth                 the tenant under attack is open; tokens have an attack of their own
#   negative_data_rejection      FOLIO's modules take null for any member, and numbers and booleans for texts
schemathesis() {
    python=$logs/python
    [ -x "$python/bin/schemathesis" ] || { python3 -m venv "$python" && "$python/bin/pip" install --quiet --requirement scripts/attack-requirements.txt; } || return 1
    port=${ATTACK_PORT:-9138}
    url=http://127.0.0.1:$port
    data=$(mktemp -d "${TMPDIR:-/tmp}/octavo-attack-XXXXXX")
    chmod 755 "$data"
    "$octavo" serve --demo --data-dir "$data/library" --listen "127.0.0.1:$port" >"$data/serve.log" 2>&1 &
    server=$!
    trap 'kill "$server" 2>/dev/null; wait "$server"; rm -rf "$data"' EXIT INT TERM
    until_serving "$server" "$url" "$data/serve.log" || return 1
    json='content-type: application/json'
    token=$(curl -s "$url/authn/login" -H 'x-okapi-tenant: diku' -H "$json" -d '{"username": "diku_admin", "password": "admin"}' |
        sed -n 's/.*"okapiToken" *: *"\([^"]*\)".*/\1/p')
    okapi="x-okapi-token: $token"
    curl -sf "$url/_/proxy/tenants" -H "$okapi" -H "$json" -d '{"id": "attack"}' || return 1
    modules=$(curl -s "$url/_/proxy/modules" -H "$okapi" |
        sed -n 's/.*"id" *: *"\([^"]*\)".*/{"id":"\1","action":"enable"}/p' | grep -v '"okapi-\|"folio_' | paste -sd, -)
    install="$url/_/proxy/tenants/attack/install"
    curl -sf "$install?tenantParameters=loadReference=true" -H "$okapi" -H "$json" -d "[$modules]" >/dev/null || return 1
    authtoken=$(printf '%s' "$modules" | sed 's/.*"\(mod-authtoken-[^"]*\)".*/\1/')
    curl -sf "$install?depCheck=false" -H "$okapi" -H "$json" -d "[{\"id\": \"$authtoken\", \"action\": \"disable\"}]" >/dev/null || return 1
    "$python/bin/schemathesis" --config-file scripts/attack.toml run "$url/octavo/openapi.json" -H 'x-okapi-tenant: attack' \
        --exclude-path-regex '^/_/|^/octavo/lab|^/authn/log' \
        --checks all --exclude-checks positive_data_acceptance,unsupported_method,ignored_auth,negative_data_rejection \
        --phases coverage,fuzzing,stateful --max-time "$(share 40)" --max-examples 100000 --continue-on-failure --no-shrink --workers 1 \
        --report json --report-json-path "$logs/schemathesis.json"
    outcome=$?
    kill -0 "$server" || outcome=1
    sed -n 's/^ *\([0-9]* generated\).*/attack: \1 requests/p' "$logs/schemathesis.log" | tail -n 1
    return "$outcome"
}

# How long the attacks last that come in any length.
export OCTAVO_ATTACK_KILLS=$((minutes * 10)) OCTAVO_WALK_ROUNDS=$minutes OCTAVO_DAY=1

day() {
    (cd ui && npx tsc --project test && OCTAVO_PROGRAM=$octavo node --test .test/test/alone/day.test.js)
}

attack tokens 'every route by every kind of token, other tenants, more rights than one has' \
    api platform::tokens platform::operator tenants::isolation permissions::escalation
attack guessing 'passwords and tokens, guessed and used again' api login::
attack nonsense 'nonsense in paths, queries, bodies and fields of every route' api platform::garbage platform::extremes platform::fields
attack clients 'slow, greedy and foreign clients' api platform::greedy platform::strangers platform::pressure platform::two_connections
attack races 'clients of two servers that change a few items, patrons and rules at once' \
    api --ignored --exact circulation::walk::whatever_several_clients_do_for_long_the_library_is_in_order
attack processes 'two processes, of which one no longer hears of changes' api tenants::frozen tenants::servers tenants::deleted
attack kills 'kill -9 of Octavo, PostgreSQL or both while eight clients change things' program ledger
attack greedy 'one client that takes all it can get, while another reads' \
    program --ignored --exact greedy::one_greedy_client_keeps_nobody_waiting
attack failures 'a full disk, a database that is away' program disk away health
attack desk 'a day at the desk, with tokens that run out and a network that fails' day
attack schemathesis 'generated requests for every operation, and chains of them' schemathesis

echo
cat "$table"
exit "$failed"
