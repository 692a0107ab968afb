#!/usr/bin/env bash
# Installs the toolchains of the client SDKs from Debian, for the full run of `npm run test:clients`. Needs root.
#   tools/install-toolchains.sh            all of them
#   tools/install-toolchains.sh mono mingw some of them: mono, cpp, mingw, emscripten, godot, firefox
set -euo pipefail

all=(mono cpp mingw emscripten godot firefox)
wanted=("$@")
[ "${#wanted[@]}" -gt 0 ] || wanted=("${all[@]}")
for toolchain in "${wanted[@]}"; do
  if [[ " ${all[*]} " != *" $toolchain "* ]]; then
    echo "Unknown toolchain '$toolchain': expected one of ${all[*]}" >&2
    exit 64
  fi
done

updated=
update_once() {
  [ -n "$updated" ] || apt-get update
  updated=yes
}

install() {
  update_once
  apt-get install --yes --no-install-recommends "$@"
}

# The server of Debian's packages: DEBIAN_MIRROR, or the first one in apt's own sources.
debian_mirror() {
  if [ -n "${DEBIAN_MIRROR:-}" ]; then
    echo "$DEBIAN_MIRROR"
    return
  fi
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' 'Label: Debian' | sed -n 1p
}

# Debian stable has Godot 3. Godot 4 and its libraries come from sid. They are unpacked into a folder of their own and run
# with their own loader. The system's packages and apt's lists stay as they are.
install_godot() {
  local prefix=${PREFIX:-/usr/local} root apt loader libraries package mirror
  update_once
  mirror=$(debian_mirror)
  if [ -z "$mirror" ]; then
    echo "No Debian mirror in apt's sources: set DEBIAN_MIRROR to the address of one" >&2
    exit 69
  fi
  root=$prefix/lib/tickrate-godot
  apt=$(mktemp -d)
  mkdir -p "$apt"/{lists/partial,cache/archives/partial,none} "$prefix/bin"
  : > "$apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror sid main" > "$apt/sources.list"
  # A mirror that stands still is good enough: the signature is still checked.
  cat > "$apt/apt.conf" <<CONF
Dir::State "$apt";
Dir::State::lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "$apt/none";
Dir::Etc::preferences "$apt/none/preferences";
Dir::Etc::preferencesparts "$apt/none";
Dir::Etc::parts "$apt/none";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Install-Recommends "false";
APT::Sandbox::User "root";
CONF
  APT_CONFIG=$apt/apt.conf apt-get update
  APT_CONFIG=$apt/apt.conf apt-get install --yes --download-only godot
  rm -rf "$root.new"
  mkdir -p "$root.new"
  for package in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$package" "$root.new"; done
  rm -rf "$root" "$apt"
  # What only other programs of these packages need.
  rm -rf "$root.new"/usr/share/{doc,man,locale,info,lintian}
  mv "$root.new" "$root"

  loader=$(find "$root/usr" -name 'ld-linux*.so.*' -print -quit)
  libraries=$(find "$root/usr/lib" -name 'lib*.so*' -not -path '*/gconv/*' -printf '%h\n' | sort -u | paste -sd:)
  cat > "$prefix/bin/godot" <<RUN
#!/bin/sh
exec '$loader' --library-path '$libraries' '$root/usr/bin/godot' "\$@"
RUN
  chmod +x "$prefix/bin/godot"
  "$prefix/bin/godot" --headless --version
}

for toolchain in "${wanted[@]}"; do
  case "$toolchain" in
    mono) install mono-mcs mono-runtime ;;
    cpp) install g++ cmake libcurl4-openssl-dev ;;
    mingw) install g++-mingw-w64-x86-64-posix wine64 ;;
    emscripten) install emscripten ;;
    firefox) install firefox-esr ;;
    godot) install_godot ;;
  esac
done
