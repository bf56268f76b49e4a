// `RobotsTxt`: a body, what it holds, and the policies that it makes.

import { engine } from "#engine";
import { owner } from "#listing";
import type { Diagnostic, Explanation, FileRecord, FileRule, FileValue, ParsedFile } from "./answers.js";
import { type Bytes, bytesOf } from "./instance.js";
import { Policy } from "./policy.js";
import { type Agent, type Dialect, named, type Reading, readingWord } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** User-agent lines and the rules below them. */
export interface Group {
    /** Its first user-agent line. */
    readonly line: number;
    readonly userAgents: readonly string[];
    readonly rules: readonly FileRule[];
}

/** A robots.txt. Any bytes are one; it never changes. It takes no memory of the module.
 *
 * What it holds and `explain` are in the owner's module, which is loaded when they are asked for; in browsers it is
 * there where `verger/owner` is imported. */
export class RobotsTxt {
    readonly #body: Uint8Array;
    readonly #reading: Reading;
    readonly #word: number;
    #file: ParsedFile | undefined;

    constructor(body: Bytes, reading: Reading = {}) {
        this.#word = readingWord(reading);
        this.#body = bytesOf(body);
        this.#reading = { ...reading };
    }

    /** A copy of the bytes that it was made of. */
    get body(): Uint8Array {
        return this.#body.slice();
    }

    get dialect(): Dialect {
        return this.#reading.dialect ?? "rfc9309";
    }

    /** The rules for a crawler: to be kept where there are several questions. */
    policy(agent: Agent): Policy {
        return new Policy(this.#body, agent, this.#reading);
    }

    /** Whether the crawler may fetch the URL, in one pass. */
    allowed(url: Bytes, agent: Agent): boolean {
        const { names, word } = named(agent);
        return engine.ask("allowed", [], [names, url, this.#body], [word | this.#word]) === 1;
    }

    /** Whether the crawler may fetch the URL, and why, in one pass. */
    verdict(url: Bytes, agent: Agent): Verdict {
        const { names, word } = named(agent);
        engine.ask("verdict", [], [names, url, this.#body], [word | this.#word]);
        return verdictOf(engine);
    }

    /** The verdict, all rules that match, and the dialects that answer otherwise: `verger.check/1` of docs/json.md. */
    explain(url: Bytes, agent: Agent): Explanation {
        const { names, word } = named(agent);
        const asked = word | this.#word;
        return JSON.parse(owner.call("explain", { asked }, names, url, this.#body)) as Explanation;
    }

    /** The groups, in the order of the file. */
    get groups(): readonly Group[] {
        return this.#parsed.groups.map((group) => ({
            line: group.line,
            userAgents: group.user_agents.map(({ value }) => value),
            rules: group.rules,
        }));
    }

    /** Every line with a key and a value. */
    get records(): readonly FileRecord[] {
        return this.#parsed.records;
    }

    /** The URLs of its Sitemap lines. */
    get sitemaps(): readonly string[] {
        return this.#parsed.sitemaps.map(({ url }) => url);
    }

    /** What was ignored, cut, or read otherwise than written. */
    get diagnostics(): readonly Diagnostic[] {
        return this.#parsed.diagnostics;
    }

    /** What the records beside the rules say about the whole file, and to a crawler where one is given:
     * `Crawl-delay`, `Content-Signal` and the like. */
    values(agent?: Agent): readonly FileValue[] {
        return agent === undefined ? this.#parsed.values : this.#parse(agent).values;
    }

    /** `verger.parse/1` of docs/json.md, with what applies to a crawler where one is given. */
    listing(agent?: Agent): ParsedFile {
        return this.#parse(agent);
    }

    get #parsed(): ParsedFile {
        this.#file ??= this.#parse();
        return this.#file;
    }

    #parse(agent?: Agent): ParsedFile {
        const { names, word } = agent === undefined ? { names: "", word: 0 } : named(agent);
        return JSON.parse(owner.call("parse", { asked: word | this.#word }, names, this.#body)) as ParsedFile;
    }
}

/** Reads a robots.txt. */
export function parse(body: Bytes, reading: Reading = {}): RobotsTxt {
    return new RobotsTxt(body, reading);
}
