// The TypeScript SDK of the Model Context Protocol as a client of `dz mcp`: both revisions over pipes and over HTTP.
//
//     node mcp_client.mjs path/to/dz FOLDER-OF-A-PROJECT
//
// The working directory has the package of the client.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(join(process.cwd(), 'package.json'));
const load = (name) => import(pathToFileURL(resolve(name)));
const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');
const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio');

const [dz, folder] = process.argv.slice(2);

async function ask(transport, mode, revision) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  assert.equal(client.getNegotiatedProtocolVersion(), revision);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((it) => it.name), ['graph']);
  // The client itself checks the structured content against the output schema.
  const graph = (parameters) => client.callTool({ name: 'graph', arguments: parameters });
  const result = await graph({ operation: 'topology', entity: 'Task' });
  assert(!result.isError && result.structuredContent.surfaces.includes('task_list'), JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  const wrong = await graph({ operation: 'topolgy' });
  assert(wrong.isError && wrong.structuredContent.error.includes('topology'), JSON.stringify(wrong));
  await assert.rejects(client.callTool({ name: 'grahp', arguments: {} }), { code: -32602 });
  const { resources } = await client.listResources();
  const declaration = resources.find((it) => it.uri.startsWith('file:'));
  const { contents } = await client.readResource({ uri: declaration.uri });
  assert(contents[0].text.includes('entity Task'));
  await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), { code: -32602 });
  const { prompts } = await client.listPrompts();
  assert(prompts.some((it) => it.name === 'add_entity') && prompts.some((it) => it.name === 'review_access'));
  const { messages } = await client.getPrompt({ name: 'review_access', arguments: { entity: 'Task' } });
  assert(messages[0].content.text.includes('Task'));
  await client.close();
}

const modes = [['legacy', '2025-11-25'], ['auto', '2026-07-28'], [{ pin: '2026-07-28' }, '2026-07-28']];
const named = (mode) => (typeof mode === 'string' ? mode : mode.pin);

for (const [mode, revision] of modes) {
  await ask(new StdioClientTransport({ command: dz, args: ['mcp', '--file', 'app.dsl'], cwd: folder, stderr: 'inherit' }), mode, revision);
  console.log(`stdio, ${named(mode)}: ${revision}`);
}

const server = spawn(dz, ['mcp', '--file', 'app.dsl', '--http', '0'], { cwd: folder, stdio: ['ignore', 'inherit', 'pipe'] });
try {
  const [address] = await once(createInterface({ input: server.stderr }), 'line');
  for (const [mode, revision] of modes) {
    await ask(new StreamableHTTPClientTransport(new URL(address)), mode, revision);
    console.log(`HTTP, ${named(mode)}: ${revision}`);
  }
} finally {
  server.kill();
}
