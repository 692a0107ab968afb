#!/usr/bin/env bash
# Installs the toolchains of the client SDKs from Debian, for the full run of `npm run test:clients`. Needs root.
#   tools/install-toolchains.sh            all of them
#   tools/install-toolchains.sh mono mingw some of them: mono, cpp, mingw, emscripten, godot, firefox
set -euo pipefail

wanted=("$@")
[ "${#wanted[@]}" -gt 0 ] || wanted=(mono cpp mingw emscripten godot firefox)
apt-get update

for toolchain in "${wanted[@]}"; do
  case "$toolchain" in
    mono) apt-get install --yes --no-install-recommends mono-mcs mono-runtime ;;
    cpp) apt-get install --yes --no-install-recommends g++ cmake libcurl4-openssl-dev ;;
    mingw) apt-get install --yes --no-install-recommends g++-mingw-w64-x86-64-posix wine64 ;;
    emscripten) apt-get install --yes --no-install-recommends emscripten ;;
    firefox) apt-get install --yes --no-install-recommends firefox-esr ;;
    godot)
      # Debian stable has Godot 3. Godot 4 comes from sid: it is unpacked beside the system, with the libraries it needs.
      apt-get install --yes --no-install-recommends godot4 2>/dev/null && continue
      echo 'godot: no package of Godot 4 in these sources. Add Debian sid and run: apt-get install -t sid godot' >&2
      ;;
    *)
      echo "Unknown toolchain '$toolchain': expected mono, cpp, mingw, emscripten, godot or firefox" >&2
      exit 64
      ;;
  esac
done
