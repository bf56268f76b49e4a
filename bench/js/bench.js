// Compares the npm package, and its drop-in for robots-parser, with robots-parser 3.0.1 on real files, interleaved in one
// process. CPU time, medians of rounds.
//
//     cargo xtask js --corpus CORPUS --files 500
//     cd bench/js && npm install && VERGER_CHROMIUM=/usr/bin/chromium node bench.js ../../target/js/corpus

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import robotsParser from "robots-parser";
import { allowed, policy } from "verger";
import dropIn from "verger/robots-parser";
import { figuresOfPage } from "./keys.js";

const ROUNDS = 7;
const SITE = "https://www.example.com";
const AGENT = "ExampleBot";

if (process.argv[2] === "--first-lint") {
    const { lint } = await import("verger/owner");
    const start = performance.now();
    lint("User-agent: *\nDissalow: /private\n");
    console.log(performance.now() - start);
    process.exit();
}

const folder = process.argv[2];
const bytes = readdirSync(folder).sort().map((name) => new Uint8Array(readFileSync(`${folder}/${name}`)));
const decoder = new TextDecoder();
const texts = bytes.map((body) => decoder.decode(body));

/** URLs of which some match a rule of the file. */
function urlsOf(text, count) {
    const patterns = [...text.matchAll(/^\s*(?:dis)?allow\s*:\s*(\/[^\s#*$]*)/gim)].map(([, pattern]) => pattern);
    return Array.from({ length: count }, (_, at) => {
        const pattern = patterns.length > 0 && at % 2 === 0 ? patterns[(at * 7) % patterns.length] : `/page/${at}`;
        return `${SITE}${pattern}x${at}`;
    });
}

const verger = (body, urls) => {
    if (urls.length === 1) {
        return allowed(body, urls[0], AGENT) ? 1 : 0;
    }
    const rules = policy(body, AGENT);
    let count = 0;
    for (const url of urls) {
        count += rules.allowed(url) ? 1 : 0;
    }
    rules.dispose();
    return count;
};
/** An implementation of the interface of robots-parser, which takes text alone. The drop-in takes bytes, too. */
const parserOf = (parser) => (body, urls) => {
    const robots = parser(`${SITE}/robots.txt`, typeof body === "string" || parser === dropIn ? body : decoder.decode(body));
    let count = 0;
    for (const url of urls) {
        count += robots.isAllowed(url, AGENT) ? 1 : 0;
    }
    return count;
};

const microseconds = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
};
const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];

console.log(`${texts.length} files, ${Math.round(texts.reduce((sum, text) => sum + text.length, 0) / texts.length)} characters each`);

/** What a file costs with so many URLs, of bodies as bytes, as a reply has them, or as text. */
function compare(kind, bodies, count) {
    const asked = bodies.map((body, at) => [body, urlsOf(texts[at], count)]);
    const contenders = { verger, dropIn: parserOf(dropIn), peer: parserOf(robotsParser) };
    const times = { verger: [], dropIn: [], peer: [] };
    const answers = {};
    for (let round = 0; round <= ROUNDS; round += 1) {
        for (const [name, answer] of Object.entries(contenders)) {
            const start = microseconds();
            let sum = 0;
            for (const [body, urls] of asked) {
                sum += answer(body, urls);
            }
            // The first round warms up.
            if (round > 0) {
                times[name].push((microseconds() - start) / bodies.length);
            }
            answers[name] = sum;
        }
    }
    const [ours, drop, theirs] = [median(times.verger), median(times.dropIn), median(times.peer)];
    const ratio = (time) => `${time.toFixed(1)} µs (${(theirs / time).toFixed(1)} times)`;
    const figures = `verger ${ratio(ours)}, verger/robots-parser ${ratio(drop)}, robots-parser ${theirs.toFixed(1)} µs`;
    console.log(`${kind}, ${count} URLs a file: ${figures}; allowed: ${Object.values(answers).join(", ")}`);
}
for (const count of [1, 10, 100]) {
    compare("bytes", bytes, count);
    compare("text", texts, count);
    compare("two rules", texts.map(() => "User-agent: *\nDisallow: /private\nAllow: /private/index.html\n"), count);
}

const own = fileURLToPath(import.meta.url);
const lints = Array.from({ length: ROUNDS }, () => Number(execFileSync(process.execPath, [own, "--first-lint"], { encoding: "utf8" })));
console.log(`first lint: ${median(lints).toFixed(1)} ms`);
const modules = createRequire(import.meta.url).resolve("verger/package.json").replace("package.json", "wasm/");
for (const name of ["engine.wasm", "owner.wasm", "verger.wasm"]) {
    const module = readFileSync(modules + name);
    console.log(`${name}: ${module.length} bytes, ${brotliCompressSync(module).length} with brotli`);
}
const page = new URL("../../bindings/js/page/dist/", import.meta.url);
const sizes = readdirSync(page).map((name) => brotliCompressSync(readFileSync(new URL(name, page))).length);
console.log(`the page: ${sizes.reduce((sum, size) => sum + size, 0)} bytes with brotli`);
console.log((await figuresOfPage(process.env.VERGER_CHROMIUM ?? "/usr/bin/chromium")).join("\n"));
