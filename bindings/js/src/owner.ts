/**
 * For site owners: permissions of crawlers, effects of changes, probable mistakes, and known crawlers. Answers have the
 * keys of the command's JSON, described in docs/json.md.
 *
 * ```js
 * import { lint, who } from "verger/owner";
 *
 * who("User-agent: GPTBot\nDisallow: /", { agents: ["gptbot"] })[0].disallowed; // "everything"
 * lint("User-agent: *\nDissalow: /").findings[0].code; // "misspelt-key"
 * ```
 *
 * `test`, `claims` and settings of `lint` need the larger module, which is compiled at the first use. In browsers,
 * import `verger/access` first.
 *
 * @module
 */

import { whole } from "#claims";
import { owner } from "#owner";
import type { Candidate, Explanation, ParsedFile, VerdictKeys } from "./answers.js";
import { type Bytes, textOf } from "./instance.js";
import { AS_OPERATOR, type Agent, type Crawler, type Dialect, named, type Reading, readingWord } from "./question.js";

export type { Candidate, Explanation, ParsedFile, VerdictKeys };

/**
 * The crawlers that a question about whole files covers, and how the files are read. Without a dialect, each known
 * crawler is judged as its operator reads, and every other one by RFC 9309.
 */
export interface FileQuestion extends Reading {
    /**
     * Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`. Default: all known crawlers in use, and
     * all that the files name.
     */
    agents?: readonly string[];
    /** A URL of the site. Default: `https://example.com`. */
    site?: string;
    /** Maximum number of states to search. Default: four million. */
    maxStates?: number;
}

/** A line of `verger.who/1`. */
export interface WhoLine {
    schema: "verger.who/1";
    crawler: string;
    tokens: string[];
    operator: string | null;
    dialect: Dialect;
    purposes: string[];
    disallowed: "everything" | "some" | "nothing" | null;
    group: { line: number; token: string | null; own: boolean } | null;
    rule_line: number | null;
    allowed_url: string | null;
    disallowed_url: string | null;
    states: number | null;
}

/** Whether something is newly allowed or disallowed, with a URL as proof. */
export interface Change {
    found: boolean | null;
    url: string | null;
    before: VerdictKeys | null;
    after: VerdictKeys | null;
    states: number | null;
}

/** A change for a set of crawlers, in `verger.diff/1`. */
export interface DiffChange {
    schema: "verger.diff/1";
    crawlers: string[];
    dialect: Dialect;
    newly_disallowed: Change;
    newly_allowed: Change;
}

/** The last line of `verger.diff/1`, a summary. */
export interface DiffEnd {
    schema: "verger.diff/1";
    same: boolean | null;
    unchanged: number;
    not_compared: number;
}

/** URLs whose verdict changes in one direction, with the first few. */
export interface ChangedUrls {
    count: number;
    examples: { url: string; before: VerdictKeys; after: VerdictKeys }[];
}

/** Number of URLs that each file disallows to a set of crawlers, in `verger.diff-urls/1`. */
export interface UrlCount {
    schema: "verger.diff-urls/1";
    crawlers: string[];
    dialect: Dialect;
    disallowed_before: number;
    disallowed_after: number;
    newly_disallowed: ChangedUrls;
    newly_allowed: ChangedUrls;
}

/** The last line of `verger.diff-urls/1`, a summary. */
export interface UrlCountEnd {
    schema: "verger.diff-urls/1";
    same: boolean | null;
    urls: number;
    not_counted: number;
    not_compared: number;
    problems: string[];
}

/** A fix. Its edits are in order and do not overlap. */
export interface Fix {
    title: string;
    keeps_meaning: boolean;
    edits: { start: number; end: number; text: string }[];
}

/** A place in a file. `start` and `end` are byte offsets. */
export interface Place {
    line: number;
    column: number;
    start: number;
    end: number;
    label: string | null;
}

/** A probable mistake. */
export interface Finding {
    code: string;
    severity: "note" | "warning" | "error";
    message: string;
    help: string | null;
    /** The first place, then places that explain it. */
    spans: Place[];
    /** The other places of the same mistake. */
    further: Place[];
    fix: Fix | null;
}

/** A line of `verger.lint/1`. */
export interface LintLine {
    schema: "verger.lint/1";
    file: string;
    findings: Finding[];
    [key: string]: unknown;
}

/** A line of `verger.test/1`. */
export interface TestLine {
    schema: "verger.test/1";
    robots: string;
    claim: string;
    why: string | null;
    line: number | null;
    holds: boolean | null;
    message: string | null;
}

/** A known crawler, a line of `verger.crawler/1`. Usable as an `Agent`. */
export interface KnownCrawler extends Crawler {
    schema: "verger.crawler/1";
    name: string;
    operator: string;
    tokens: string[];
    user_agent: string | null;
    header_aliases: string[];
    purposes: string[];
    star: "honoured" | "ignored";
    dialect: Dialect;
    obeys: "yes" | "no" | "unclear";
    crawl_delay: "honoured" | "ignored" | null;
    retired: boolean;
    control_only: boolean;
    docs: string | null;
    reverse_dns: string[];
    ip_ranges: string[];
    note: string | null;
    source: string;
    evidence: "operator" | "second-hand";
    read: string;
}

/** The result of `add`. */
export interface Addition {
    /** The new file. Equals the old one if nothing was added. */
    body: Uint8Array;
    /** Crawlers to which the rules apply already. */
    already: string[];
    /** Crawlers of a purpose or operator that no user-agent line can name in this dialect. */
    leftOut: string[];
    /** One sentence for each target that a rule should disallow but is still allowed, or the reverse. */
    withoutEffect: string[];
    /** Crawlers that fall back to a named token, so the rules change their answers too. */
    also: string[];
    /** URLs that match a new `disallow` but are still allowed. */
    stillAllowed: { crawler: string; url: string }[];
    /** URLs that match a new `allow` but are still disallowed. */
    stillDisallowed: { crawler: string; url: string }[];
}

/** Returns how much of a site each crawler may fetch, and which lines decide. */
export function who(body: Bytes, question: FileQuestion = {}): WhoLine[] {
    return lines(owner.call("who", words(question), body));
}

/**
 * Returns what a change means for each crawler, and a summary line. `same` is true there if it is proven that nothing
 * changed.
 */
export function diff(old: Bytes, body: Bytes, question: FileQuestion = {}): [...DiffChange[], DiffEnd] {
    return lines(owner.call("diff", words(question), old, body)) as unknown as [...DiffChange[], DiffEnd];
}

/**
 * Counts how many of `urls`, one per line, each file disallows, and returns a summary line last. `same` is true there
 * if no verdict changes.
 */
export function diffUrls(
    old: Bytes,
    body: Bytes,
    urls: Bytes,
    question: Omit<FileQuestion, "maxStates"> = {},
): [...UrlCount[], UrlCountEnd] {
    return lines(owner.call("diff-urls", words(question), urls, old, body)) as unknown as [...UrlCount[], UrlCountEnd];
}

/**
 * Finds probable mistakes, with fixes. The file is read by RFC 9309, and compared with the other dialects.
 *
 * `site` is a URL of the site, `settings` the text of a verger.toml, and `name` the file's name in the answer.
 */
export function lint(
    body: Bytes,
    { name = "-", site, settings = "" }: { name?: string; site?: string; settings?: string } = {},
): LintLine {
    const found =
        settings === ""
            ? owner.call("lint", { site }, name, body)
            : whole.call("lint-by-settings", { site, settings }, name, body);
    return JSON.parse(found) as LintLine;
}

/**
 * Lists the file line by line, and with `agent` what applies to that crawler. `agent` is a name as in `who`, for one
 * crawler.
 */
export function parse(
    body: Bytes,
    { name = "-", agent, ...reading }: Reading & { name?: string; agent?: string } = {},
): ParsedFile {
    const agents = agent === undefined ? [] : [agent];
    return JSON.parse(owner.call("listing", words({ ...reading, agents }), name, body)) as ParsedFile;
}

/**
 * Returns the verdict, all matching rules, and the dialects that answer differently, as `verger.check/1`. Without a
 * dialect, a `KnownCrawler` is judged as its operator reads.
 */
export function explain(body: Bytes, agent: Agent | KnownCrawler, url: Bytes, reading: Reading = {}): Explanation {
    const { names, word } = named(agent);
    const own = typeof agent === "object" && "dialect" in agent ? { dialect: agent.dialect } : {};
    const asked = word | readingWord({ ...own, ...reading });
    return JSON.parse(owner.call("explain", { asked }, names, url, body)) as Explanation;
}

/** Checks a file against the claims in the text of a robots.test.toml, read in the dialect that the claims name. */
export function test(body: Bytes, claims: string, question: Pick<FileQuestion, "site" | "maxStates"> = {}): TestLine[] {
    return lines(whole.call("test", words(question), claims, body));
}

/** Returns the text of a robots.test.toml with claims that describe the file as it is. */
export function claims(body: Bytes, question: Omit<FileQuestion, "agents"> = {}): string {
    return whole.call("claims", words(question), body);
}

/** Adds rules for some crawlers, and proves that nothing changes for others. */
export function add(
    body: Bytes,
    { allow = [], disallow = [], ...question }: FileQuestion & { allow?: readonly string[]; disallow?: readonly string[] },
): Addition {
    const answer = owner.callForBytes("add", { ...words(question), allow, disallow }, body);
    const end = answer.indexOf("\n".charCodeAt(0)) + 1;
    const said = JSON.parse(textOf(answer.subarray(0, end))) as Omit<Addition, "body">;
    return { body: answer.slice(end), ...said };
}

/** Returns all known crawlers, the most important first. */
export function crawlers(): KnownCrawler[] {
    return lines(owner.call("crawlers", {}));
}

/**
 * Returns the known crawler with a registry name or product token of its own.
 *
 * @throws {UnknownCrawlerError} if the registry has none.
 */
export function crawler(name: string): KnownCrawler {
    return JSON.parse(owner.call("crawler", {}, name)) as KnownCrawler;
}

/** Returns the known crawler that a `User-Agent` header names. A header is a claim, not a proof. */
export function crawlerOfHeader(header: string): KnownCrawler | undefined {
    return lines<KnownCrawler>(owner.call("header", {}, header))[0];
}

function words({ dialect, options = [], ...rest }: FileQuestion): object {
    const word = dialect === undefined ? AS_OPERATOR | readingWord({ options }) : readingWord({ dialect, options });
    return { asked: word, ...rest };
}

function lines<T>(text: string): T[] {
    return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T);
}
