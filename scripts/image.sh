#!/bin/sh
# Makes an OCI image of a Debian package of Octavo, without a daemon: scripts/image.sh PACKAGE FOLDER [SUITE]. The image is a minimal
# Debian with PostgreSQL and the package, from the mirrors that this machine's apt uses. Needs mmdebstrap.
set -eu
package=$(realpath "$1")
target=$2
suite=${3:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
version=$(dpkg-deb --field "$package" Version)
architecture=$(dpkg-deb --field "$package" Architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$(dirname "$0")" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# mmdebstrap may enter as another user.
chmod 755 "$work"
cp "$package" "$work/octavo.deb"

# --- the one layer ---
site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk -v suite="$suite" '$2 == suite { print $1; exit }')
sources=
for release in "$suite" "$suite-updates" "$suite-security"; do
    found=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk -v r="$release" '$2 == r { print $1; exit }')
    if [ -n "$found" ]; then sources="$sources
deb $found $release main"; fi
done
if [ -z "$site" ]; then
    echo "image: apt on this machine has no sources of $suite" >&2
    exit 1
fi
echo "$sources" | mmdebstrap --quiet --variant=minbase \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --include=ca-certificates,systemd-standalone-sysusers \
    --customize-hook='chroot "$1" groupadd --system --gid 913 octavo' \
    --customize-hook='chroot "$1" useradd --system --uid 913 --gid 913 --home-dir /var/lib/octavo --shell /usr/sbin/nologin octavo' \
    --customize-hook="copy-in $work/octavo.deb /" \
    --customize-hook='chroot "$1" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /octavo.deb' \
    --customize-hook='chroot "$1" sh -c "pg_lsclusters -h | while read -r v n rest; do pg_dropcluster \$v \$n; done"' \
    --customize-hook='rm "$1/octavo.deb"' \
    "$suite" "$work/layer.tar" - >&2

# --- the layout: a layer, what runs in it, and the manifest of both, each named by its digest ---
layout=$work/layout
blobs=$layout/blobs/sha256
mkdir -p "$blobs"
digest() { sha256sum "$1" | cut -d' ' -f1; }
keep() { hash=$(digest "$1") && mv "$1" "$blobs/$hash" && echo "$hash"; }
size() { stat -c %s "$blobs/$1"; }
content=$(digest "$work/layer.tar")
gzip -6n "$work/layer.tar"
layer=$(keep "$work/layer.tar.gz")
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
cat >"$work/config" <<END
{
  "created": "$created", "architecture": "$architecture", "os": "linux",
  "config": {
    "User": "913:913", "WorkingDir": "/var/lib/octavo", "StopSignal": "SIGTERM",
    "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "OCTAVO_CONFIG=/etc/octavo/octavo.toml", "OCTAVO_LISTEN=0.0.0.0:9130"],
    "Entrypoint": ["/usr/bin/octavo"], "Cmd": ["serve"],
    "ExposedPorts": {"9130/tcp": {}}, "Volumes": {"/var/lib/octavo": {}},
    "Labels": {"org.opencontainers.image.title": "octavo", "org.opencontainers.image.version": "$version"}
  },
  "rootfs": {"type": "layers", "diff_ids": ["sha256:$content"]},
  "history": [{"created": "$created", "created_by": "scripts/image.sh"}]
}
END
config=$(keep "$work/config")
cat >"$work/manifest" <<END
{
  "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
  "config": {"mediaType": "application/vnd.oci.image.config.v1+json", "digest": "sha256:$config", "size": $(size "$config")},
  "layers": [{"mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": "sha256:$layer", "size": $(size "$layer")}]
}
END
manifest=$(keep "$work/manifest")
printf '{"imageLayoutVersion": "1.0.0"}\n' >"$layout/oci-layout"
cat >"$layout/index.json" <<END
{
  "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
  "manifests": [{
    "mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "sha256:$manifest", "size": $(size "$manifest"),
    "platform": {"architecture": "$architecture", "os": "linux"},
    "annotations": {"org.opencontainers.image.ref.name": "$version"}
  }]
}
END
mkdir -p "$target"
image=$target/octavo-$version-$architecture.oci.tar
tar --directory "$layout" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf "$image" oci-layout index.json blobs
ls -sh "$image"
