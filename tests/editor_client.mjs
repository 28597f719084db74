// VS Code's own client library against `dz lsp`: what the extension uses, without the editor.
//
//   node tests/editor_client.mjs path/to/dz FOLDER-OF-A-PROJECT
//
// The folder has `app.dsl`, and `vscode-languageserver-protocol` is found from the working folder.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.cwd(), "client.js"));
const protocol = require("vscode-languageserver-protocol/node");

const [dz, folder] = process.argv.slice(2).map((it) => resolve(it));
const path = join(folder, "app.dsl");
const uri = pathToFileURL(path).href;
const text = readFileSync(path, "utf8");
const server = spawn(dz, ["lsp"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((done) => server.on("exit", done));
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);

// The findings of a version of the text, whenever they come.
const published = [];
const waiting = [];
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (it) => {
  published.push(it);
  for (const look of [...waiting]) look();
});
const findings = (version) =>
  new Promise((done) => {
    const look = () => {
      const found = published.find((it) => it.uri === uri && it.version === version);
      if (found) {
        waiting.splice(waiting.indexOf(look), 1);
        done(found.diagnostics);
      }
    };
    waiting.push(look);
    look();
  });
connection.onRequest(protocol.RegistrationRequest.type, () => {});
connection.listen();

const initialized = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(folder).href,
  workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "project" }],
  capabilities: {
    general: { positionEncodings: [protocol.PositionEncodingKind.UTF16] },
    workspace: { didChangeWatchedFiles: { dynamicRegistration: true }, workspaceEdit: { documentChanges: true } },
    textDocument: {
      publishDiagnostics: { versionSupport: true },
      completion: { completionItem: { snippetSupport: true, documentationFormat: ["markdown"] } },
      documentSymbol: { hierarchicalDocumentSymbolSupport: true },
      semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
    },
  },
});
const { capabilities } = initialized;
for (const name of ["hoverProvider", "definitionProvider", "referencesProvider", "renameProvider", "documentFormattingProvider", "foldingRangeProvider"]) {
  assert.ok(capabilities[name], `the server says nothing about ${name}`);
}
await connection.sendNotification(protocol.InitializedNotification.type, {});
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "dz", version: 1, text },
});
const errors = (found) => found.filter((it) => it.severity === protocol.DiagnosticSeverity.Error);
assert.deepEqual(errors(await findings(1)), []);

// A keystroke that breaks a type, and the one that repairs it.
const lines = text.split("\n");
const row = lines.findIndex((it) => /: uuid\b/.test(it));
assert.ok(row >= 0, "the project has no field of the type uuid");
const at = lines[row].indexOf("uuid");
const range = (from, to) => ({ start: { line: row, character: from }, end: { line: row, character: to } });
const change = (version, edit) =>
  connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version },
    contentChanges: [edit],
  });
await change(2, { range: range(at + 4, at + 4), text: "x" });
const wrong = errors(await findings(2));
assert.equal(wrong.length, 1);
assert.equal(wrong[0].code, "unknown-type");
assert.equal(wrong[0].source, "dz");
assert.deepEqual(wrong[0].range, range(at, at + 5));

const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument: { uri },
  range: wrong[0].range,
  context: { diagnostics: wrong },
});
assert.ok(actions.some((it) => JSON.stringify(it.edit ?? {}).includes('"newText":"uuid"')), "no action writes `uuid`");
await change(3, { range: range(at + 4, at + 5), text: "" });
assert.deepEqual(errors(await findings(3)), []);

// The name of the first entity; that of accounts cannot change.
const declared = lines.findIndex((it) => /^entity (?!User\b)\w/.test(it));
const name = lines[declared].split(" ")[1].replace(":", "");
const position = { line: declared, character: "entity ".length };
const about = { textDocument: { uri }, position };
const hover = await connection.sendRequest(protocol.HoverRequest.type, about);
assert.ok(JSON.stringify(hover.contents).includes(name));
const uses = await connection.sendRequest(protocol.ReferencesRequest.type, { ...about, context: { includeDeclaration: true } });
assert.ok(uses.length > 1, `${name} has one use`);
const symbols = await connection.sendRequest(protocol.DocumentSymbolRequest.type, { textDocument: { uri } });
assert.ok(symbols.some((it) => it.name === name));
const edit = await connection.sendRequest(protocol.RenameRequest.type, { ...about, newName: "Renamed" });
const edits = edit.changes?.[uri] ?? edit.documentChanges.flatMap((it) => it.edits);
assert.equal(edits.length, uses.length);
await assert.rejects(connection.sendRequest(protocol.RenameRequest.type, { ...about, newName: "not a name" }), (problem) =>
  [-32602, -32803].includes(problem.code),
);
const types = await connection.sendRequest(protocol.CompletionRequest.type, {
  textDocument: { uri },
  position: { line: row, character: at },
});
assert.ok((types.items ?? types).some((it) => it.label === "uuid"), "`uuid` is not offered");
const folds = await connection.sendRequest(protocol.FoldingRangeRequest.type, { textDocument: { uri } });
assert.ok(folds.some((it) => it.startLine === declared));
const tokens = await connection.sendRequest(protocol.SemanticTokensRequest.type, { textDocument: { uri } });
assert.equal(tokens.data.length % 5, 0);
assert.ok(tokens.data.length > 0);

await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
assert.equal(await ended, 0);
connection.dispose();
console.log(`VS Code's client library: ${edits.length} edits of a rename, ${symbols.length} symbols, ${folds.length} folds`);
