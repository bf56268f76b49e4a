// What the command prints about real files, as cases, so that the package is held to it in every runtime.
//
//     node test/real.js COMMAND FILE... > tmp/cases.jsonl

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";

const [command, ...files] = process.argv.slice(2);
const DIALECTS = ["rfc9309", "google", "draft2019", "koster1996"];
const AGENTS = ["googlebot", "adsbot-google", "gptbot", "ccbot"];
const URLS = ["/", "/robots.txt", "/search?q=a", "/wp-admin/", "/a/b.html", "https://h.example/%7Ea/", "no URL"];
/** The command answers who and diff about one file, and two, in a process; about so many it is asked. */
const ASKED_ALONE = 8;

/** What the command prints; it ends with 1 where something was found, and with 2 where not all was decided. */
function printed(input, ...args) {
    const { stdout, status, stderr } = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 30 });
    if (![0, 1, 2].includes(status) || stdout === "") {
        throw new Error(`${args.join(" ")}: ${stderr}`);
    }
    return stdout.split("\n").filter((line) => line !== "");
}

// As many files as come in one call have one dialect; it is another one for the next call.
const dialect = DIALECTS[[...files[0]].reduce((sum, one) => sum + one.charCodeAt(0), 0) % DIALECTS.length];
const base64 = (name) => readFileSync(name).toString("base64");

function write(question, name, expected, more = {}) {
    const row = { kind: "answer", id: `${question} ${name}`, question, name, robots_base64: base64(name), dialect, agents: [] };
    process.stdout.write(`${JSON.stringify({ ...row, ...more, expect: expected.join("\n") })}\n`);
}

process.stdout.write('{"kind":"real"}\n');
const listed = printed("", "parse", "--json", "--dialect", dialect, ...files);
const found = printed("", "lint", "--format", "json", ...files);
files.forEach((name, at) => {
    write("parse", name, [listed[at]]);
    write("tree", name, [listed[at]]);
    write("lint", name, [found[at]]);
});
const agents = AGENTS.flatMap((agent) => ["-a", agent]);
for (const [at, name] of files.slice(0, ASKED_ALONE).entries()) {
    const other = files[files.length - 1 - at];
    const more = { agents: AGENTS, new_base64: base64(other), urls: URLS.join("\n") };
    const asked = ["--json", "--dialect", dialect, ...agents];
    write("who", name, printed("", "who", ...asked, name), more);
    write("diff", name, printed("", "diff", ...asked, name, other), more);
    write("diff-urls", name, printed(more.urls, "diff", ...asked, name, other, "--urls", "-"), more);
}
