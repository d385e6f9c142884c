#!/bin/sh
# Makes the Debian package and the tarball of a built Octavo: scripts/package.sh OCTAVO FOLDER. Needs dpkg-deb and binutils, no root.
# VERSION names another version than that of the workspace, such as 0.2.0~rc1, MAINTAINER who answers for the package, with an address.
set -eu
program=$1
target=$2
cd "$(dirname "$0")/.."

maintainer=${MAINTAINER:-Octavo maintainers <maintainers@octavo.example.org>}
version=${VERSION:-$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)}
architecture=$(dpkg --print-architecture)
# Times in the files are those of the last commit, so that the same tree makes the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

# --- what is the same in the package and in the tarball: $files/bin, share ---
files=$work/files
man=$files/share/man
mkdir -p "$files/bin" "$man/man1" "$man/man5" "$files/share/doc/octavo/examples"
install -m 755 "$program" "$files/bin/octavo"
strip --strip-debug "$files/bin/octavo"
octavo() { (cd "$work" && env -i HOME="$work" "$files/bin/octavo" "$@"); }
octavo manual octavo | gzip -9n >"$man/man1/octavo.1.gz"
octavo manual octavo.toml | gzip -9n >"$man/man5/octavo.toml.5.gz"
octavo config --file >"$files/share/doc/octavo/examples/octavo.toml"
completion() {
    mkdir -p "$files/share/$2"
    octavo completions "$1" >"$files/share/$2/$3"
}
completion bash bash-completion/completions octavo
completion zsh zsh/vendor-completions _octavo
completion fish fish/vendor_completions.d octavo.fish
gzip -9nc CHANGELOG.md >"$files/share/doc/octavo/CHANGELOG.md.gz"
install -m 644 packaging/debian/copyright "$files/share/doc/octavo/copyright"

# --- the Debian package ---
root=$work/root
mkdir -p "$root/DEBIAN" "$root/usr/lib/systemd/system" "$root/usr/lib/sysusers.d" "$root/etc/octavo"
cp -a "$files/bin" "$files/share" "$root/usr/"
install -m 644 packaging/octavo.service "$root/usr/lib/systemd/system/octavo.service"
install -m 644 packaging/octavo.sysusers "$root/usr/lib/sysusers.d/octavo.conf"
install -m 640 packaging/octavo.toml "$root/etc/octavo/octavo.toml"
install -m 644 packaging/debian/conffiles packaging/debian/templates "$root/DEBIAN/"
install -m 755 packaging/debian/postinst packaging/debian/prerm packaging/debian/postrm "$root/DEBIAN/"
# The newest version of the C library of which the program uses a function.
libc=$(objdump -T "$root/usr/bin/octavo" | sed -n 's/.*(\{0,1\}GLIBC_\([0-9.]*\)).*/\1/p' | sort -V | tail -n 1)
size=$(du -sk --exclude=DEBIAN "$root" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@MAINTAINER@/$maintainer/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@LIBC@/$libc/" -e "s/@SIZE@/$size/" \
    packaging/debian/control >"$root/DEBIAN/control"
(cd "$root" && find etc usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
mkdir -p "$target"
deb=$target/octavo_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null

# --- the tarball ---
name=octavo-$version-linux-$(uname -m)
mkdir "$work/$name"
cp -a "$files/bin" "$files/share" LICENSE "$work/$name/"
mkdir -p "$work/$name/share/octavo"
cp packaging/octavo.service packaging/octavo.sysusers packaging/octavo.toml "$work/$name/share/octavo/"
tar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" |
    gzip -6n >"$target/$name.tar.gz"

ls -sh "$deb" "$target/$name.tar.gz"
