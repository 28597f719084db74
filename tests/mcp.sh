#!/usr/bin/env bash
# Lets clients of the Model Context Protocol talk to `dz mcp`: the SDKs for Python and TypeScript, the inspector, and the conformance
# suite.
#
#   tests/mcp.sh path/to/dz FOLDER-OF-A-PROJECT FOLDER
#
# FOLDER takes the clients, from PyPI and npm. Where a registry does not answer, its clients test nothing.
set -euo pipefail
dz=$(realpath "$1") project=$2 folder=$3
here=$(cd "$(dirname "$0")" && pwd)

if python3 -m venv "$folder/venv" >"$folder/pip.log" 2>&1 &&
  "$folder/venv/bin/pip" install -q --disable-pip-version-check "mcp>=2.3,<3" >>"$folder/pip.log" 2>&1; then
  echo "== the Python SDK of the Model Context Protocol against dz mcp"
  "$folder/venv/bin/python" "$here/mcp_client.py" "$dz" "$project"
else
  echo "== The client of the Model Context Protocol is SKIPPED: its packages could not be installed from PyPI"
  tail -n 3 "$folder/pip.log"
fi

mkdir -p "$folder/npm"
# The inspector and the suite need Node.js 22.
if ! (cd "$folder/npm" && npm init -y && npm install --no-audit --no-fund node@22 &&
  PATH="$folder/npm/node_modules/node/bin:$PATH" npm install --no-audit --no-fund \
    @modelcontextprotocol/client@2 @modelcontextprotocol/inspector@2 @modelcontextprotocol/conformance@0.1) >"$folder/npm.log" 2>&1; then
  echo "== The TypeScript SDK, the inspector and the conformance suite are SKIPPED: their packages could not be installed from npm"
  tail -n 3 "$folder/npm.log"
  exit 0
fi
modules=$folder/npm/node_modules
export PATH="$modules/node/bin:$PATH"

echo "== the TypeScript SDK of the Model Context Protocol against dz mcp"
tasks=$(realpath "$project")
(cd "$folder/npm" && node "$here/mcp_client.mjs" "$dz" "$tasks")

# A folder of its own: the settings of the repository do not apply to it.
mkdir -p "$folder/project"
cp "$project/app.dsl" "$folder/project"
project=$folder/project

: >"$folder/address"
(cd "$project" && exec "$dz" mcp --http 0) 2>"$folder/address" &
server=$!
trap 'kill "$server"' EXIT
until grep -q '/mcp$' "$folder/address"; do sleep 0.1; done
address=$(head -n 1 "$folder/address")

echo "== the inspector against dz mcp"
# A call of the inspector, over pipes and over HTTP: the same answer, with this text and this exit code.
inspect() {
  local code=$1 text=$2 found=0
  shift 2
  (cd "$project" && "$modules/.bin/mcp-inspector" --cli "$dz" mcp "$@") >"$folder/pipes" 2>&1 || found=$?
  [ "$found" = "$code" ] && grep -qF "$text" "$folder/pipes" || { echo "inspector $*: exit $found"; cat "$folder/pipes"; exit 1; }
  "$modules/.bin/mcp-inspector" --cli "$address" "$@" >"$folder/http" 2>&1 || true
  cmp "$folder/pipes" "$folder/http"
}
inspect 0 '"name": "graph"' --method tools/list
inspect 0 'task_list' --method tools/call --tool-name graph --tool-arg operation=topology entity=Task
inspect 0 '\"count\":2' --method tools/call --tool-name graph --tool-arg operation=query text=tasks limit=2
inspect 5 'did you mean `topology`?' --method tools/call --tool-name graph --tool-arg operation=topolgy
inspect 0 'dz:language/entities' --method resources/list
inspect 0 'unknown-role' --method resources/read --uri dz:rules/unknown-role
inspect 1 'there is no resource' --method resources/read --uri dz:nothing
inspect 0 'review_access' --method prompts/list
inspect 0 'Entity: Task' --method prompts/get --prompt-name review_access --prompt-args entity=Task

echo "== the conformance suite of the Model Context Protocol against dz mcp"
# The other scenarios call tools, resources and prompts of a server of their own.
for scenario in server-initialize ping tools-list resources-list prompts-list dns-rebinding-protection; do
  "$modules/.bin/conformance" server --url "$address" --scenario "$scenario" >"$folder/scenario" 2>&1 &&
    grep -q ', 0 failed, 0 warnings' "$folder/scenario" || { cat "$folder/scenario"; exit 1; }
  echo "$scenario"
done
