#!/usr/bin/env bash
# Generates typed clients from the OpenAPI document of the example, and lets them read and change its rows.
#
#   APP_URL=http://127.0.0.1:8000 TOKEN=dz_… tests/clients.sh path/to/dz examples/tasks/app.dsl FOLDER
#
# FOLDER takes the generators, from PyPI and npm. Where a registry does not answer, its client is skipped.
set -euo pipefail
dz=$(realpath "$1") declaration=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)
"$dz" specs openapi "$declaration" >"$folder/api.json"

mkdir -p "$folder/npm"
if (cd "$folder/npm" && npm init -y && npm pkg set type=module &&
  npm install --no-audit --no-fund openapi-typescript@7 openapi-fetch@0 typescript@5) >"$folder/npm.log" 2>&1; then
  echo "== a generated TypeScript client against the application"
  cp "$here/clients/client.ts" "$folder/npm"
  # The example of the documentation has the right types.
  awk '/^```ts$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$here/../docs/client.md" >"$folder/npm/documented.ts"
  grep -q createClient "$folder/npm/documented.ts"
  cat >"$folder/npm/tsconfig.json" <<'JSON'
{
  "compilerOptions": { "strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "lib": ["es2022", "dom"], "types": [], "skipLibCheck": true },
  "files": ["client.ts", "documented.ts"]
}
JSON
  (cd "$folder/npm" && npx openapi-typescript ../api.json -o api.d.ts >"$folder/generate.log" 2>&1 && npx tsc -p . && node client.js)
else
  echo "== The TypeScript client is SKIPPED: its packages could not be installed from npm"
  tail -n 3 "$folder/npm.log"
fi

if python3 -m venv "$folder/venv" >"$folder/pip.log" 2>&1 &&
  "$folder/venv/bin/pip" install -q --disable-pip-version-check "openapi-python-client>=0.26,<1" >>"$folder/pip.log" 2>&1; then
  echo "== a generated Python client against the application"
  "$folder/venv/bin/openapi-python-client" generate --path "$folder/api.json" --output-path "$folder/generated" --meta none >"$folder/generate.log" 2>&1
  "$folder/venv/bin/python" "$here/clients/client.py" "$folder"
else
  echo "== The Python client is SKIPPED: its packages could not be installed from PyPI"
  tail -n 3 "$folder/pip.log"
fi
