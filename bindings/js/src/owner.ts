/**
 * For site owners: permissions of crawlers, effects of changes, probable mistakes, and known crawlers.
 *
 * ```js
 * import { lint, who } from "verger/owner";
 *
 * who("User-agent: GPTBot\nDisallow: /", { agents: ["gptbot"] })[0].disallowed; // "everything"
 * lint("User-agent: *\nDissalow: /").findings[0].code; // "misspelt-key"
 * ```
 *
 * Answers have camelCase keys. `answer.json` and `JSON.stringify(answer)` have those of the command's JSON, described in
 * docs/json.md.
 *
 * `test`, `claims` and settings of `lint` need the larger module, which is compiled at the first use. In browsers,
 * import `verger/access` first.
 *
 * @module
 */

import { whole } from "#claims";
import { owner } from "#owner";
import type { CommandAnswer, DialectVerdict, Explanation, ParsedFile } from "./answers.js";
import { type Bytes, type Check, type Checks, COUNT, optionsOf, required, STRING, STRINGS, type Target, targetOf, textOf, URL_OF_SITE, type UrlLike, urlOf } from "./argument.js";
import { ArgumentError } from "./errors.js";
import { decoded } from "./bytes.js";
import { elementsOf, headOf, PAGE, type PageLine, type PageQuestion } from "./page.js";
import { AS_OPERATOR, type Agent, askedOf, type Crawler, type Dialect, READING, type Reading, type UrlQuestion, wordOf } from "./question.js";
import { typedLine, typedLines, withJson } from "./typed.js";
import type { AppliedGroup } from "./verdict.js";

export type { CommandAnswer, DialectVerdict, Explanation, ParsedFile };
export type { PageAnswer, PageDirective, PageFinding, PageLine, PageLink, PageMeta, PagePlace, PageQuestion, PageResponse, RecordedValue } from "./page.js";

/**
 * The crawlers that a question about whole files covers, and how the files are read. Without a dialect, each known
 * crawler is judged as its operator reads, and every other one by RFC 9309.
 */
export interface FileQuestion extends Reading {
    /**
     * Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`. By default all known crawlers in use, and
     * all that the files name.
     */
    agents?: readonly string[];
    /**
     * A URL of the site.
     *
     * @default "https://example.com"
     */
    site?: string | UrlLike;
    /**
     * The maximum number of states to search.
     *
     * @default 4_000_000
     */
    maxStates?: number;
}

/** The group that applies to a crawler, with the product token that names the crawler. */
export interface WhoGroup extends AppliedGroup {
    /** The product token in the group, or null for `*`. */
    readonly token: string | null;
    /** Whether that is the crawler's first token. */
    readonly own: boolean;
}

/** How much of a site a crawler may fetch. Its JSON is a line of `verger.who/1`. */
export interface WhoLine extends CommandAnswer {
    /** The name of the crawler, `*` for all others. */
    crawler: string;
    /** The product tokens in lookup order. */
    tokens: string[];
    /** Its operator, or null outside the registry. */
    operator: string | null;
    /** The dialect in which the crawler was judged. */
    dialect: Dialect;
    /** Its purposes, such as `search` and `ai-train`. */
    purposes: string[];
    /** How much is disallowed, proven, or null if it was not decided. */
    disallowed: "everything" | "some" | "nothing" | null;
    /** The group that applies, or null without one. */
    group: WhoGroup | null;
    /** The line of the rule that decides about `disallowedUrl`. */
    ruleLine: number | null;
    /** The shortest URL that the crawler may fetch, or null. */
    allowedUrl: string | null;
    /** The shortest URL that the crawler may not fetch, or null. */
    disallowedUrl: string | null;
    /** The number of states after which a proof stopped, or null if everything was decided. */
    states: number | null;
}

/** Whether something is newly allowed or disallowed, with a URL as proof. */
export interface Change {
    /** Whether there is such a change, or null if it was not decided. */
    found: boolean | null;
    /** An affected URL, or null. */
    url: string | null;
    /** The verdict about `url` in the old file. */
    before: DialectVerdict | null;
    /** The verdict about `url` in the new file. */
    after: DialectVerdict | null;
    /** The number of states after which the proof stopped, if it did. */
    states?: number | null;
}

/** A change for a set of crawlers. */
export interface DiffChange {
    /** The crawlers that are affected in the same way. */
    crawlers: string[];
    /** The dialect in which they were judged. */
    dialect: Dialect;
    /** URLs that they may not fetch any more. */
    newlyDisallowed: Change;
    /** URLs that they may fetch now. */
    newlyAllowed: Change;
}

/** The summary of a comparison. */
export interface DiffEnd {
    /** True if it is proven that nothing changed for any crawler, or null if it was not decided. */
    same: boolean | null;
    /** The number of crawlers for which that is proven. */
    unchanged: number;
    /** The number of crawlers that were not compared. */
    notCompared: number;
}

/** The lines that the command prints, the last for the whole. Both members are not enumerable. */
export interface CommandLines {
    /** The objects that the command prints, with the snake_case keys of docs/json.md. */
    readonly json: readonly Readonly<Record<string, unknown>>[];
    /** Returns `json`. */
    toJSON(): readonly Readonly<Record<string, unknown>>[];
}

/** A comparison of two files. Its JSON is the lines of `verger.diff/1`. */
export interface Diff extends CommandLines {
    /** The changes, one for each set of crawlers. */
    changes: DiffChange[];
    /** The summary. */
    end: DiffEnd;
}

/** A URL whose verdict changes. */
export interface ChangedUrl {
    /** The URL as given. */
    url: string;
    /** The verdict in the old file. */
    before: DialectVerdict;
    /** The verdict in the new file. */
    after: DialectVerdict;
}

/** URLs whose verdict changes in one direction. */
export interface ChangedUrls {
    /** The number of such URLs. */
    count: number;
    /** The first few of them. */
    examples: ChangedUrl[];
}

/** Number of URLs that each file disallows to a set of crawlers. */
export interface UrlCount {
    /** The crawlers with the same rules in both files. */
    crawlers: string[];
    /** The dialect in which they were judged. */
    dialect: Dialect;
    /** The number of URLs that the old file disallows. */
    disallowedBefore: number;
    /** The number of URLs that the new file disallows. */
    disallowedAfter: number;
    /** The URLs that they may not fetch any more. */
    newlyDisallowed: ChangedUrls;
    /** The URLs that they may fetch now. */
    newlyAllowed: ChangedUrls;
}

/** The summary of a count. */
export interface UrlCountEnd {
    /** True if no verdict changes, or null if some URLs were not counted. */
    same: boolean | null;
    /** The number of URLs that were counted. */
    urls: number;
    /** The number of URLs that were skipped. */
    notCounted: number;
    /** The number of crawlers that were not compared. */
    notCompared: number;
    /** The first messages about URLs that were skipped. */
    problems: string[];
}

/** A count of the URLs that two files disallow. Its JSON is the lines of `verger.diff-urls/1`. */
export interface UrlDiff extends CommandLines {
    /** The counts, one for each set of crawlers. */
    changes: UrlCount[];
    /** The summary. */
    end: UrlCountEnd;
}

/** An edit of a file. */
export interface Edit {
    /** The byte offset at which the replaced text starts. */
    start: number;
    /** The byte offset at which it ends. */
    end: number;
    /** The new text. */
    text: string;
}

/** A fix. */
export interface Fix {
    /** A short description of the fix. */
    title: string;
    /** Whether answers stay the same for every crawler. */
    keepsMeaning: boolean;
    /** The edits, in order and not overlapping. */
    edits: Edit[];
}

/** A place in a file. */
export interface Place {
    /** The line number, counted from 1. */
    line: number;
    /** The column in bytes, counted from 1. */
    column: number;
    /** The byte offset at which it starts. */
    start: number;
    /** The byte offset at which it ends. */
    end: number;
    /** Explains the place. Null for the place of the mistake. */
    label: string | null;
}

/** A probable mistake. */
export interface Finding {
    /** The name of the lint, such as `misspelt-key`. */
    code: string;
    /** How severe it is. */
    severity: "note" | "warning" | "error";
    /** A sentence that names the mistake. */
    message: string;
    /** What to do, or null. */
    help: string | null;
    /** The first place, then places that explain it. */
    spans: Place[];
    /** The other places of the same mistake. */
    further: Place[];
    /** The fix, or null. */
    fix: Fix | null;
}

/** The findings in a file. Its JSON is a line of `verger.lint/1`. */
export interface LintLine extends CommandAnswer {
    /** The name of the file. */
    file: string;
    /** The findings in the order of the file. */
    findings: Finding[];
}

/** The options of `lint`. */
export interface LintOptions {
    /**
     * The name of the file in the answer.
     *
     * @default "-"
     */
    name?: string;
    /** A URL of the site. Without it, lints about the site are skipped. */
    site?: string | UrlLike;
    /**
     * The text of a verger.toml.
     *
     * @default ""
     */
    settings?: string;
}

/** The options of `parse`. */
export interface ListingOptions extends Reading {
    /**
     * The name of the file in the answer.
     *
     * @default "-"
     */
    name?: string;
    /** The crawler whose group and values are added, as in `who`. */
    agent?: string;
}

/** A claim about a file, and whether it holds. Its JSON is a line of `verger.test/1`. */
export interface TestLine extends CommandAnswer {
    /** The name of the file. */
    robots: string;
    /** The claim, as a sentence. */
    claim: string;
    /** The comment of the claim, or null. */
    why: string | null;
    /** The line of the claim, or null. */
    line: number | null;
    /** Whether the claim holds, or null if it was not decided. */
    holds: boolean | null;
    /** Why the claim does not hold, or null. */
    message: string | null;
}

/** A known crawler. Usable as an `Agent`. Its JSON is a line of `verger.crawler/1`. */
export interface KnownCrawler extends Crawler, CommandAnswer {
    /** Its name in the registry. */
    name: string;
    /** Who operates it. */
    operator: string;
    /** The product tokens in lookup order. */
    tokens: string[];
    /** Its `User-Agent` header, or null if it is not known. */
    userAgent: string | null;
    /** Other names in its `User-Agent` header. */
    headerAliases: string[];
    /** Its purposes, such as `search` and `ai-train`. */
    purposes: string[];
    /** Whether groups for `*` apply if no group names the crawler. */
    star: "honoured" | "ignored";
    /** The dialect in which its operator reads. */
    dialect: Dialect;
    /** Whether its operator says that it obeys robots.txt. */
    obeys: "yes" | "no" | "unclear";
    /** Whether it keeps a `Crawl-delay`, or null if its operator does not say. */
    crawlDelay: "honoured" | "ignored" | null;
    /** Whether it is out of use. */
    retired: boolean;
    /** Whether it is only a name in robots.txt, and no crawler sends requests under it. */
    controlOnly: boolean;
    /** The operator's page about it, or null. */
    docs: string | null;
    /** The domains of its addresses, to verify it by DNS. */
    reverseDns: string[];
    /** URLs of the lists of its addresses. */
    ipRanges: string[];
    /** A remark, or null. */
    note: string | null;
    /** The source of the entry. */
    source: string;
    /** Whether the operator or somebody else states it. */
    evidence: "operator" | "second-hand";
    /** The day on which the source was read. */
    read: string;
}

/** The crawlers and rules of `add`. */
export interface AddQuestion extends Omit<FileQuestion, "site"> {
    /** Names as `verger who -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`. */
    agents: readonly string[];
    /**
     * Path-patterns to allow.
     *
     * @default []
     */
    allow?: readonly string[];
    /**
     * Path-patterns to disallow.
     *
     * @default []
     */
    disallow?: readonly string[];
}

/** A URL for which a new rule has no effect. */
export interface StillSo {
    /** The name of the crawler. */
    crawler: string;
    /** The URL. */
    url: string;
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
    stillAllowed: StillSo[];
    /** URLs that match a new `allow` but are still disallowed. */
    stillDisallowed: StillSo[];
}

/** Without names, a question would be about all known crawlers. */
const NAMES: Check = [(value) => STRINGS[0](value) && (value as string[]).length > 0, "an array of at least one name"];
const PATTERNS: Check = [STRINGS[0], "an array of path-patterns"];
const LINE: Check = [(value) => !/[\r\n]/.test(value as string), "a URL without line ends"];
const TEST: Checks<Pick<FileQuestion, "site" | "maxStates">> = { site: URL_OF_SITE, maxStates: COUNT };
const CLAIMS: Checks<Omit<FileQuestion, "agents">> = { ...READING, ...TEST };
const FILE: Checks<FileQuestion> = { ...CLAIMS, agents: NAMES };
const URLS: Checks<Omit<FileQuestion, "maxStates">> = { ...READING, site: URL_OF_SITE, agents: NAMES };
const ADD: Checks<AddQuestion> = { ...READING, agents: STRINGS, maxStates: COUNT, allow: PATTERNS, disallow: PATTERNS };
const LINT: Checks<LintOptions> = { name: STRING, site: URL_OF_SITE, settings: STRING };
const LISTING: Checks<ListingOptions> = { ...READING, name: STRING, agent: STRING };

/**
 * Returns how much of a site each crawler may fetch, and which lines decide.
 *
 * @param body The robots.txt.
 * @param question The crawlers, and how the file is read.
 * @throws {UnknownCrawlerError} if a name is not that of a crawler, purpose or operator.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function who(body: Bytes, question?: FileQuestion): WhoLine[] {
    const asked = words(optionsOf("who", question, FILE));
    return typedLines(owner.call("who", asked, textOf(body, "body")));
}

/**
 * Returns what a change of a file means for each crawler, and a summary.
 *
 * @param old The robots.txt before the change.
 * @param body The robots.txt after the change.
 * @param question The crawlers, and how the files are read.
 * @throws As `who`.
 */
export function diff(old: Bytes, body: Bytes, question?: FileQuestion): Diff {
    const asked = words(optionsOf("diff", question, FILE));
    return withEnd(owner.call("diff", asked, textOf(old, "old"), textOf(body, "body")));
}

/**
 * Counts how many of some URLs each file disallows. A URL that cannot be read is skipped, and listed in `end.problems`.
 *
 * @param old The robots.txt before the change.
 * @param body The robots.txt after the change.
 * @param urls The URLs, as a list or as a text with one per line.
 * @param question The crawlers, and how the files are read.
 * @throws As `who`.
 */
export function diffUrls(
    old: Bytes,
    body: Bytes,
    urls: Bytes | readonly (string | UrlLike)[],
    question?: Omit<FileQuestion, "maxStates">,
): UrlDiff {
    const asked = words(optionsOf("diffUrls", question, URLS));
    const line = (given: unknown, at: number): string => {
        const url = urlOf(given, `urls[${at}]`);
        required(`urls[${at}]`, url, LINE, "diffUrls");
        return url;
    };
    const list = Array.isArray(urls) ? urls.map(line).join("\n") : textOf(urls, "urls");
    return withEnd(owner.call("diff-urls", asked, list, textOf(old, "old"), textOf(body, "body")));
}

/**
 * Finds probable mistakes, with fixes. The file is read by RFC 9309, and compared with the other dialects.
 *
 * @param body The robots.txt.
 * @param options The site, settings, and a name for the file.
 * @throws {ArgumentError} if an argument has the wrong type, an option does not exist, or the settings are invalid.
 */
export function lint(body: Bytes, options?: LintOptions): LintLine {
    const { name = "-", site, settings = "" } = optionsOf("lint", options, LINT);
    const [text, asked] = [textOf(body, "body"), siteOf(site)];
    const hasSettings = settings !== "";
    return typedLine(hasSettings ? whole.call("lint-by-settings", { ...asked, settings }, name, text) : owner.call("lint", asked, name, text));
}

/**
 * Lists a file line by line, and with `agent` what applies to that crawler.
 *
 * @param body The robots.txt.
 * @param options How the file is read, and for which crawler.
 * @throws As `who`.
 */
export function parse(body: Bytes, options?: ListingOptions): ParsedFile {
    const { name = "-", agent, ...reading } = optionsOf("parse", options, LISTING);
    const agents = agent === undefined ? [] : [agent];
    return typedLine(owner.call("listing", words({ ...reading, agents }), name, textOf(body, "body")));
}

/**
 * Returns the verdict, all matching rules, and the dialects that answer differently. Without a dialect, a `KnownCrawler`
 * is judged as its operator reads.
 *
 * @param body The robots.txt.
 * @param question The URL, the crawler and the reading.
 * @throws {ProductTokenError} if the crawler is not a product token.
 * @throws {TargetError} if the URL is neither absolute nor a path that starts with `/`.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function explain(body: Bytes, question: UrlQuestion): Explanation;
/**
 * Returns the verdict, all matching rules, and the dialects that answer differently. Without a dialect, a `KnownCrawler`
 * is judged as its operator reads.
 *
 * @param body The robots.txt.
 * @param url The URL, absolute or as a path that starts with `/`.
 * @param agent The crawler.
 * @param options How the body is read.
 * @throws {ProductTokenError} if `agent` is not a product token.
 * @throws {TargetError} if `url` is neither absolute nor a path that starts with `/`.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function explain(body: Bytes, url: Target, agent: Agent, options?: Reading): Explanation;
export function explain(body: Bytes, url: Target | UrlQuestion, agent?: Agent, options?: Reading): Explanation {
    const text = textOf(body, "body");
    const { names, url: target, word, agent: crawler, reading } = askedOf("explain", url, agent, options);
    const own = reading.dialect === undefined && typeof crawler === "object" && "dialect" in crawler ? (crawler.dialect as Dialect) : "rfc9309";
    return typedLine(owner.call("explain", { asked: word | wordOf({ dialect: own }) }, names, target, text));
}

/**
 * Returns whether crawlers may fetch and index a page: robots.txt, the response, and the directives of the page together.
 * Nothing is fetched.
 *
 * @param body The robots.txt of the page's site.
 * @param question The page and the crawlers.
 * @throws {TargetError} if the URL is neither absolute nor a path that starts with `/`.
 * @throws {ArgumentError} if `head` is not the head of a response, an argument has the wrong type, or an option does not exist.
 * @throws {UnknownCrawlerError} if a name is not that of a crawler, purpose or operator.
 */
export function page(body: Bytes, question: PageQuestion): PageLine[] {
    const asked = optionsOf("page", question, PAGE);
    const { url, head, metas, links, isCut, agents = [], at = new Date(), ...reading } = asked;
    const [target, now] = [targetOf(url), Math.floor(at.getTime() / 1000)];
    const response = head ?? (metas === undefined && links === undefined ? undefined : { status: 200 });
    const texts = [target, textOf(body, "body"), ...(response === undefined ? [] : [headOf(response, target)])];
    return typedLines(owner.call("page", { ...words({ ...reading, agents }), now, isCut, elements: elementsOf(asked) }, ...texts));
}

/**
 * Checks a file against claims, and reads it in the dialect that the claims name.
 *
 * @param body The robots.txt.
 * @param claims The text of a robots.test.toml.
 * @param question The site, and the maximum number of states.
 * @throws {ArgumentError} if the claims are invalid, or an argument has the wrong type.
 */
export function test(body: Bytes, claims: Bytes, question?: Pick<FileQuestion, "site" | "maxStates">): TestLine[] {
    const asked = words(optionsOf("test", question, TEST));
    return typedLines(whole.call("test", asked, textOf(claims, "claims"), textOf(body, "body")));
}

/**
 * Returns the text of a robots.test.toml with claims that describe a file as it is.
 *
 * @param body The robots.txt.
 * @param question How the file is read.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function claims(body: Bytes, question?: Omit<FileQuestion, "agents">): string {
    const asked = words(optionsOf("claims", question, CLAIMS));
    return whole.call("claims", asked, textOf(body, "body"));
}

/**
 * Adds rules for some crawlers, and proves that nothing changes for others.
 *
 * @param body The robots.txt.
 * @param question The crawlers and the rules.
 * @throws {ArgumentError} without crawlers or rules, or if a pattern is invalid.
 * @throws {UnknownCrawlerError} if a name is not that of a crawler, purpose or operator.
 */
export function add(body: Bytes, question: AddQuestion): Addition {
    const { allow = [], disallow = [], ...asked } = optionsOf("add", question, ADD);
    if ((asked.agents ?? []).length === 0) {
        throw new ArgumentError('add: name the crawlers, such as `agents: ["gptbot"]` or `agents: ["@ai-train"]`', "agents");
    }
    if (allow.length + disallow.length === 0) {
        throw new ArgumentError('add: give the rules, such as `disallow: ["/"]` or `allow: ["/public/"]`', "disallow");
    }
    const answer = owner.callForBytes("add", { ...words(asked), allow, disallow }, textOf(body, "body"));
    const end = answer.indexOf("\n".charCodeAt(0)) + 1;
    const said = JSON.parse(decoded(answer.subarray(0, end))) as Omit<Addition, "body">;
    return { body: answer.slice(end), ...said };
}

/** Returns all known crawlers, the most important first. */
export function crawlers(): KnownCrawler[] {
    return typedLines(owner.call("crawlers", {}));
}

/**
 * Returns the known crawler with a registry name or product token of its own.
 *
 * @param name The name, in any case.
 * @throws {UnknownCrawlerError} if the registry has none.
 */
export function crawler(name: string): KnownCrawler {
    required("name", name, STRING, "crawler");
    return typedLine(owner.call("crawler", {}, name));
}

/**
 * Returns the known crawler that a `User-Agent` header names, or `undefined`. A header is a claim, not a proof.
 *
 * @param header The value of the header.
 */
export function crawlerOfHeader(header: string): KnownCrawler | undefined {
    required("header", header, STRING, "crawlerOfHeader");
    return typedLine(owner.call("header", {}, header));
}

function words({ dialect, options = [], site, ...rest }: FileQuestion): object {
    const word = dialect === undefined ? AS_OPERATOR | wordOf({ options }) : wordOf({ dialect, options });
    return { asked: word, ...siteOf(site), ...rest };
}

function siteOf(site: string | UrlLike | undefined): { site?: string } {
    return site === undefined ? {} : { site: urlOf(site, "site") };
}

/** Splits the lines of a comparison into the changes and the last line, a summary. */
function withEnd<T extends Diff | UrlDiff>(text: string): T {
    const lines = typedLines<CommandAnswer>(text);
    return withJson({ changes: lines.slice(0, -1), end: lines.at(-1) }, lines.map(({ json }) => json));
}
