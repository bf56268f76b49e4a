// The types compile for those who use the package, by TypeScript 5 without the types of Node.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const peers = createRequire(new URL("../../peers/package.json", import.meta.url));
const compiler = peers.resolve("typescript/lib/tsc.js");

const ENGINE = `
import { allowed, policy, type Policy } from "verger";
import * as owner from "verger/owner";
const kept: Policy = policy("", "a");
export const answers = [allowed("", "a", "/"), kept.allowed("/"), owner.who("")];
export function disposed(): void { using it = policy("", "a"); it.allowed("/"); }
`;
const ACCESS = `
import { AddressGuard, fetchTransport } from "verger/access";
import { withVerger } from "verger/crawlee";
import { gate } from "verger/gate";
export const all = [new AddressGuard().lookup, fetchTransport, withVerger, gate];
`;
const IMPORTED = `
import robotsParser, { type Robot } from "verger/robots-parser";
const robot: Robot = robotsParser("http://h/robots.txt", "");
export const answer: boolean | undefined = robot.isAllowed("http://h/");
`;
const REQUIRED = `
import robotsParser = require("verger/robots-parser");
import type { Robot } from "verger/robots-parser";
const robot: Robot = robotsParser("http://h/robots.txt", "");
const same: robotsParser.Robot = robotsParser.default("http://h/robots.txt", "");
export const answers = [robot.isAllowed("http://h/"), same.isAllowed("http://h/")];
`;

const ES2022 = { module: "nodenext", lib: ["es2022"] };
const DOM = { module: "nodenext", lib: ["es2022", "dom"] };
const NODE10 = { module: "commonjs", moduleResolution: "node10", esModuleInterop: true, lib: ["es2022", "dom"] };

for (const [name, file, text, options] of [
    ["the engine and the owner's questions, in ES2022 alone", "it.mts", ENGINE, ES2022],
    ["robots-parser, imported", "it.mts", IMPORTED, ES2022],
    ["robots-parser, required", "it.cts", REQUIRED, ES2022],
    ["access, gate and Crawlee, where there is fetch", "it.mts", ACCESS, DOM],
    ["all of them, as Node 10 found packages", "it.ts", ENGINE + ACCESS + IMPORTED, NODE10],
]) {
    test(name, (t) => {
        const folder = mkdtempSync(join(tmpdir(), "verger-"));
        t.after(() => rmSync(folder, { recursive: true }));
        mkdirSync(join(folder, "node_modules"));
        symlinkSync(fileURLToPath(new URL("../..", import.meta.url)), join(folder, "node_modules/verger"));
        const compilerOptions = { strict: true, noEmit: true, target: "es2022", types: [], preserveSymlinks: true, ...options };
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
        writeFileSync(join(folder, file), text);
        const { status, stdout } = spawnSync(process.execPath, [compiler, "--project", folder], { encoding: "utf8" });
        assert.equal(status, 0, stdout);
    });
}
