// Starts `aplomb lsp` for the files of aplomb.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
    const settings = vscode.workspace.getConfiguration("aplomb");
    const server = { command: settings.get("command"), args: ["lsp"] };
    const documentSelector = settings.get("files").map((pattern) => ({ scheme: "file", pattern }));
    client = new LanguageClient("aplomb", "aplomb", server, { documentSelector });
    return client.start();
}

async function restart() {
    await client?.stop();
    await start();
}

exports.activate = (context) => {
    const changed = vscode.workspace.onDidChangeConfiguration(
        (event) => event.affectsConfiguration("aplomb") && restart(),
    );
    context.subscriptions.push(changed);
    return start();
};

exports.deactivate = () => client?.stop();
