// The command's JSON, with the same keys as in docs/json.md. A schema may gain keys, but never loses one.

import type { Dialect } from "./question.js";
import type { Effect, Reason } from "./verdict.js";

export interface VerdictKeys {
    allowed: boolean | null;
    reason: Reason | null;
    line: number | null;
    rule: string | null;
    group: { line: number; named: boolean } | null;
    dialect: Dialect;
}

/** A rule that matches a URL, and why it decides or not. */
export interface Candidate {
    line: number;
    rule: string;
    effect: Effect;
    /** Its specificity. */
    bytes: number;
    decides: boolean;
    why: string;
}

/** `verger.check/1` with `--explain`. */
export interface Explanation extends VerdictKeys {
    schema: "verger.check/1";
    agent: string;
    url?: string;
    url_base64?: string;
    candidates: Candidate[];
    other_dialects: (VerdictKeys & { why: string; clause: string | null })[];
    [key: string]: unknown;
}

export interface FileRecord {
    line: number;
    column: number;
    /** The documented key in lower case, or `other`. */
    kind: string;
    key: string;
    value: string;
    value_base64?: string;
    /** Its group, counted from 0. */
    group: number | null;
}

/** The normalized value of a record that is not a rule. */
export interface FileValue {
    line: number | null;
    kind: string;
    value: unknown;
}

/** Something that was ignored, truncated, or read differently than written. */
export interface Diagnostic {
    line: number | null;
    column: number | null;
    start: number;
    end: number;
    kind: string;
    message: string;
    clause: string;
}

interface UserAgentLine {
    line: number;
    value: string;
}

export interface FileRule {
    line: number;
    effect: Effect;
    pattern: string;
    pattern_base64?: string;
}

/** `verger.parse/1`. */
export interface ParsedFile {
    schema: "verger.parse/1";
    dialect: Dialect;
    bytes: number;
    bytes_read: number;
    lines: number;
    groups: { line: number; is_record: boolean; user_agents: UserAgentLine[]; rules: FileRule[] }[];
    records: FileRecord[];
    sitemaps: { line: number; url: string; absolute: boolean }[];
    values: FileValue[];
    diagnostics: Diagnostic[];
    [key: string]: unknown;
}
