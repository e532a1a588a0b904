#!/usr/bin/env bash
# Installs the program of the release whose checksums are in checksums.txt beside
# this script. It also verifies an archive from the cache. "install.sh plan" only
# sets the outputs for the cache: the folders and the keys.
set -euo pipefail

releases="${SITEWALK_RELEASES:-https://github.com/sitewalk/sitewalk/releases/download}"
checksums="$GITHUB_ACTION_PATH/checksums.txt"

fail() {
  printf '::error title=sitewalk::%s\n' "$1"
  exit 2
}

case "$RUNNER_OS" in
Linux) os=linux ext=tar.gz ;;
macOS) os=darwin ext=tar.gz ;;
Windows) os=windows ext=zip ;;
*) fail "there is no release for the system $RUNNER_OS" ;;
esac
case "$RUNNER_ARCH" in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) fail "there is no release for the processor $RUNNER_ARCH" ;;
esac

grep -q '^[0-9a-f]' "$checksums" || fail "this copy of the action belongs to no release; use sitewalk/action"
line=$(grep -E "^[0-9a-f]{64}  sitewalk_[^/ ]+_${os}_${arch}\.${ext//./\\.}\$" "$checksums" || true)
[ -n "$line" ] || fail "this copy of the action has no checksum for $os/$arch; use one of its released tags"
want=${line%% *}
archive=${line##* }
version=${archive#sitewalk_}
version=${version%"_${os}_${arch}.${ext}"}

folder="$RUNNER_TEMP/sitewalk-archive"
if [ "${1:-}" = plan ]; then
  printf 'folder=%s\nkey=%s\n' "$folder" "sitewalk-$want" >>"$GITHUB_OUTPUT"
  # GitHub never overwrites a cache. Each run therefore saves the cache folder of sitewalk
  # under a new key. All keys of a site have the same prefix.
  if [ "$INPUT_COMMAND" = build ]; then
    of="sitewalk-memory-$RUNNER_OS-$(printf '%s' "$INPUT_SITE" | cksum | tr ' ' -)-"
    printf 'memory=%s\nmemory-of=%s\nmemory-key=%s\n' "$RUNNER_TEMP/sitewalk-memory" "$of" "$of$GITHUB_RUN_ID-$GITHUB_RUN_ATTEMPT" >>"$GITHUB_OUTPUT"
  fi
  exit
fi

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

file="$folder/$archive"
if [ ! -f "$file" ]; then
  mkdir -p "$folder"
  url="$releases/v$version/$archive"
  curl --fail --silent --show-error --location --retry 3 --output "$file.part" "$url" || fail "$url cannot be downloaded"
  mv "$file.part" "$file"
fi
have=$(sha256 "$file")
if [ "$have" != "$want" ]; then
  rm -f "$file"
  fail "$archive has the checksum $have; the action was released with $want"
fi

bin="$RUNNER_TEMP/sitewalk-$version"
mkdir -p "$bin"
case "$ext" in
zip) unzip -q -o "$file" -d "$bin" ;;
*) tar -xzf "$file" -C "$bin" ;;
esac
printf '%s\n' "$bin" >>"$GITHUB_PATH"
echo "sitewalk $version"
