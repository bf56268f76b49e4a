// Real files: the package answers with the JSON that the command prints, in Node, Bun and Deno.
//
//     node test/corpus.js FOLDER COMMAND

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { parse } from "verger";
import * as owner from "verger/owner";

const [folder, command] = process.argv.slice(2);
const DIALECTS = ["rfc9309", "google", "draft2019", "koster1996"];
const AGENTS = ["googlebot", "gptbot", "ccbot"];

const names = readdirSync(folder).sort();
const run = (...args) =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
const lines = (text) => text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

/** What the command prints, though it ends with 1 where something was found. */
function printed(...args) {
    try {
        return lines(run(...args));
    } catch (error) {
        if (error.status !== 1) {
            throw error;
        }
        return lines(error.stdout);
    }
}

let compared = 0;
const differences = [];
function compare(what, got, expected) {
    compared += 1;
    if (JSON.stringify(got) !== JSON.stringify(expected)) {
        differences.push(`${what}\n  command: ${JSON.stringify(expected)}\n  package: ${JSON.stringify(got)}`);
    }
}

const BATCH = 100;
for (let start = 0; start < names.length; start += BATCH) {
    const some = names.slice(start, start + BATCH);
    const dialect = DIALECTS[(start / BATCH) % DIALECTS.length];
    const bodies = some.map((name) => readFileSync(`${folder}/${name}`));
    const listed = printed("parse", "--json", "--dialect", dialect, ...some);
    const found = printed("lint", "--format", "json", ...some);
    some.forEach((name, at) => {
        const body = bodies[at];
        compare(`parse ${name}`, owner.parse(body, { name, dialect }), listed[at]);
        compare(`tree ${name}`, { ...parse(body, { dialect }).listing(), file: name }, listed[at]);
        compare(`lint ${name}`, owner.lint(body, { name }), found[at]);
    });
    // The rest asks about one file a process.
    for (const [at, name] of some.slice(0, 4).entries()) {
        const agents = AGENTS.flatMap((agent) => ["-a", agent]);
        const robots = ["--dialect", dialect, ...agents];
        compare(`who ${name}`, owner.who(bodies[at], { agents: AGENTS, dialect }), printed("who", "--format", "json", ...robots, name));
        const other = some[some.length - 1 - at];
        const changed = printed("diff", "--json", ...robots, name, other);
        compare(`diff ${name} ${other}`, owner.diff(bodies[at], bodies[some.length - 1 - at], { agents: AGENTS, dialect }), changed);
    }
}
for (const difference of differences.slice(0, 10)) {
    console.log(difference.slice(0, 2000));
}
console.log(`${names.length} files, ${compared} answers, ${differences.length} differ`);
process.exitCode = differences.length === 0 && compared > 0 ? 0 : 1;
