// The page's queries, answered in the worker, and the types of their answers. Arguments and answers are cloned. No other
// module uses the package.

import { type Dialect, policy, type Verdict, VergerError } from "../../dist/index.js";
import * as owner from "../../dist/owner.js";

export type { Dialect };
export type Change = owner.Change;
export type ChangedUrls = owner.ChangedUrls;
export type Diff = Pick<owner.Diff, "changes" | "end">;
export type UrlDiff = Pick<owner.UrlDiff, "changes" | "end">;

/** A crawler of the registry or with an entered product token. `dialect` is the one in which it is judged. */
export interface Crawler extends Pick<owner.KnownCrawler, "name" | "operator" | "purposes" | "tokens" | "star" | "dialect"> {
    /** The product token as its operator writes it. */
    label: string;
}

type Judged = Pick<Crawler, "tokens" | "star" | "dialect">;

/** Whether a crawler may fetch a URL, and why. */
export type Cell = Verdict | { error: string };

/** How much of the site a crawler may fetch. */
export type Depth = "open" | "partly" | "closed";

/** How much of the site one crawler may fetch, and why. */
export type Extent = owner.WhoLine & { label: string; depth: Depth | null };

/** Whether one crawler may index a page, and why. */
export type Indexed = Pick<owner.PageLine, "page"> & { label: string };

export interface PageAsked extends Pick<owner.PageQuestion, "metas" | "links" | "isCut"> {
    text: string;
    url: string;
    /** The head of the response, or nothing if the page is not known. */
    head: string;
    agents: string[];
    dialect: Dialect | undefined;
}

export interface FileAsked {
    text: string;
    /** Without a dialect, each known crawler is judged as its operator reads. */
    dialect: Dialect | undefined;
    site: string | undefined;
}

/** A finding, with positions in the editor's text. */
export interface PlacedFinding extends Pick<owner.Finding, "code" | "severity" | "message" | "help"> {
    /** The places of the mistake, in order. */
    places: { line: number; from: number; to: number }[];
    fix: { title: string; isSafe: boolean; changes: { from: number; to: number; insert: string }[] } | null;
}

export interface Findings {
    findings: PlacedFinding[];
    total: number;
}

/** A line that crawlers ignore or read differently. */
export interface IgnoredLine {
    line: number;
    why: string;
}

/** The file with further lines. */
export interface Extended {
    text: string;
    notes: string[];
}

export const DIALECTS: readonly Dialect[] = ["rfc9309", "google", "draft2019", "koster1996"];

/** Maximum number of findings to show. A file can have one per line. */
const FINDINGS_MAX = 200;

/** Maximum number of ignored lines to mark. */
const IGNORED_MAX = 2_000;

/** Number of URLs between progress reports. */
const CHUNK = 10_000;

export const questions = {
    crawlers: (): Crawler[] => registry(),

    // Queries of one name replace each other, so those for other parts of the page have other names.
    verdicts: verdictRows,
    dialects: verdictRows,
    lint: findingsOf,
    lintSecond: findingsOf,

    ignored({ text }: { text: string }): IgnoredLine[] {
        const { records, diagnostics } = owner.parse(text);
        const unknown = records.filter(({ kind }) => kind === "other");
        const why = new Map(unknown.slice(0, IGNORED_MAX).map(({ line }) => [line, "no crawler knows the key, so the line is ignored"]));
        diagnostics.slice(0, IGNORED_MAX).forEach(({ line, message }) => line !== null && why.set(line, message));
        return Array.from(why, ([line, why]) => ({ line, why }));
    },

    who: ({ text, dialect, site }: FileAsked): Extent[] =>
        owner.who(text, ofFile(dialect, site)).map((line) => {
            return { ...line, label: labelOf(line.crawler), depth: line.disallowed && DEPTHS[line.disallowed] };
        }),

    page({ text, url, head, dialect, ...page }: PageAsked): Indexed[] | { error: string } {
        const question = { url, ...(head !== "" && { head }), ...page, ...(dialect && { dialect }) };
        return orError(() => owner.page(text, question).map(({ agent, page }) => ({ page, label: labelOf(agent) })));
    },

    diff({ text, second, dialect, site }: FileAsked & { second: string }): Diff {
        const { changes, end } = owner.diff(text, second, ofFile(dialect, site));
        return { changes: changes.map(labelled), end };
    },

    /** Adds rules for the crawlers, and keeps what all others may fetch. */
    add({ text, agents, rules }: { text: string; agents: string[]; rules: { allow?: string[]; disallow?: string[] } }): Extended {
        const { body, already, withoutEffect, also } = owner.add(text, { agents, ...rules });
        const notes = [...withoutEffect];
        if (already.length > 0) {
            notes.push(`The file already says so for ${already.map(labelOf).join(", ")}`);
        }
        if (also.length > 0) {
            notes.push(`This also applies to ${also.map(labelOf).join(", ")}, which use the same name`);
        }
        return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(body), notes };
    },

    /** Counts the URLs that each file disallows, in parts that report progress. */
    count(
        asked: { old: string; new: string; dialect: Dialect | undefined; urls: string[]; agents: string[] },
        report: (share: number) => void,
    ): UrlDiff {
        const { urls, agents } = asked;
        const question = { ...ofFile(asked.dialect, undefined), agents };
        const parts: UrlDiff[] = [];
        for (let start = 0; start < urls.length; start += CHUNK) {
            report(start / urls.length);
            const { changes, end } = owner.diffUrls(asked.old, asked.new, urls.slice(start, start + CHUNK), question);
            parts.push({ changes: changes.map(labelled), end });
        }
        return parts.reduce(together);
    },
};

export type Questions = typeof questions;

const RANKS = { error: 0, warning: 1, note: 2 };
const DEPTHS: Record<"everything" | "some" | "nothing", Depth> = { everything: "closed", some: "partly", nothing: "open" };

let known: Crawler[] | undefined;
let labels: Map<string, string> | undefined;

function registry(): Crawler[] {
    known ??= owner
        .crawlers()
        .filter(({ retired }) => !retired)
        .map((crawler) => ({ ...crawler, label: crawler.tokens[0]! }));
    return known;
}

function labelOf(name: string): string {
    labels ??= new Map(registry().map(({ name, label }) => [name, label]));
    return name === "*" ? "any other crawler" : (labels.get(name) ?? name);
}

const labelled = <C extends { crawlers: string[] }>(change: C): C => ({ ...change, crawlers: change.crawlers.map(labelOf) });

function ofFile(dialect: Dialect | undefined, site: string | undefined): owner.FileQuestion {
    return { ...(dialect && { dialect }), ...(site && { site }) };
}

function findingsOf({ text, site }: { text: string; site: string | undefined }): Findings {
    const all = owner.lint(text, site === undefined ? {} : { site }).findings;
    const ranked = all.toSorted((one, other) => RANKS[one.severity] - RANKS[other.severity]);
    const shown = ranked.slice(0, FINDINGS_MAX);
    const place = placesOf(text, shown);
    const findings = shown.map(({ code, severity, message, help, spans, further, fix }): PlacedFinding => {
        const changes = fix?.edits.map(({ start, end, text }) => ({ from: place(start), to: place(end), insert: text }));
        const places = [...spans.slice(0, 1), ...further].map(({ line, start, end }) => {
            return { line, from: place(start), to: place(end) };
        });
        const placed = fix === null ? null : { title: fix.title, isSafe: fix.keepsMeaning, changes: changes! };
        return { code, severity, message, help, places, fix: placed };
    });
    return { findings, total: all.length };
}

/** Returns one row per URL, with a verdict or an error for each crawler. */
function verdictRows({ text, urls, crawlers }: { text: string; urls: string[]; crawlers: Judged[] }): Cell[][] {
    const columns = crawlers.map(({ tokens, star, dialect }) => {
        const rules = orError(() => policy(text, { tokens, star }, { dialect }));
        if ("error" in rules) {
            return urls.map(() => rules);
        }
        const cells = urls.map((url) => orError(() => rules.verdict(url)));
        rules.dispose();
        return cells;
    });
    return urls.map((_, at) => columns.map((column) => column[at]!));
}

/** Adds the counts of two parts of a list. Their rows list the same crawlers. */
function together(one: UrlDiff, other: UrlDiff): UrlDiff {
    const changed = (one: ChangedUrls, other: ChangedUrls): ChangedUrls => {
        return { count: one.count + other.count, examples: [...one.examples, ...other.examples].slice(0, 1) };
    };
    const changes = one.changes.map((row, at) => {
        const more = other.changes[at]!;
        return {
            ...row,
            disallowedBefore: row.disallowedBefore + more.disallowedBefore,
            disallowedAfter: row.disallowedAfter + more.disallowedAfter,
            newlyDisallowed: changed(row.newlyDisallowed, more.newlyDisallowed),
            newlyAllowed: changed(row.newlyAllowed, more.newlyAllowed),
        };
    });
    const [end, more] = [one.end, other.end];
    return { changes, end: { ...end, urls: end.urls + more.urls, notCounted: end.notCounted + more.notCounted } };
}

/** Returns an answer, or the message of an expected error. Any other error is a defect and is rethrown. */
function orError<T>(ask: () => T): T | { error: string } {
    try {
        return ask();
    } catch (error) {
        if (error instanceof VergerError) {
            return { error: error.message };
        }
        throw error;
    }
}

/** Converts UTF-8 offsets of findings to positions in the text. */
function placesOf(text: string, findings: owner.Finding[]): (offset: number) => number {
    const wanted = findings.flatMap(({ spans, further, fix }) => [...spans, ...further, ...(fix?.edits ?? [])]);
    const offsets = [...new Set(wanted.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
    const places = new Map<number, number>();
    let [bytes, units, at] = [0, 0, 0];
    for (const character of text) {
        while (at < offsets.length && offsets[at]! <= bytes) {
            places.set(offsets[at]!, units);
            at += 1;
        }
        const code = character.codePointAt(0)!;
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
        units += character.length;
    }
    return (offset) => places.get(offset) ?? text.length;
}
