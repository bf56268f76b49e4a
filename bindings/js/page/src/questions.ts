// The questions of the page, as a worker answers them by the package. What goes in and out is cloned.

import { type Dialect, type Octets, Policy, policy, type Verdict, VergerError } from "../../dist/index.js";
import * as owner from "../../dist/owner.js";

/** A crawler that was chosen: of the registry, or a product token. */
export interface Chosen {
    label: string;
    tokens: string[];
    star: "honoured" | "ignored";
}

export interface FileAsked {
    text: string;
    dialect: Dialect;
    site: string | undefined;
}

/** What the file says about one URL to one crawler. */
export type Cell = Verdict | { error: string };

/** A finding, with places in the text of the editor. */
export interface PlacedFinding {
    code: string;
    severity: "note" | "warning" | "error";
    message: string;
    help: string | null;
    line: number | null;
    from: number;
    to: number;
    fix: { title: string; changes: { from: number; to: number; insert: string }[] } | null;
}

/** Of how many URLs. */
export interface Count {
    crawler: string;
    disallowed: number[];
    newlyDisallowed: number;
    newlyAllowed: number;
    example: string | null;
    error: string | null;
}

export const DIALECTS: readonly Dialect[] = ["rfc9309", "google", "draft2019", "koster1996"];

/** So many findings are shown; a file can have one a line. */
const FINDINGS_MAX = 200;

/** Progress is reported after so many URLs. */
const CHUNK = 10_000;

export const questions = {
    crawlers: (): owner.KnownCrawler[] => owner.crawlers().filter(({ retired }) => !retired),

    verdicts({ text, dialect, urls, crawlers }: FileAsked & { urls: string[]; crawlers: Chosen[] }): Cell[][] {
        const columns = crawlers.map((crawler) => verdictsOf(text, crawler, dialect, urls));
        return urls.map((_, at) => columns.map((column) => column[at]!));
    },

    /** For each URL, a verdict by each dialect. */
    dialects({ text, urls, crawler }: { text: string; urls: string[]; crawler: Chosen }): Cell[][] {
        const columns = DIALECTS.map((dialect) => verdictsOf(text, crawler, dialect, urls));
        return urls.map((_, at) => columns.map((column) => column[at]!));
    },

    lint({ text, site }: { text: string; site: string | undefined }): { findings: PlacedFinding[]; total: number } {
        const all = owner.lint(text, site === undefined ? {} : { site }).findings;
        const shown = all.slice(0, FINDINGS_MAX);
        const place = placesOf(text, shown);
        const findings = shown.map(({ code, severity, message, help, spans, fix }) => {
            const edits = fix?.edits.map(({ start, end, text }) => ({ from: place(start), to: place(end), insert: text }));
            return {
                code,
                severity,
                message,
                help,
                line: spans[0]?.line ?? null,
                from: place(spans[0]?.start ?? 0),
                to: place(spans[0]?.end ?? 0),
                fix: fix === null ? null : { title: fix.title, changes: edits! },
            };
        });
        return { findings, total: all.length };
    },

    who: ({ text, dialect, site }: FileAsked): owner.WhoLine[] => owner.who(text, ofFile(dialect, site)),

    diff: ({ text, second, dialect, site }: FileAsked & { second: string }): [...owner.DiffChange[], owner.DiffEnd] =>
        owner.diff(text, second, ofFile(dialect, site)),

    /** How many of the URLs each file disallows. */
    count(
        asked: { files: string[]; dialect: Dialect; urls: string[]; crawlers: Chosen[] },
        report: (share: number) => void,
    ): Count[] {
        const { files, dialect, urls, crawlers } = asked;
        return crawlers.map((crawler, at) =>
            counted(files, crawler, dialect, urls, (done) => report((at + done) / crawlers.length)),
        );
    },
};

export type Questions = typeof questions;

function ofFile(dialect: Dialect, site: string | undefined): owner.FileQuestion {
    return site === undefined ? { dialect } : { dialect, site };
}

function verdictsOf(text: Octets, crawler: Chosen, dialect: Dialect, urls: string[]): Cell[] {
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

function counted(
    files: string[],
    crawler: Chosen,
    dialect: Dialect,
    urls: string[],
    report: (share: number) => void,
): Count {
    const count: Count = {
        crawler: crawler.label,
        disallowed: files.map(() => 0),
        newlyDisallowed: 0,
        newlyAllowed: 0,
        example: null,
        error: null,
    };
    const policies: Policy[] = [];
    try {
        policies.push(...files.map((file) => policy(file, crawler, { dialect })));
        urls.forEach((url, at) => {
            if (at % CHUNK === 0) {
                report(at / urls.length);
            }
            const allowed = policies.map((rules) => rules.allowed(url));
            allowed.forEach((isAllowed, file) => (count.disallowed[file]! += isAllowed ? 0 : 1));
            if (allowed.length === 2 && allowed[0] !== allowed[1]) {
                count[allowed[1] ? "newlyAllowed" : "newlyDisallowed"] += 1;
                count.example ??= url;
            }
        });
    } catch (error) {
        count.error = messageOf(error);
    } finally {
        policies.forEach((rules) => rules.dispose());
    }
    return count;
}

/** What a person can be told of an error; one that is not of the package is a defect, and is thrown on. */
function messageOf(error: unknown): string {
    if (error instanceof VergerError) {
        return error.message;
    }
    throw error;
}

/** The place in a text of an offset in its UTF-8, for the offsets that findings have. */
function placesOf(text: string, findings: owner.Finding[]): (offset: number) => number {
    const wanted = findings.flatMap(({ spans, fix }) => [...spans, ...(fix?.edits ?? [])]);
    const offsets = [...new Set(wanted.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
    const places = new Map<number, number>();
    let [octets, units, at] = [0, 0, 0];
    for (const character of text) {
        while (at < offsets.length && offsets[at]! <= octets) {
            places.set(offsets[at]!, units);
            at += 1;
        }
        const code = character.codePointAt(0)!;
        octets += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
        units += character.length;
    }
    return (offset) => places.get(offset) ?? text.length;
}
