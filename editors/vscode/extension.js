// Starts the debugger: softgpu --debug, or ./grade LAB --debug for a lab of the course.
"use strict";
const vscode = require("vscode");
const fs = require("fs");
const path = require("path");

function softgpu(folder) {
    const set = vscode.workspace.getConfiguration("fencepost").get("softgpu");
    const built = path.join(folder || "", "build/bin/softgpu");
    return set || (folder && fs.existsSync(built) ? built : "softgpu");
}

class Starter {
    createDebugAdapterDescriptor(session) {
        const c = session.configuration;
        const folder = session.workspaceFolder && session.workspaceFolder.uri.fsPath;
        if (!c.lab)
            return new vscode.DebugAdapterExecutable(softgpu(folder), ["--debug"], { cwd: folder });
        const words = [c.lab, "--debug"];
        for (const name of ["case", "file", "seed"])
            if (c[name] !== undefined)
                words.push("--" + name, String(c[name]));
        return new vscode.DebugAdapterExecutable(path.join(folder || "", "grade"), words, { cwd: folder });
    }
}

class Checker {
    // F5 without a launch.json: the lab that the file belongs to.
    resolveDebugConfiguration(folder, c) {
        if (!c.type)
            Object.assign(c, { type: "softgpu", request: "launch", name: "This lab on softgpu", lab: "${fileDirnameBasename}" });
        if (!c.lab && !c.program) {
            vscode.window.showErrorMessage("softgpu: name a \"lab\" or a \"program\" in the launch configuration");
            return undefined;
        }
        if (c.lab)
            delete c.program; // the grader names it, with its arguments and its seed
        return c;
    }
    resolveDebugConfigurationWithSubstitutedVariables(folder, c) {
        return c;
    }
}

const places = { otherAccess: "softgpu/otherAccess", lastWrite: "softgpu/lastWrite", signal: "softgpu/signal", couldRead: "softgpu/couldRead" };

// From a finding to what it speaks of; what the next load could read goes to the debug console.
async function ask(request) {
    const session = vscode.debug.activeDebugSession;
    const item = vscode.debug.activeStackItem;
    try {
        const answer = await session.customRequest(request, { threadId: item && item.threadId });
        if (answer && answer.result)
            vscode.debug.activeDebugConsole.appendLine(answer.result);
    } catch (e) {
        vscode.window.showErrorMessage("softgpu: " + e.message);
    }
}

exports.activate = function (context) {
    context.subscriptions.push(vscode.debug.registerDebugAdapterDescriptorFactory("softgpu", new Starter()),
                               vscode.debug.registerDebugConfigurationProvider("softgpu", new Checker()));
    for (const [name, request] of Object.entries(places))
        context.subscriptions.push(vscode.commands.registerCommand("fencepost." + name, () => ask(request)));
};
exports.deactivate = function () {};
