#!/bin/sh
# Makes sure that this machine can build, run and test Octavo: Rust, a C compiler to link with, PostgreSQL 15 or newer;
# for the desk Node.js and the packages that it is built from, and a Chromium that tries it.
# Says only what it does; with nothing missing it does and says nothing. Safe to run again.
set -eu
cd "$(dirname "$0")/.."

OLDEST_RUST=90         # 1.90, the rust-version in Cargo.toml
OLDEST_POSTGRESQL=15
OLDEST_NODE=20.19      # "engines" in ui/package.json
NODE=22                # what is fetched where the distribution's is older

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif have sudo; then
        sudo "$@"
    else
        fail "this needs root, and there is no sudo; as root, run: $*"
    fi
}

# Sets $manager to the package manager that installs on this machine, or to nothing.
find_manager() {
    for manager in apt-get dnf brew; do
        if have "$manager"; then return; fi
    done
    manager=
}

updated=
apt_install() {
    if [ -z "$updated" ]; then
        say "apt-get update"
        as_root apt-get update -qq
        updated=yes
    fi
    say "apt-get install $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

# --- Rust ---

# Succeeds if a cargo at hand is new enough; ~/.cargo/bin goes first, for a distribution's cargo is often too old.
have_rust() {
    for folder in "${CARGO_HOME:-${HOME:-}/.cargo}/bin" ''; do
        cargo=${folder:+$folder/}cargo
        have "$cargo" || continue
        # Outputs "cargo 1.95.0 (...)"; a rustup without a toolchain fails.
        version=$("$cargo" --version 2>/dev/null) || continue
        version=${version#cargo }
        major=${version%%.*}
        minor=${version#*.}
        minor=${minor%%.*}
        if [ "$major" -gt 1 ] || { [ "$major" -eq 1 ] && [ "$minor" -ge "$OLDEST_RUST" ]; }; then
            return 0
        fi
    done
    return 1
}

install_rust() {
    find_manager
    if ! have rustup; then
        case $manager in
            apt-get) apt_install rustup || say "this distribution has no package 'rustup'" ;;
            dnf)
                say "dnf install rustup"
                as_root dnf install -y -q rustup && rustup-init -y -q --no-modify-path || say "rustup was not installed"
                ;;
            brew)
                say "brew install rustup"
                brew install --quiet rustup && PATH="$(brew --prefix rustup)/bin:$PATH" || say "rustup was not installed"
                ;;
        esac
        PATH="${CARGO_HOME:-${HOME:-}/.cargo}/bin:$PATH"
    fi
    if have rustup; then
        say "rustup toolchain install stable"
        rustup toolchain install stable --profile minimal --component clippy,rustfmt
        rustup default stable
    fi
    have_rust || fail "Rust 1.$OLDEST_RUST or newer is missing: install it as https://rustup.rs says, then run this again"
    case $cargo in
        */*) have cargo || say "add ${cargo%/cargo} to PATH, so that 'cargo' is found" ;;
    esac
}

# --- A C compiler, which links Rust's programs ---

install_compiler() {
    find_manager
    case $manager in
        apt-get) apt_install gcc libc6-dev ;;
        dnf) say "dnf install gcc"; as_root dnf install -y -q gcc ;;
        brew) fail "a C compiler is missing: run 'xcode-select --install', then this again" ;;
        *) fail "a C compiler is missing: install gcc or clang with your package manager, then run this again" ;;
    esac
}

# --- PostgreSQL: the same places that Octavo searches (crates/pg/src/embedded/binaries.rs) ---

have_postgresql() {
    # Looked for by their versioned names first, which costs no process.
    for program in \
        /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres /usr/lib/postgresql*/bin/postgres \
        /usr/lib64/postgresql-*/bin/postgres /usr/libexec/postgresql*/postgres \
        "$(command -v postgres || true)" /usr/bin/postgres /usr/local/bin/postgres /usr/local/pgsql/bin/postgres \
        /opt/homebrew/opt/postgresql@*/bin/postgres /usr/local/opt/postgresql@*/bin/postgres \
        /home/linuxbrew/.linuxbrew/opt/postgresql@*/bin/postgres /opt/local/lib/postgresql*/bin/postgres \
        /Applications/Postgres.app/Contents/Versions/*/bin/postgres
    do
        [ -x "$program" ] && [ -x "${program%postgres}initdb" ] || continue
        # Outputs "postgres (PostgreSQL) 15.18 (...)".
        version=$("$program" --version 2>/dev/null) || continue
        version=${version#*(PostgreSQL) }
        version=${version%%[!0-9]*}
        if [ "${version:-0}" -ge "$OLDEST_POSTGRESQL" ]; then return 0; fi
    done
    return 1
}

install_postgresql() {
    find_manager
    case $manager in
        apt-get)
            # Octavo makes its own cluster: keep Debian from making and starting one beside it, unless told otherwise.
            clusters=/etc/postgresql-common/createcluster.conf
            if ! grep -qs '^[[:space:]]*create_main_cluster' "$clusters"; then
                as_root mkdir -p "${clusters%/*}"
                printf 'create_main_cluster = false\n' | as_root tee -a "$clusters" >/dev/null
            fi
            apt_install postgresql postgresql-contrib
            ;;
        dnf) say "dnf install postgresql-server"; as_root dnf install -y -q postgresql-server postgresql-contrib ;;
        brew) say "brew install postgresql@17"; brew install --quiet postgresql@17 ;;
        *) fail "PostgreSQL $OLDEST_POSTGRESQL or newer is missing: install its server with your package manager, or" \
                "name a database with --database-url" ;;
    esac
    have_postgresql || fail "PostgreSQL $OLDEST_POSTGRESQL or newer is still missing: this distribution's is older;" \
        "https://www.postgresql.org/download/ has packages for it. Or name a database with --database-url"
}

# --- Node.js, which builds the desk ---

# One that is fetched here goes first: the Makefile has the same order.
PATH="$PWD/ui/.node/node_modules/.bin:$PATH"

have_node() {
    have npm || return 1
    # Outputs "v22.11.0".
    version=$(node --version 2>/dev/null) || return 1
    version=${version#v}
    major=${version%%.*}
    minor=${version#*.}
    minor=${minor%%.*}
    [ "$major" -gt "${OLDEST_NODE%.*}" ] || { [ "$major" -eq "${OLDEST_NODE%.*}" ] && [ "$minor" -ge "${OLDEST_NODE#*.}" ]; }
}

install_node() {
    find_manager
    if ! have npm; then
        case $manager in
            apt-get) apt_install nodejs npm ;;
            dnf) say "dnf install nodejs"; as_root dnf install -y -q nodejs nodejs-npm ;;
            brew) say "brew install node"; brew install --quiet node ;;
            *) fail "Node.js $OLDEST_NODE or newer and npm are missing: install them, then run this again" ;;
        esac
    fi
    have_node && return
    # The distribution's npm brings a newer Node.js, which is an npm package too.
    say "npm install node@$NODE, for the desk alone"
    npm install --prefix ui/.node --no-save --silent --no-package-lock "node@$NODE"
    have_node || fail "Node.js $OLDEST_NODE or newer is still missing: install it, then run this again"
}

# The packages are those of the lock file; they are fetched again when it has changed.
install_packages() {
    say "npm ci, for the desk"
    npm ci --prefix ui --silent
    cp ui/package-lock.json ui/node_modules/.package-lock.copy
}

# --- A Chromium, in which the desk is tried: the same places that ui/test/library.ts searches ---

have_chromium() {
    [ -n "${CHROMIUM:-}" ] || [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ] ||
        [ -x /usr/bin/chromium-browser ] || [ -x /usr/bin/google-chrome ]
}

install_chromium() {
    find_manager
    case $manager in
        # Not every release has a package of the shell.
        apt-get) apt_install chromium-headless-shell || apt_install chromium ;;
        dnf) say "dnf install chromium"; as_root dnf install -y -q chromium ;;
        *) fail "Chromium is missing, in which the desk is tested: install it and name its program in CHROMIUM" ;;
    esac
}

# --- Python, in which the generator of requests for `make attack` runs ---

have_python() { have python3 && python3 -m venv --help >/dev/null 2>&1 && python3 -c 'import ensurepip' 2>/dev/null; }

install_python() {
    find_manager
    case $manager in
        apt-get) apt_install python3 python3-venv ;;
        dnf) say "dnf install python3"; as_root dnf install -y -q python3 ;;
        *) fail "Python 3 with venv is missing: install it, then run this again" ;;
    esac
}

have_rust || install_rust
have cc || have gcc || have clang || install_compiler
have_postgresql || install_postgresql
have_node || install_node
cmp -s ui/package-lock.json ui/node_modules/.package-lock.copy || install_packages
# Only tests need it; `make run` does not.
case ${1:-} in tests | attack) have_chromium || install_chromium ;; esac
[ "${1:-}" != attack ] || have_python || install_python
