// The cases of the repository's testdata/, which `cargo xtask js` writes as JSON Lines: the package is held to the
// same table as the engine, in every runtime. In Node, Bun and Deno this is a program.

import { parse, policy, allowed, verdict, ProductTokenError, TargetError } from "verger";
import * as owner from "verger/owner";

const OPTIONS = {
    "other-records-lenient": "lenient-other-records",
    "lenient-lines": "lenient-lines",
    "ignore-allow": "ignore-allow",
    bridge: "bridge-encodings",
    "comma-agents": "comma-agents",
};
const DIALECTS = ["rfc9309", "google", "draft2019", "koster1996"];

const bytes = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

function same(got, expected, what) {
    const [a, b] = [JSON.stringify(got), JSON.stringify(expected)];
    if (a !== b) {
        throw new Error(`${what}: expected ${b}, got ${a}`);
    }
}

/** What a call returns, or `error` where it throws an error of a name or of a URL. */
function outcome(call) {
    try {
        return call();
    } catch (error) {
        if (error instanceof ProductTokenError || error instanceof TargetError) {
            return "error";
        }
        throw error;
    }
}

const words = (it) => `${it.effect} ${it.line ?? it.reason}`;
const groupWords = (group) => group && `${group.line} ${group.namedBy === "token" ? "named" : "star"}`;

/** The verdict and the group in the words of the case files, as every interface of the package says them. */
function answer(body, agents, url, reading) {
    const agent = agents.length === 1 ? agents[0] : agents;
    const robots = parse(body, reading);
    const kept = outcome(() => robots.policy(agent));
    const said = kept === "error" ? kept : outcome(() => kept.verdict(url));
    const others = [
        () => robots.verdict(url, agent),
        () => verdict(body, url, agent, reading),
        () => policy(body, agent, reading).verdict(url),
    ];
    for (const other of others) {
        same(outcome(other), said, "verdict");
    }
    const isAllowed = said === "error" ? said : said.allowed;
    for (const other of [() => robots.allowed(url, agent), () => allowed(body, url, agent, reading)]) {
        same(outcome(other), isAllowed, "allowed");
    }
    if (said === "error") {
        return { words: said, group: null };
    }
    same(kept.allowed(url), said.allowed, "policy.allowed");
    const explained = owner.explain(body, url, agent, reading);
    same([explained.allowed, explained.line], [said.allowed, said.line], "explain");
    kept.dispose();
    return { words: words(said), group: groupWords(said.group) };
}

const tables = {
    case({ id, robots_base64, option, asks }) {
        const options = option ? [OPTIONS[option]] : [];
        for (const { agents, url_base64, verdicts, groups } of asks) {
            for (const [dialect, expected] of Object.entries(verdicts)) {
                const got = answer(bytes(robots_base64), agents, bytes(url_base64), { dialect, options });
                same(got.words, expected, `${id} in ${dialect} for ${agents}`);
                if (dialect in groups) {
                    same(got.group, groups[dialect], `${id} in ${dialect}: group`);
                }
            }
        }
    },

    target({ id, url_base64, google, other, cannot_be_asked }) {
        const url = bytes(url_base64);
        for (const dialect of DIALECTS) {
            const found = dialect === "google" ? google : cannot_be_asked ? null : other;
            const expected = found === null ? "error" : "allow no-group";
            same(answer("", ["x"], url, { dialect }).words, expected, `${id} in ${dialect}`);
            const explained = outcome(() => owner.explain("", url, "x", { dialect }).allowed);
            same(explained, found === null ? "error" : true, `${id} in ${dialect}: explain`);
        }
    },

    token({ id, text, accepted, likely }) {
        try {
            policy("", text).dispose();
            same(true, accepted, id);
        } catch (error) {
            same(error.name, "ProductTokenError", id);
            same(false, accepted, id);
            if (likely) {
                same(error.likely, likely, id);
            }
        }
    },

    listing({ id, robots_base64, dialects, groups, sitemaps }) {
        for (const dialect of dialects) {
            const robots = parse(bytes(robots_base64), { dialect });
            if (groups) {
                const listed = robots.groups.map(({ userAgents, rules }) => ({
                    agents: userAgents,
                    rules: rules.map(({ effect, pattern }) => `${effect} ${pattern}`.trimEnd()),
                }));
                same(listed, groups, `${id} in ${dialect}`);
            }
            if (sitemaps) {
                same([...new Set(robots.sitemaps)], [...new Set(sitemaps)], `${id} in ${dialect}`);
            }
        }
    },

    value({ id, robots_base64, agent, target, field, expect }) {
        if (target !== null && target !== undefined) {
            return;
        }
        const values = parse(bytes(robots_base64)).values(agent ?? "*");
        const stated = values.filter(({ kind }) => kind === field).map(({ value }) => value);
        same(stated, expect, id);
    },

    preference({ id, robots_base64, agents, url, dialects, search, ai_input, ai_train, values }) {
        if (agents.length > 1) {
            // Only one name is explained.
            return;
        }
        for (const dialect of dialects) {
            const { preferences } = owner.explain(bytes(robots_base64), url, agents[0], { dialect });
            const stated = preferences && {
                ...preferences,
                values: preferences.values.map(({ line, kind, key, value }) => `${line} ${kind} ${key}=${value}`),
            };
            const expected = { search, aiInput: ai_input, aiTrain: ai_train, values };
            same(stated, values.length > 0 ? expected : undefined, `${id} in ${dialect}`);
        }
    },

    answer(it) {
        if (it.question === "history") {
            // It is about a store, which the package has none of.
            return;
        }
        const [body, [agent]] = [bytes(it.robots_base64), it.agents];
        const reading = it.dialect ? { dialect: it.dialect } : {};
        const question = { agents: it.agents, ...reading };
        if (it.max_states) {
            question.maxStates = it.max_states;
        }
        const [name, site] = [it.name ?? "-", it.site ?? undefined];
        const questions = {
            who: () => owner.who(body, question),
            diff: () => owner.diff(body, bytes(it.new_base64), question).json,
            "diff-urls": () => owner.diffUrls(body, bytes(it.new_base64), it.urls, question).json,
            lint: () => [owner.lint(body, { name, site, settings: it.settings ?? undefined })],
            parse: () => [owner.parse(body, { name, ...reading, ...(agent && { agent }) })],
            tree: () => [{ ...parse(body, reading).toJSON(), file: name }],
            page: () => owner.page(body, {
                url: it.url,
                agents: it.agents,
                ...reading,
                ...(it.head && { head: it.head }),
                ...(it.html && {
                    metas: it.metas.map(([name, content, line, inHead]) => ({ name, content, line, inHead })),
                    links: it.links.map(([rel, href, line, inHead]) => ({ rel, href, line, inHead })),
                }),
            }),
            explain: () => [owner.explain(body, it.url, agent, reading)],
        };
        const expected = it.expect.split("\n").filter((line) => line !== "");
        same(questions[it.question](), expected.map((line) => JSON.parse(line)), it.id);
    },
};

/** Asks all cases, and says how many there are; throws where one is answered otherwise. In front of answers of the
 * command about real files, which `real.js` writes, there is a line that says so. */
export function run(text) {
    const kinds = text.startsWith('{"kind":"real"}') ? ["answer"] : Object.keys(tables);
    const counts = {};
    const failures = [];
    for (const line of text.split("\n").filter((line) => line !== "")) {
        const row = JSON.parse(line);
        if (!(row.kind in tables)) {
            continue;
        }
        counts[row.kind] = (counts[row.kind] ?? 0) + 1;
        try {
            tables[row.kind](row);
        } catch (error) {
            failures.push(`${row.kind} ${row.id}: ${error.stack}`);
        }
    }
    for (const kind of kinds) {
        if (!counts[kind]) {
            failures.push(`there is no ${kind}`);
        }
    }
    if (failures.length > 0) {
        throw new Error(`${failures.length} cases are answered otherwise:\n${failures.slice(0, 20).join("\n")}`);
    }
    return counts;
}

if (import.meta.main ?? globalThis.process?.argv[1]?.endsWith("cases.js")) {
    const { readFileSync } = await import("node:fs");
    const runtime = globalThis.Bun ? "Bun" : globalThis.Deno ? "Deno" : "Node";
    const counts = run(readFileSync(new URL("../tmp/cases.jsonl", import.meta.url), "utf8"));
    const { moduleOf } = await import("../dist/load/file.js");
    globalThis.Deno?.permissions.revokeSync({ name: "read" });
    const [name, help] = globalThis.Deno ? ["engine.wasm", "--allow-read"] : ["absent.wasm", "absent.wasm"];
    try {
        moduleOf(name)();
        same("read", "refused", name);
    } catch (error) {
        same([error.code, error.message.includes(help)], ["VERGER_MODULE", true], error.message);
    }
    console.log(`${runtime}: ${JSON.stringify(counts)}`);
}
