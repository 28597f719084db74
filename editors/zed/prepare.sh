#!/usr/bin/env bash
# Writes the extension with the grammar of this checkout to a folder, which Zed installs with `zed: install dev extension`.
#
#   editors/zed/prepare.sh FOLDER
set -euo pipefail
folder=${1:?name a folder for the extension}
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(git -C "$here" rev-parse --show-toplevel)
commit=$(git -C "$here" rev-parse HEAD)
mkdir -p "$folder/languages/dz" "$folder/src"
cp "$here/Cargo.toml" "$here/Cargo.lock" "$folder"
cp "$here/src/lib.rs" "$folder/src"
cp "$here"/languages/dz/* "$folder/languages/dz"
cp "$here"/../tree-sitter-dz/queries/{highlights,injections}.scm "$folder/languages/dz"
sed -e "s|CHECKOUT|file://$checkout|" -e "s|COMMIT|$commit|" "$here/extension.toml" >"$folder/extension.toml"
echo "Zed: run the command \"zed: install dev extension\" and choose $folder"
