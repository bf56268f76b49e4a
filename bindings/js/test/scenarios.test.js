// The scenarios of the repository's testdata/access, which `cargo xtask js` writes as JSON Lines: what servers say at
// which time, and the answer of each profile. The client runs them in virtual time.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { authority, profiles, RobotsClient } from "verger/access";

const lines = readFileSync(new URL("../tmp/cases.jsonl", import.meta.url), "utf8").trim().split("\n").map(JSON.parse);
const scenarios = lines.filter(({ kind }) => kind === "scenario");
const bytes = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

/** The reply of the web that a scenario describes; what it does not describe has no name in the DNS. */
function arrival(web, { url, headers }) {
    const reply = web.get(url) ?? { failure: "dns" };
    if ("failure" in reply) {
        return { failure: reply.failure, detail: "" };
    }
    if ("ftp" in reply) {
        return { ftpReply: reply.ftp };
    }
    if ("ftp_file_base64" in reply) {
        return { ftpFile: bytes(reply.ftp_file_base64), isCut: false };
    }
    const served = Object.fromEntries(reply.headers);
    const conditions = Object.fromEntries(headers);
    const pairs = [["if-none-match", "etag"], ["if-modified-since", "last-modified"]];
    const isUnchanged = pairs.some(([asked, name]) => asked in conditions && conditions[asked] === served[name]);
    const body = isUnchanged ? new Uint8Array() : bytes(reply.body_base64);
    return { status: isUnchanged ? 304 : reply.status, headers: reply.headers, body, isCut: false };
}

/** The answer, as far as a scenario says something. */
function stated(answer, expected, zero) {
    const found = {
        stance: answer.stance,
        result: answer.accessResult?.result ?? null,
        ask_again: answer.dueAt / 1000 - zero,
        holds_until: answer.holdsUntil / 1000 - zero,
        outcome: answer.accessResult?.what ?? "",
        clause: answer.clause,
        result_clause: answer.accessResult?.clause ?? null,
    };
    const always = ["stance", "result", "ask_again"];
    const keys = Object.keys(expected).filter((key) => always.includes(key) || expected[key] !== null);
    return [keys.map((key) => found[key]), keys.map((key) => expected[key])];
}

async function replay(scenario, profile, count) {
    const web = new Map();
    let [now, jitter] = [0, 0];
    const transport = async (request) => arrival(web, request);
    const client = new RobotsClient({ profile, transport, now: () => now * 1000, jitter: () => jitter / 1000 });
    for (const moment of scenario.moments) {
        const at = `${scenario.id} at ${moment.at} s under ${profile}`;
        now = scenario.time_zero + moment.at;
        jitter = moment.jitter;
        Object.entries(moment.web).forEach(([url, reply]) => web.set(url, reply));
        const rest = { restOfSiteIsUp: moment.rest_is_up };
        const isDue = client.answerFromMemory(scenario.url, rest).dueAt <= now * 1000;
        const fetches = moment.fetch === "always" || (moment.fetch === "due" && isDue);
        const report = fetches ? await client.fetch(scenario.url) : { hops: [], warnings: [] };
        const answer = client.answerFromMemory(scenario.url, rest);
        if (profile in moment.answers) {
            const [found, expected] = stated(answer, moment.answers[profile], scenario.time_zero);
            assert.deepEqual(found, expected, at);
            count.answers += 1;
        }
        if (moment.fetch === "due") {
            assert.deepEqual(await client.answer(scenario.url, rest), answer, at);
        }
        if (moment.requests !== null) {
            assert.deepEqual(report.hops.map(({ url }) => url), moment.requests, at);
        }
        if (moment.warnings !== null) {
            assert.deepEqual(report.warnings.map(({ kind }) => kind), moment.warnings, at);
        }
        for (const [question, effect] of Object.entries(moment.verdicts)) {
            const [agent, url] = [question.slice(0, question.indexOf(" ")), question.slice(question.indexOf(" ") + 1)];
            const decision = client.decideFromMemory(new URL(url, scenario.url).href, agent, rest);
            // Where it is due, memory does not decide.
            assert.equal(decision === undefined, answer.dueAt <= now * 1000, `${at}: ${question}`);
            assert.equal(decision?.allowed ?? false, effect === "allow", `${at}: ${question}`);
            count.verdicts += 1;
        }
    }
}

for (const { name } of profiles()) {
    test(`the client answers every scenario under ${name}`, async () => {
        const count = { answers: 0, verdicts: 0 };
        for (const scenario of scenarios) {
            await replay(scenario, name, count);
        }
        assert.ok(count.answers > 100 && count.verdicts > 10, JSON.stringify(count));
    });
}

test("every URL has its robots.txt", () => {
    const locations = lines.filter(({ kind }) => kind === "location");
    assert.ok(locations.length > 10);
    const nameOf = (url) => {
        try {
            return authority(url).authority;
        } catch (error) {
            return error;
        }
    };
    for (const { id, url, robots, error, applies_to, not_applied_to } of locations) {
        if (error !== null) {
            assert.ok(nameOf(url) instanceof Error && nameOf(url).message.startsWith(error), id);
            continue;
        }
        assert.equal(authority(url).robotsUrl, robots, id);
        applies_to.forEach((other) => assert.equal(nameOf(other), nameOf(url), `${id}: ${other}`));
        not_applied_to.forEach((other) => assert.notEqual(nameOf(other), nameOf(url), `${id}: ${other}`));
    }
});
