/**
 * What the owner of a site asks: which crawlers are disallowed what, what a change means, what is probably a mistake,
 * and what is known about crawlers. Answers are the JSON of the command, by docs/json.md of the repository.
 *
 * ```js
 * import { lint, who } from "verger/owner";
 *
 * who("User-agent: GPTBot\nDisallow: /", { agents: ["gptbot"] })[0].disallowed; // "everything"
 * lint("User-agent: *\nDissalow: /").findings[0].code; // "misspelt-key"
 * ```
 *
 * `test`, `claims` and settings of `lint` are in the larger module, which is loaded when they are asked for; in browsers
 * it is there where `verger/access` is imported.
 *
 * @module
 */

import { whole } from "#claims";
import { owner } from "#owner";
import type { Candidate, Explanation, ParsedFile, VerdictKeys } from "./answers.js";
import { type Bytes, textOf } from "./instance.js";
import { type Agent, type Crawler, named, type Reading, readingWord } from "./question.js";

export type { Candidate, Explanation, ParsedFile, VerdictKeys };

/** Which crawlers a question about whole files is about, and how the files are read. */
export interface FileQuestion extends Reading {
    /** Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`. Default: all known crawlers in use, and
     * those that the files name. */
    agents?: readonly string[];
    /** A URL of the site that has the files. Default: `https://example.com`. */
    site?: string;
    /** After how many states a question is not decided. Default: four million. */
    maxStates?: number;
}

/** A line of `verger.who/1`. */
export interface WhoLine {
    schema: "verger.who/1";
    crawler: string;
    tokens: string[];
    operator: string | null;
    purposes: string[];
    disallowed: "everything" | "some" | "nothing" | null;
    group: { line: number; token: string | null; own: boolean } | null;
    rule_line: number | null;
    allowed_url: string | null;
    disallowed_url: string | null;
    states: number | null;
}

/** Whether something is newly allowed or disallowed, with a URL that shows it. */
export interface Change {
    found: boolean | null;
    url: string | null;
    before: VerdictKeys | null;
    after: VerdictKeys | null;
    states: number | null;
}

/** A change that is the same for some crawlers, of `verger.diff/1`. */
export interface DiffChange {
    schema: "verger.diff/1";
    crawlers: string[];
    newly_disallowed: Change;
    newly_allowed: Change;
}

/** The last line of `verger.diff/1`, about the whole. */
export interface DiffEnd {
    schema: "verger.diff/1";
    same: boolean | null;
    unchanged: number;
    not_compared: number;
}

/** URLs about which the verdict changes in one way, and the first of them. */
export interface ChangedUrls {
    count: number;
    examples: { url: string; before: VerdictKeys; after: VerdictKeys }[];
}

/** How many URLs of a list each file disallows to some crawlers, of `verger.diff-urls/1`. */
export interface UrlCount {
    schema: "verger.diff-urls/1";
    crawlers: string[];
    disallowed_before: number;
    disallowed_after: number;
    newly_disallowed: ChangedUrls;
    newly_allowed: ChangedUrls;
}

/** The last line of `verger.diff-urls/1`, about the whole. */
export interface UrlCountEnd {
    schema: "verger.diff-urls/1";
    same: boolean | null;
    urls: number;
    not_counted: number;
    not_compared: number;
    problems: string[];
}

/** A fix: the edits do not overlap, and are in order. */
export interface Fix {
    title: string;
    keeps_meaning: boolean;
    edits: { start: number; end: number; text: string }[];
}

/** What the owner of a file probably does not mean. */
export interface Finding {
    code: string;
    severity: "note" | "warning" | "error";
    message: string;
    help: string | null;
    spans: { line: number; column: number; start: number; end: number; label: string | null }[];
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

/** A line of `verger.crawler/1`: a known crawler. It can be asked about, as an `Agent` of `verger`. */
export interface KnownCrawler extends Crawler {
    schema: "verger.crawler/1";
    name: string;
    operator: string;
    tokens: string[];
    user_agent: string | null;
    header_aliases: string[];
    purposes: string[];
    star: "honoured" | "ignored";
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

/** A file with rules added, and for whom they are not. */
export interface Addition {
    /** The new file; the old one where nothing was added. */
    body: Uint8Array;
    /** The crawlers to which the rules apply already. */
    already: string[];
    /** The crawlers of a purpose or an operator that no user-agent line can name in this dialect. */
    leftOut: string[];
    /** The targets that were to be disallowed and stay allowed, or the other way round, a sentence each. */
    withoutEffect: string[];
    /** The crawlers that fall back to a token that was meant: for them something changed, too. */
    also: string[];
    /** URLs that a new rule matches and that are still allowed. */
    stillAllowed: { crawler: string; url: string }[];
    /** URLs that a new `allow` matches and that are still disallowed. */
    stillDisallowed: { crawler: string; url: string }[];
}

/** How much of a site each crawler may fetch, and by which lines. */
export function who(body: Bytes, question: FileQuestion = {}): WhoLine[] {
    return lines(owner.call("who", words(question), body));
}

/** What a change of the file means for each crawler, and at last a line about the whole, whose `same` is true where
 * it is proven that nothing changed. */
export function diff(old: Bytes, body: Bytes, question: FileQuestion = {}): [...DiffChange[], DiffEnd] {
    return lines(owner.call("diff", words(question), old, body)) as unknown as [...DiffChange[], DiffEnd];
}

/** How many of these URLs, a line each, each file disallows, and at last a line about the whole, whose `same` is true
 * where no verdict changes. */
export function diffUrls(
    old: Bytes,
    body: Bytes,
    urls: Bytes,
    question: Omit<FileQuestion, "maxStates"> = {},
): [...UrlCount[], UrlCountEnd] {
    return lines(owner.call("diff-urls", words(question), urls, old, body)) as unknown as [...UrlCount[], UrlCountEnd];
}

/** What the owner of the file probably does not mean, with fixes. Every file is read by RFC 9309, and the other
 * dialects are compared with it. `site` is a URL of the site that has the file, `settings` the text of a verger.toml,
 * and `name` the file in the answer. */
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

/** What the file holds, line by line; with an agent, a name as for `who` that stands for one crawler, also what
 * applies to it. */
export function parse(
    body: Bytes,
    { name = "-", agent, ...reading }: Reading & { name?: string; agent?: string } = {},
): ParsedFile {
    const agents = agent === undefined ? [] : [agent];
    return JSON.parse(owner.call("listing", words({ ...reading, agents }), name, body)) as ParsedFile;
}

/** The verdict, all rules that match, and the dialects that answer otherwise: `verger.check/1`. */
export function explain(body: Bytes, agent: Agent, url: Bytes, reading: Reading = {}): Explanation {
    const { names, word } = named(agent);
    const asked = word | readingWord(reading);
    return JSON.parse(owner.call("explain", { asked }, names, url, body)) as Explanation;
}

/** Holds a file to claims, the text of a robots.test.toml. Its dialect is theirs. */
export function test(body: Bytes, claims: string, question: Pick<FileQuestion, "site" | "maxStates"> = {}): TestLine[] {
    return lines(whole.call("test", words(question), claims, body));
}

/** Claims that say what the file does today, as the text of a robots.test.toml. */
export function claims(body: Bytes, question: Omit<FileQuestion, "agents"> = {}): string {
    return whole.call("claims", words(question), body);
}

/** Adds rules for some crawlers to a file, with the proof that nothing changes for any other. */
export function add(
    body: Bytes,
    { allow = [], disallow = [], ...question }: FileQuestion & { allow?: readonly string[]; disallow?: readonly string[] },
): Addition {
    const answer = owner.callForBytes("add", { ...words(question), allow, disallow }, body);
    const end = answer.indexOf("\n".charCodeAt(0)) + 1;
    const said = JSON.parse(textOf(answer.subarray(0, end))) as Omit<Addition, "body">;
    return { body: answer.slice(end), ...said };
}

/** All known crawlers, the important ones first. */
export function crawlers(): KnownCrawler[] {
    return lines(owner.call("crawlers", {}));
}

/** The known crawler of a registry name or of its own product token. */
export function crawler(name: string): KnownCrawler {
    return JSON.parse(owner.call("crawler", {}, name)) as KnownCrawler;
}

/** The known crawler that a `User-Agent` header names, if any. A header is a claim, not a proof. */
export function crawlerOfHeader(header: string): KnownCrawler | undefined {
    return lines<KnownCrawler>(owner.call("header", {}, header))[0];
}

function words({ dialect = "rfc9309", options = [], ...rest }: FileQuestion): object {
    return { asked: readingWord({ dialect, options }), ...rest };
}

function lines<T>(text: string): T[] {
    return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T);
}
