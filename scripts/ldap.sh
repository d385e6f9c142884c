#!/bin/sh
# Tests log-in with the password of an LDAP directory against OpenLDAP's server, which each test starts with people of its own. Needs slapd;
# without it nothing is tested, and it is said so.
set -eu

cd "$(dirname "$0")/.."
[ -x /usr/sbin/slapd ] || {
    printf '\n  SKIPPED: nothing was tested with an LDAP directory, because there is no /usr/sbin/slapd on this machine (Debian: slapd).\n\n' >&2
    exit 0
}
exec cargo test --package octavo-tests --test api -- --ignored --nocapture --test-threads 1 login::directory::slapd
