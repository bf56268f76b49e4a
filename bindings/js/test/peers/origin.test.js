// Runs the client over undici and real sockets against the hostile origin (`verger-origin`, docs/origin.md), and compares
// each result with the origin's table.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { AddressGuard, fetchTransport, profiles, RobotsClient, undiciTransport } from "verger/access";
import { withVerger } from "verger/crawlee";

const peers = createRequire(new URL("../../peers/package.json", import.meta.url));
const undici = peers("undici");
const { BasicCrawler, Configuration } = peers("@crawlee/basic");
const { RobotsTxtFile } = peers("@crawlee/utils");
const { default: log } = peers("@apify/log");
log.setLevel(log.LEVELS.OFF);
const program = process.env.VERGER_ORIGIN;

/** Behaviours that undici rejects and the command's client accepts, so the robots.txt is unreachable. The transport does
 * not use HTTP/2, and undici rejects some chunks, a length next to them, and a control byte in a field. */
const STRICTER = [
    "chunk-extension",
    "chunked-with-length",
    "http2-head-of-request",
    "http2-reset-behind-end",
    "http2-status-in-trailers",
    "http2-trailers",
    "http2-usual",
    "no-store-beside-control",
];

let origin;
let behaviours;
const certificate = new URL(`../../tmp/origin-${process.pid}.pem`, import.meta.url);

/** `name url`, then lines `profile, profile: stance result; …`. */
function behaviourOf(block) {
    const [head, ...lines] = block.split("\n");
    const [name, url] = head.split(/ +/);
    const answers = {};
    for (const line of lines) {
        const [, names, stance, result] = /^ {4}([a-z0-9, -]+): (\w+) (\w+);/.exec(line) ?? [];
        const listed = names === "all" ? profiles().map(({ name }) => name) : names?.split(", ");
        listed?.forEach((profile) => (answers[profile] = `${stance} ${result}`));
    }
    // It never ends, so the client must time out.
    return { name, url, answers, mayTimeOut: block.includes("failed timeout") };
}

/** Starts the origin, and returns whether all its ports were free. It prints its listing once they are open. */
async function starts(port) {
    const options = ["--port", String(port), "--root-certificate", fileURLToPath(certificate)];
    const listing = execFileSync(program, [...options, "--list"], { encoding: "utf8" });
    const last = listing.trim().split("\n").at(-1);
    origin = spawn(program, options, { stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    for await (const part of origin.stdout) {
        printed += part;
        if (printed.includes(last)) {
            behaviours = listing.trim().split(/\n\n/).map(behaviourOf).filter(({ url }) => url.startsWith("http"));
            return true;
        }
    }
    return false;
}

before(async () => {
    assert.ok(program, "VERGER_ORIGIN names no program");
    for (let attempt = 0; attempt < 20; attempt += 1) {
        if (await starts(20_000 + Math.floor(Math.random() * 12_000))) return;
    }
    assert.fail("the origin found no free ports");
});

after(() => {
    origin?.kill();
    rmSync(certificate, { force: true });
});

for (const { name: profile } of profiles()) {
    test(`over undici, under ${profile}`, async () => {
        const guard = new AddressGuard({ allow: ["127.0.0.0/8", "::1/128"] });
        const transport = undiciTransport(undici, { guard, connect: { ca: readFileSync(certificate) } });
        const clientOf = (timeout) => new RobotsClient({ profile, transport, timeout });
        const [patient, hasty] = [clientOf(600_000), clientOf(1000)];
        const asked = behaviours.map(async ({ name, url, answers, mayTimeOut }) => {
            const client = mayTimeOut ? hasty : patient;
            const { stance, accessResult: result } = await client.answer(url);
            const found = `${stance} ${result.result}`;
            const isStricter = STRICTER.includes(name) && result.result === "unreachable" && stance !== "open";
            const same = STRICTER.includes(name) ? isStricter : found === answers[profile];
            return same ? [] : [`${name}: ${found}, not ${answers[profile]} (${result.what})`];
        });
        assert.deepEqual((await Promise.all(asked)).flat(), []);
    });
}

test("over fetch, under cautious", async () => {
    const client = new RobotsClient({ profile: "cautious", transport: fetchTransport(), timeout: 600_000 });
    const asked = behaviours.filter(({ url, mayTimeOut }) => url.startsWith("http:") && !mayTimeOut);
    // These are compressed although that was not requested.
    const isStricter = (name) => [...STRICTER, "brotli-bomb", "gzip-bomb", "gzip-then-nuls"].includes(name);
    const found = asked.map(async ({ name, url, answers }) => {
        const { stance, accessResult: result } = await client.answer(url);
        // `fetch` joins two `Location` fields, so the stance is the same for another reason.
        const wanted = isStricter(name) ? "closed" : answers.cautious.split(" ")[0];
        return stance === wanted ? [] : [`${name}: ${stance}, not ${wanted} (${result.what})`];
    });
    assert.deepEqual((await Promise.all(found)).flat(), []);
});

test("Crawlee with the mixin requests no page of a site that the profile closes", async () => {
    const guard = new AddressGuard({ allow: ["127.0.0.0/8", "::1/128"] });
    const transport = undiciTransport(undici, { guard, connect: { ca: readFileSync(certificate) } });
    for (const profile of ["rfc9309", "cautious"]) {
        const client = new RobotsClient({ profile, transport, timeout: 600_000 });
        const Crawler = withVerger(BasicCrawler, RobotsTxtFile, client);
        const handled = new Set();
        const requestHandler = async ({ request }) => void handled.add(new URL(request.url).origin);
        const options = { requestHandler, respectRobotsTxtFile: true, maxConcurrency: 100, maxRequestRetries: 0 };
        const crawler = new Crawler(options, new Configuration({ persistStorage: false }));
        const asked = behaviours.filter(({ mayTimeOut }) => !mayTimeOut);
        await crawler.run(asked.map(({ url }) => new URL("/page", url).href));
        const wrong = asked.filter(({ name, url, answers }) => {
            const [stance] = answers[profile].split(" ");
            const isHandled = handled.has(new URL(url).origin);
            const isShut = ["closed", "defer"].includes(stance) || STRICTER.includes(name);
            return (isHandled && isShut) || (!isHandled && stance === "open");
        });
        assert.deepEqual(wrong, []);
        assert.ok(handled.size > 20, String(handled.size));
    }
});

test("the guard refuses loopback, which says nothing about the site", async () => {
    const client = new RobotsClient({ transport: undiciTransport(undici) });
    for (const url of [behaviours[0].url, behaviours[0].url.replace("127.0.0.1", "localhost")]) {
        const { accessResult: result, notKept, stance } = await client.answer(url);
        assert.equal(stance, "closed");
        assert.match(result.what, /address/);
        assert.match(notKept, /refused here/);
    }
});
