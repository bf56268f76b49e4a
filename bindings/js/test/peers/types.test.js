// The types compile for those who use the package: in the oldest and the newest TypeScript, without the types of Node,
// and with each version of undici. So do the snippets of the README.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(root, "peers/node_modules");
const COMPILERS = {
    5.2: join(modules, "typescript-5.2/lib/tsc.js"),
    5.9: join(modules, "typescript/lib/tsc.js"),
    newest: join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc"),
};

const ENGINE = `
import { allowed, policy, type Policy, VergerError, type Verdict } from "verger";
import * as owner from "verger/owner";
const kept: Policy = policy(new ArrayBuffer(0), "a");
export const answers = [allowed("", "/", "a"), allowed("", { url: "/", agent: "a" }), kept.allowed("/"), owner.who("")];
export const same: boolean | null = owner.diff("", "").end.same;
export const verdicts: Verdict[] = ["/"].map(kept.verdict);
export const code = (error: VergerError): string => error.code;
export function disposed(): void { using it = policy("", "a"); it.allowed("/"); }
`;
const ACCESS = `
import { AddressGuard, fetchTransport, RobotsClient } from "verger/access";
import { withVerger } from "verger/crawlee";
import { DeniedError, gate } from "verger/gate";
export const all = [new AddressGuard().lookup, fetchTransport, withVerger, gate, DeniedError];
export const decided: Promise<number> = new RobotsClient({ agent: "a", now: Date.now }).decide(new URL("https://h/")).then(({ delay }) => delay);
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
const GATED = `
import * as undici from "undici";
import { RobotsClient, undiciTransport } from "verger/access";
import { gateInterceptor } from "verger/gate";
const client = new RobotsClient({ transport: undiciTransport(undici) });
export const agent: undici.Dispatcher = new undici.Agent().compose(gateInterceptor(client), undici.interceptors.redirect());
`;
/** All snippets of the README as one module. */
const README = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code);
/** The part of Crawlee that is installed. */
const CRAWLEE = 'export { BasicCrawler as CheerioCrawler } from "@crawlee/basic";\nexport { RobotsTxtFile } from "@crawlee/utils";\n';

const ES2022 = { lib: ["es2022"] };
const DOM = { lib: ["es2022", "dom"] };
const NODE = { lib: ["es2022"], types: ["node"], skipLibCheck: true };
/** The module settings, and the compilers that have them. */
const SETTINGS = [
    [{ module: "node16" }, ["5.2", "5.9", "newest"]],
    [{ module: "nodenext" }, ["5.2", "5.9", "newest"]],
    [{ module: "es2022", moduleResolution: "bundler" }, ["5.2", "5.9", "newest"]],
    [{ module: "esnext", moduleResolution: "bundler", verbatimModuleSyntax: true }, ["5.2", "5.9", "newest"]],
    [{ module: "preserve" }, ["5.9", "newest"]],
    [{ module: "commonjs", moduleResolution: "node10", esModuleInterop: true }, ["5.2", "5.9"]],
];

/** Asserts that a module compiles, beside links to packages. */
function compiles(t, version, file, text, options, links = {}, crawlee = "") {
    const folder = mkdtempSync(join(tmpdir(), "verger-"));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
    const linked = { verger: root, ...links };
    for (const [name, target] of Object.entries(linked)) {
        mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
        symlinkSync(target, join(folder, "node_modules", name));
    }
    if (crawlee !== "") {
        mkdirSync(join(folder, "node_modules/crawlee"));
        writeFileSync(join(folder, "node_modules/crawlee/package.json"), '{ "types": "index.d.ts" }');
        writeFileSync(join(folder, "node_modules/crawlee/index.d.ts"), crawlee);
    }
    const compilerOptions = { strict: true, noEmit: true, target: "es2022", types: [], preserveSymlinks: true, ...options };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, file), text);
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMPILERS[version], "--project", folder], { encoding: "utf8" });
    assert.equal(status, 0, `${stdout}${stderr}`);
}

const packages = (...names) => Object.fromEntries(names.map((name) => [name, join(modules, name)]));

for (const [settings, versions] of SETTINGS) {
    const file = settings.moduleResolution === "node10" ? "it.cts" : "it.mts";
    for (const version of versions) {
        test(`all of it in TypeScript ${version} with ${JSON.stringify(settings)}`, (t) => {
            compiles(t, version, file, ENGINE + ACCESS + IMPORTED, { ...DOM, ...settings });
        });
    }
}

for (const version of Object.keys(COMPILERS)) {
    test(`the engine and the owner's questions in TypeScript ${version}, in ES2022 alone`, (t) => {
        compiles(t, version, "it.mts", ENGINE + IMPORTED, { ...ES2022, module: "nodenext" });
    });
    test(`robots-parser in TypeScript ${version}, required`, (t) => {
        compiles(t, version, "it.cts", REQUIRED, { ...ES2022, module: "nodenext" });
    });
}

for (const [version, name] of [[6, "undici-6"], [7, "undici"], [8, "undici-8"]]) {
    test(`the gate composes with undici ${version}`, (t) => {
        const links = { undici: join(modules, name), ...packages("@types/node", "undici-types") };
        compiles(t, "5.9", "it.mts", GATED, { ...NODE, module: "nodenext" }, links);
    });
}

for (const version of ["5.2", "newest"]) {
    test(`the snippets of the README compile in TypeScript ${version}`, (t) => {
        assert.ok(README.length >= 5, `${README.length}`);
        const links = { ...packages("undici", "@types/node", "undici-types", "@crawlee/basic", "@crawlee/utils"), playwright: join(modules, "playwright-core") };
        compiles(t, version, "it.mts", README.join("\n"), { ...NODE, module: "nodenext", preserveSymlinks: false }, links, CRAWLEE);
    });
}
