// Answers: camelCase keys, and one shape for a rule, a group and a verdict.

import type { Dialect } from "./question.js";
import type { AppliedGroup, Effect, Reason, Rule } from "./verdict.js";

/** An answer with the JSON that the command prints. Both members are not enumerable. */
export interface CommandAnswer {
    /** The object that the command prints, with the snake_case keys of docs/json.md. */
    readonly json: Readonly<Record<string, unknown>>;
    /** Returns `json`, so `JSON.stringify` writes what the command prints. */
    toJSON(): Readonly<Record<string, unknown>>;
}

/** A verdict in one dialect. */
export interface DialectVerdict {
    /** Whether the verdict allows or disallows, or null without one. */
    effect: Effect | null;
    /** Whether the crawler may fetch the URL, or null without a verdict. */
    allowed: boolean | null;
    /** The reason of the verdict, or null without one. */
    reason: Reason | null;
    /** The line of the deciding rule, counted from 1, or null if no rule decides. */
    line: number | null;
    /** The deciding rule, or null if no rule decides. */
    rule: Rule | null;
    /** The group that applies, or null without one. */
    group: AppliedGroup | null;
    /** The document by which the file was read. */
    dialect: Dialect;
}

/** A rule that matches a URL, and why it decides or not. */
export interface Candidate extends Rule {
    /** The length of the pattern in bytes, by which rules are compared. */
    bytes: number;
    /** Whether this rule decides. */
    decides: boolean;
    /** A sentence that says why it decides or not. */
    why: string;
}

/** A dialect that answers differently, and why. */
export interface OtherDialect extends DialectVerdict {
    /** A sentence that says why it answers differently. */
    why: string;
    /** The id of the clause that makes the difference. */
    clause: string | null;
}

/** The crawler of a question, as it was looked up. */
export interface CrawlerTokens {
    /** Its name in the registry, or null if the registry was not used. */
    registryName: string | null;
    /** The product tokens in lookup order. */
    tokens: string[];
    /** Whether groups for `*` apply if no group names the crawler. */
    star: "honoured" | "ignored";
    /** True if the groups of all tokens apply as one. */
    union?: boolean;
    /** Whether its operator says that it obeys robots.txt, or null for a token outside the registry. */
    obeys: "yes" | "no" | "unclear" | null;
}

/** The size limit of a file, if the answer depends on the bytes after it. */
export interface BodyLimit {
    /** The number of bytes that count. */
    bytes: number;
    /** Whether this answer uses only these bytes. */
    applies: boolean;
    /** The answer otherwise. */
    otherwise: DialectVerdict;
}

/** Something unusual about a body, such as bytes that are not UTF-8. */
export interface BodyWarning {
    /** The kind of warning, such as `not-utf8`. */
    kind: string;
    /** A sentence for readers, which may change. */
    message: string;
    /** The id of the clause that applies. */
    clause: string;
    /** The first affected line, or null for the whole file. */
    line: number | null;
    /** The byte offset at which the affected part starts, or null. */
    start: number | null;
    /** The byte offset at which the affected part ends, or null. */
    end: number | null;
    /** The number of invalid lines, or null. */
    count: number | null;
}

/** Whether the file permits a use of the content. */
export type StatedUse = "yes" | "no" | "unstated";

/** The preferences that the file states about the uses of a URL's content. They never change the verdict. */
export interface StatedPreferences {
    /** Building an index that links to the content. */
    search: StatedUse;
    /** Input to a model that answers. */
    aiInput: StatedUse;
    /** Training of models. */
    aiTrain: StatedUse;
    /** The values that apply, in file order, each with the first line that states it. */
    values: StatedValue[];
}

/** A value of a `Content-Signal` or `Content-Usage` line. */
export interface StatedValue {
    /** The line number, counted from 1. */
    line: number;
    /** The kind of record. */
    kind: "content-signal" | "content-usage";
    /** The key or label, such as `ai-train`, `use` or `train-ai`. */
    key: string;
    /** The value, such as `no`, `reference` or `n`. */
    value: string;
}

/** A verdict with all matching rules. Its JSON is `verger.check/1` with `--explain`. */
export interface Explanation extends DialectVerdict, CommandAnswer {
    /** The crawler as given. */
    agent: string;
    /** The crawler as it was looked up. */
    crawler: CrawlerTokens;
    /** The URL as given, unless it is not UTF-8. */
    url?: string;
    /** The URL in base64 if it is not UTF-8. */
    urlBase64?: string;
    /** The path and query that a client sends, if they differ from the URL. */
    sentAs: string | null;
    /** The line of the `*` group that the crawler ignores, or null. */
    ignoredStar: number | null;
    /** The size limit, if the answer depends on it. */
    bodyLimit: BodyLimit | null;
    /** Warnings about the body. */
    warnings: BodyWarning[];
    /** The preferences that the file states about the uses of the content, if any. */
    preferences?: StatedPreferences;
    /** The matching rules by precedence. */
    candidates: Candidate[];
    /** The dialects with another effect or another deciding rule. */
    otherDialects: OtherDialect[];
}

/** A line with a key and a value. */
export interface FileRecord {
    /** The line number, counted from 1. */
    line: number;
    /** The column of the key in bytes, counted from 1. */
    column: number;
    /** The documented key in lower case, or `other`. */
    kind: string;
    /** The key as written. */
    key: string;
    /** The value as written, with U+FFFD for bytes that are not UTF-8. */
    value: string;
    /** The value in base64 if it is not UTF-8. */
    valueBase64?: string;
    /** The index of its group, counted from 0, or null outside of groups. */
    group: number | null;
}

/** The normalized value of a record that is not a rule. */
export interface FileValue {
    /** The line number, or null if several lines are combined. */
    line: number | null;
    /** The documented key in lower case. */
    kind: string;
    /** The value in normal form. */
    value: unknown;
}

/** Something that was ignored, truncated, or read differently than written. */
export interface Diagnostic {
    /** The line number, or null for the whole file. */
    line: number | null;
    /** The column in bytes, counted from 1, or null for the whole file. */
    column: number | null;
    /** The byte offset at which it starts. */
    start: number;
    /** The byte offset at which it ends. */
    end: number;
    /** The kind of diagnostic, such as `misspelt-key-read`. */
    kind: string;
    /** A sentence for readers. */
    message: string;
    /** The id of the clause that applies. */
    clause: string;
}

/** User-agent lines and their rules. */
export interface Group {
    /** The line of its first user-agent line. */
    readonly line: number;
    /** False if the group applies to no crawler because it has no rule, only in `koster1996`. */
    readonly isRecord: boolean;
    /** The values of its user-agent lines. */
    readonly userAgents: readonly string[];
    /** Its rules in file order. */
    readonly rules: readonly Rule[];
}

/** The combined groups of one crawler. */
export interface MergedGroup extends AppliedGroup {
    /** The indexes of the groups, counted from 0. */
    readonly groups: readonly number[];
    /** The values of their user-agent lines. */
    readonly userAgents: readonly string[];
    /** Their rules in file order. */
    readonly rules: readonly Rule[];
}

/** A Sitemap line. */
export interface Sitemap {
    /** The line number, counted from 1. */
    line: number;
    /** The URL as written. */
    url: string;
    /** Whether the URL is absolute, as it should be. */
    absolute: boolean;
}

/** A whole file. Its JSON is `verger.parse/1`. */
export interface ParsedFile extends CommandAnswer {
    /** The name of the file, `-` without one. */
    file: string;
    /** The document by which the file was read. */
    dialect: Dialect;
    /** The size of the file. */
    bytes: number;
    /** The number of bytes that were used. */
    bytesRead: number;
    /** The number of lines that were used. */
    lines: number;
    /** The groups in file order. */
    groups: Group[];
    /** Every line with a key and a value. */
    records: FileRecord[];
    /** The Sitemap lines. */
    sitemaps: Sitemap[];
    /** The crawler as given, if there is one. */
    agent?: string;
    /** The crawler as it was looked up, if there is one. */
    crawler?: CrawlerTokens;
    /** The groups of the crawler, or null if none applies. */
    mergedGroup?: MergedGroup | null;
    /** The values of records that are not rules. */
    values: FileValue[];
    /** Lines that were ignored, truncated, or read differently than written. */
    diagnostics: Diagnostic[];
}
