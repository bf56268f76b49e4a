// The page's queries, answered in the worker. Arguments and answers are cloned.

import { type Dialect, type Bytes, Policy, policy, type Verdict, VergerError } from "../../dist/index.js";
import * as owner from "../../dist/owner.js";

/** A chosen crawler, from the registry or by product token. */
export interface Chosen {
    label: string;
    tokens: string[];
    star: "honoured" | "ignored";
    /** The dialect in which it is judged. */
    dialect: Dialect;
}

export interface FileAsked {
    text: string;
    /** Without a dialect, each known crawler is judged as its operator reads. */
    dialect: Dialect | undefined;
    site: string | undefined;
}

export type Cell = Verdict | { error: string };

/** A finding, with positions in the editor's text. */
export interface PlacedFinding {
    code: string;
    severity: "note" | "warning" | "error";
    message: string;
    help: string | null;
    /** The places of the mistake, in order. */
    places: { line: number; from: number; to: number }[];
    fix: { title: string; changes: { from: number; to: number; insert: string }[] } | null;
}

export interface Counts {
    rows: owner.UrlCount[];
    end: owner.UrlCountEnd;
}

export const DIALECTS: readonly Dialect[] = ["rfc9309", "google", "draft2019", "koster1996"];

/** Maximum number of findings to show. A file can have one per line. */
const FINDINGS_MAX = 200;

/** Number of URLs between progress reports. */
const CHUNK = 10_000;

/** Maximum number of example URLs of each kind. */
const EXAMPLES_MAX = 3;

export const questions = {
    crawlers: (): owner.KnownCrawler[] => owner.crawlers().filter(({ retired }) => !retired),

    verdicts({ text, urls, crawlers }: { text: string; urls: string[]; crawlers: Chosen[] }): Cell[][] {
        const columns = crawlers.map((crawler) => verdictsOf(text, crawler, crawler.dialect, urls));
        return urls.map((_, at) => columns.map((column) => column[at]!));
    },

    /** Returns one row per URL, with a verdict by each dialect. */
    dialects({ text, urls, crawler }: { text: string; urls: string[]; crawler: Chosen }): Cell[][] {
        const columns = DIALECTS.map((dialect) => verdictsOf(text, crawler, dialect, urls));
        return urls.map((_, at) => columns.map((column) => column[at]!));
    },

    lint({ text, site }: { text: string; site: string | undefined }): { findings: PlacedFinding[]; total: number } {
        const all = owner.lint(text, site === undefined ? {} : { site }).findings;
        const shown = all.slice(0, FINDINGS_MAX);
        const place = placesOf(text, shown);
        const findings = shown.map(({ code, severity, message, help, spans, further, fix }) => {
            const edits = fix?.edits.map(({ start, end, text }) => ({ from: place(start), to: place(end), insert: text }));
            return {
                code,
                severity,
                message,
                help,
                places: [...spans.slice(0, 1), ...further].map(({ line, start, end }) => {
                    return { line, from: place(start), to: place(end) };
                }),
                fix: fix === null ? null : { title: fix.title, changes: edits! },
            };
        });
        return { findings, total: all.length };
    },

    who: ({ text, dialect, site }: FileAsked): owner.WhoLine[] => owner.who(text, ofFile(dialect, site)),

    diff: ({ text, second, dialect, site }: FileAsked & { second: string }): [...owner.DiffChange[], owner.DiffEnd] =>
        owner.diff(text, second, ofFile(dialect, site)),

    /** Counts the URLs that each file disallows, in parts that report progress. */
    count(
        asked: { old: string; new: string; dialect: Dialect | undefined; urls: string[]; agents: string[] },
        report: (share: number) => void,
    ): Counts {
        const { urls, agents } = asked;
        const question = { ...ofFile(asked.dialect, undefined), agents };
        const parts: string[][] = urls.length === 0 ? [[]] : [];
        for (let start = 0; start < urls.length; start += CHUNK) {
            parts.push(urls.slice(start, start + CHUNK));
        }
        const counts = parts.map((part, at): Counts => {
            report(at / parts.length);
            const lines = owner.diffUrls(asked.old, asked.new, part.join("\n"), question);
            return { end: lines.pop() as owner.UrlCountEnd, rows: lines as owner.UrlCount[] };
        });
        return counts.reduce(together);
    },
};

export type Questions = typeof questions;

function ofFile(dialect: Dialect | undefined, site: string | undefined): owner.FileQuestion {
    return { ...(dialect && { dialect }), ...(site && { site }) };
}

function verdictsOf(text: Bytes, crawler: Chosen, dialect: Dialect, urls: string[]): Cell[] {
    let rules: Policy;
    try {
        rules = policy(text, crawler, { dialect });
    } catch (error) {
        return urls.map(() => ({ error: messageOf(error) }));
    }
    const cells = urls.map((url) => {
        try {
            return rules.verdict(url);
        } catch (error) {
            return { error: messageOf(error) };
        }
    });
    rules.dispose();
    return cells;
}

/** Adds the counts of two parts of a list. Their rows list the same crawlers. */
function together(one: Counts, other: Counts): Counts {
    const changed = (one: owner.ChangedUrls, { count, examples }: owner.ChangedUrls): owner.ChangedUrls => ({
        count: one.count + count,
        examples: [...one.examples, ...examples].slice(0, EXAMPLES_MAX),
    });
    const rows = one.rows.map((row, at) => {
        const more = other.rows[at]!;
        return {
            ...row,
            disallowed_before: row.disallowed_before + more.disallowed_before,
            disallowed_after: row.disallowed_after + more.disallowed_after,
            newly_disallowed: changed(row.newly_disallowed, more.newly_disallowed),
            newly_allowed: changed(row.newly_allowed, more.newly_allowed),
        };
    });
    const [end, more] = [one.end, other.end];
    return { rows, end: { ...end, urls: end.urls + more.urls, not_counted: end.not_counted + more.not_counted } };
}

/** Returns the message of an expected error. Any other error is a defect and is rethrown. */
function messageOf(error: unknown): string {
    if (error instanceof VergerError) {
        return error.message;
    }
    throw error;
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
