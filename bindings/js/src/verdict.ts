// Verdicts, as the words of an answer have them.

import { type Instance, textOf } from "./instance.js";

/** What a rule or a verdict does. */
export type Effect = "allow" | "disallow";

/** Why: a rule matches and decides; a group applies and none of its rules matches; no group applies; the URL is
 * that of the robots.txt itself. */
export type Reason = "rule" | "no-rule" | "no-group" | "robots-txt";

/** An allow or disallow line. */
export interface Rule {
    readonly effect: Effect;
    /** Its path-pattern as written; U+FFFD stands for bytes that are not UTF-8. */
    readonly pattern: string;
    /** Its line, counted from 1. */
    readonly line: number;
}

/** The group that applies to a crawler; the first where several do. */
export interface AppliedGroup {
    /** Its first line. */
    readonly line: number;
    readonly namedBy: "token" | "star";
}

/** The answer to one question, and why. */
export interface Verdict {
    readonly effect: Effect;
    readonly allowed: boolean;
    readonly reason: Reason;
    /** The line of the rule that decides, counted from 1. */
    readonly line: number | null;
    readonly rule: Rule | null;
    readonly group: AppliedGroup | null;
}

const REASONS: readonly Reason[] = ["rule", "no-rule", "no-group", "robots-txt"];
const WORDS = 7;

/** The verdict that the words of the last answer say. */
export function verdictOf(instance: Instance): Verdict {
    const [allow, reason, line = 0, groupLine = 0, isNamed, place = 0, length = 0] = instance.words(WORDS);
    const effect = allow === 1 ? "allow" : "disallow";
    const rule = line > 0 ? { effect, line, pattern: textOf(instance.bytes(place, length)) } as const : null;
    return {
        effect,
        allowed: allow === 1,
        reason: REASONS[reason!]!,
        line: line > 0 ? line : null,
        rule,
        group: groupLine > 0 ? { line: groupLine, namedBy: isNamed === 1 ? "token" : "star" } : null,
    };
}
