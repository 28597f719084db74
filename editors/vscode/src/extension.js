// Starts `dz lsp` for declarations and for Rust files with `dz!` blocks.
const { commands, workspace, Uri, Position, Range, Location } = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

exports.activate = async function (context) {
  const command = workspace.getConfiguration("dz").get("path", "dz");
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("dz", "dz", server, {
    documentSelector: [{ language: "dz" }, { language: "rust", scheme: "file" }],
  });
  const place = (it) => new Position(it.line, it.character);
  context.subscriptions.push(
    // The server sends plain data, and the editor's command needs its own types.
    commands.registerCommand("dz.showReferences", (uri, position, locations) => {
      const found = locations.map(
        ({ uri, range }) => new Location(Uri.parse(uri), new Range(place(range.start), place(range.end))),
      );
      return commands.executeCommand("editor.action.showReferences", Uri.parse(uri), place(position), found);
    }),
  );
  await client.start();
};

exports.deactivate = () => client?.stop();
