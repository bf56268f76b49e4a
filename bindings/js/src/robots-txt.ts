import { engine } from "#engine";
import { owner } from "#listing";
import type { Diagnostic, Explanation, FileRecord, FileRule, FileValue, ParsedFile } from "./answers.js";
import { type Bytes, bytesOf } from "./instance.js";
import { Policy } from "./policy.js";
import { type Agent, type Dialect, named, type Reading, readingWord } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** User-agent lines and their rules. */
export interface Group {
    /** The line of its first user-agent line. */
    readonly line: number;
    readonly userAgents: readonly string[];
    readonly rules: readonly FileRule[];
}

/**
 * A robots.txt. Any bytes are valid. Immutable, and uses no module memory.
 *
 * Its contents and `explain` are in the owner's module, which is compiled at the first use. In browsers, import
 * `verger/owner` first.
 */
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

    /** Returns a copy of the bytes. */
    get body(): Uint8Array {
        return this.#body.slice();
    }

    get dialect(): Dialect {
        return this.#reading.dialect ?? "rfc9309";
    }

    /** Returns the rules for a crawler. Keep the policy to query several URLs. */
    policy(agent: Agent): Policy {
        return new Policy(this.#body, agent, this.#reading);
    }

    /** Returns whether the crawler may fetch `url`, in one pass. */
    allowed(url: Bytes, agent: Agent): boolean {
        const { names, word } = named(agent);
        return engine.ask("allowed", [], [names, url, this.#body], [word | this.#word]) === 1;
    }

    /** Like `allowed`, and returns the deciding rule and group. */
    verdict(url: Bytes, agent: Agent): Verdict {
        const { names, word } = named(agent);
        engine.ask("verdict", [], [names, url, this.#body], [word | this.#word]);
        return verdictOf(engine);
    }

    /**
     * Returns the verdict, all matching rules, and the dialects that answer differently, as `verger.check/1` in
     * docs/json.md.
     */
    explain(url: Bytes, agent: Agent): Explanation {
        const { names, word } = named(agent);
        const asked = word | this.#word;
        return JSON.parse(owner.call("explain", { asked }, names, url, this.#body)) as Explanation;
    }

    /** Groups in file order. */
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

    /** URLs of the Sitemap lines. */
    get sitemaps(): readonly string[] {
        return this.#parsed.sitemaps.map(({ url }) => url);
    }

    /** Lines that were ignored, truncated, or read differently than written. */
    get diagnostics(): readonly Diagnostic[] {
        return this.#parsed.diagnostics;
    }

    /**
     * Returns the values of other records, such as `Crawl-delay` and `Content-Signal`: those of the whole file, and
     * with `agent` those for that crawler.
     */
    values(agent?: Agent): readonly FileValue[] {
        return agent === undefined ? this.#parsed.values : this.#parse(agent).values;
    }

    /** Returns `verger.parse/1` of docs/json.md, and with `agent` what applies to that crawler. */
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

/** Parses a robots.txt. */
export function parse(body: Bytes, reading: Reading = {}): RobotsTxt {
    return new RobotsTxt(body, reading);
}
