# Sourced by scripts that start a server of their own.

# until_serving PROCESS URL LOG: waits until the server says in its log that it answers there; only then is it this server, and
# no other program's, that does. Fails with the log if the process ends or a minute goes by.
until_serving() {
    tries=0
    until grep -q "answers on $2" "$3"; do
        tries=$((tries + 1))
        kill -0 "$1" 2>/dev/null && [ "$tries" -lt 60 ] || { cat "$3"; return 1; }
        sleep 1
    done
}
