import { engine } from "#engine";
import { owner } from "#listing";
import type { Diagnostic, Explanation, FileRecord, FileValue, Group, ParsedFile } from "./answers.js";
import { type Bytes, optionsOf, type Target, type Text, textOf } from "./argument.js";
import { bytesOf } from "./bytes.js";
import { INSPECT, type Inspect, shown, written } from "./inspect.js";
import { Policy } from "./policy.js";
import { type Agent, askedOf, crawlerOf, type Dialect, named, NO_READING, type Reading, READING, type UrlQuestion, wordOf } from "./question.js";
import { typedLine } from "./typed.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** A URL and a crawler as one argument. */
type UrlAndAgent = Pick<UrlQuestion, "url" | "agent">;

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

    /**
     * Parses a robots.txt, like `parse`.
     *
     * @param body The robots.txt.
     * @param options How it is read.
     * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
     */
    constructor(body: Bytes, options: Reading = {}) {
        this.#reading = optionsOf("parse", options, READING);
        this.#word = wordOf(this.#reading);
        this.#body = bytesOf(textOf(body, "body"));
    }

    /** A copy of the bytes. */
    get body(): Uint8Array {
        return this.#body.slice();
    }

    /** The document by which the file is read. */
    get dialect(): Dialect {
        return this.#reading.dialect ?? "rfc9309";
    }

    /**
     * Returns the rules for a crawler. Keep the policy to query several URLs.
     *
     * @param agent The crawler.
     * @param options None, because the file has been read.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    policy(agent: Agent | Pick<UrlQuestion, "agent">, options?: never): Policy {
        const asked = crawlerOf("policy", agent, options, NO_READING);
        return Policy.of(this.#body, { ...asked, reading: this.#reading, word: asked.word | this.#word });
    }

    /**
     * Returns whether the crawler may fetch `url`, in one pass.
     *
     * @param url The URL, absolute or as a path that starts with `/`, or an object with `url` and `agent`.
     * @param agent The crawler.
     * @param options None, because the file has been read.
     * @throws {ProductTokenError} if `agent` is not a product token.
     * @throws {TargetError} if `url` is neither absolute nor a path that starts with `/`.
     */
    allowed(url: Target | UrlAndAgent, agent?: Agent, options?: never): boolean {
        const asked = this.#asked("allowed", url, agent, options);
        return engine.askOnce("allowed", asked.names, asked.url, this.#body, asked.word) === 1;
    }

    /**
     * Like `allowed`, and returns the deciding rule and group.
     *
     * @param url The URL, absolute or as a path that starts with `/`, or an object with `url` and `agent`.
     * @param agent The crawler.
     * @param options None, because the file has been read.
     * @throws As `allowed`.
     */
    verdict(url: Target | UrlAndAgent, agent?: Agent, options?: never): Verdict {
        const asked = this.#asked("verdict", url, agent, options);
        engine.askOnce("verdict", asked.names, asked.url, this.#body, asked.word);
        return verdictOf(engine);
    }

    /**
     * Returns the verdict, all matching rules, and the dialects that answer differently. Its JSON is `verger.check/1`.
     *
     * @param url The URL, absolute or as a path that starts with `/`, or an object with `url` and `agent`.
     * @param agent The crawler.
     * @param options None, because the file has been read.
     * @throws As `allowed`.
     */
    explain(url: Target | UrlAndAgent, agent?: Agent, options?: never): Explanation {
        const asked = this.#asked("explain", url, agent, options);
        return typedLine(owner.call("explain", { asked: asked.word }, asked.names, asked.url, this.#body));
    }

    #asked(call: string, url: Target | UrlAndAgent, agent: Agent | undefined, options: undefined): { names: Text; url: Text; word: number } {
        const asked = askedOf(call, url, agent, options, NO_READING);
        return { names: asked.names, url: asked.url, word: asked.word | this.#word };
    }

    /** The groups in file order. */
    get groups(): readonly Group[] {
        return this.#parsed.groups;
    }

    /** Every line with a key and a value. */
    get records(): readonly FileRecord[] {
        return this.#parsed.records;
    }

    /** The URLs of the Sitemap lines. */
    get sitemaps(): readonly string[] {
        return this.#parsed.sitemaps.map(({ url }) => url);
    }

    /** Lines that were ignored, truncated, or read differently than written. */
    get diagnostics(): readonly Diagnostic[] {
        return this.#parsed.diagnostics;
    }

    /**
     * Returns the values of other records, such as `Crawl-delay` and `Content-Signal`.
     *
     * @param agent The crawler to which the values apply. Without it, those of the whole file are returned.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    values(agent?: Agent): readonly FileValue[] {
        return agent === undefined ? this.#parsed.values : this.#parse(agent).values;
    }

    /**
     * Returns the whole file, line by line. Its JSON is `verger.parse/1`.
     *
     * @param agent The crawler whose group and values are added.
     * @throws {ProductTokenError} if `agent` is not a product token.
     */
    listing(agent?: Agent): ParsedFile {
        return this.#parse(agent);
    }

    /**
     * Returns what `verger parse --json` prints: `verger.parse/1` of docs/json.md.
     *
     * @throws {ModuleError} in browsers, if `verger/owner` was not imported.
     */
    toJSON(): Readonly<Record<string, unknown>> {
        return this.#parsed.json;
    }

    /**
     * Shows the dialect, the size and the groups, in `console.log` of Node, Deno and Bun.
     *
     * @internal
     */
    [INSPECT](depth: number, options: object, inspect: Inspect): string {
        const { dialect, sitemaps } = this;
        const groups = this.groups.map(({ line, userAgents, rules }) => ({ line, userAgents, rules: written(rules) }));
        return shown("RobotsTxt", { dialect, bytes: this.#body.length, groups, sitemaps }, depth, options, inspect);
    }

    get #parsed(): ParsedFile {
        this.#file ??= this.#parse();
        return this.#file;
    }

    #parse(agent?: Agent): ParsedFile {
        const { names, word } = agent === undefined ? { names: "", word: 0 } : named(agent);
        return typedLine(owner.call("parse", { asked: word | this.#word }, names, this.#body));
    }
}

/**
 * Parses a robots.txt.
 *
 * @param body The robots.txt.
 * @param options How it is read.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function parse(body: Bytes, options: Reading = {}): RobotsTxt {
    return new RobotsTxt(body, options);
}
