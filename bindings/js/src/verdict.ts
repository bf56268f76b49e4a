import { type Instance, textOf } from "./instance.js";

/** Whether a rule or verdict allows or disallows. */
export type Effect = "allow" | "disallow";

/** Why: a rule decides, no rule of the group matches, no group applies, or the URL is that of the robots.txt itself. */
export type Reason = "rule" | "no-rule" | "no-group" | "robots-txt";

/** An allow or disallow line. */
export interface Rule {
    readonly effect: Effect;
    /** The path-pattern as written. Bytes that are not UTF-8 become U+FFFD. */
    readonly pattern: string;
    /** The line number, counted from 1. */
    readonly line: number;
}

/** The group that applies to a crawler, the first if several do. */
export interface AppliedGroup {
    /** The line of its first user-agent line. */
    readonly line: number;
    readonly namedBy: "token" | "star";
}

/** A verdict, and why. */
export interface Verdict {
    readonly effect: Effect;
    readonly allowed: boolean;
    readonly reason: Reason;
    /** The line of the deciding rule, counted from 1. */
    readonly line: number | null;
    readonly rule: Rule | null;
    readonly group: AppliedGroup | null;
}

const REASONS: readonly Reason[] = ["rule", "no-rule", "no-group", "robots-txt"];
const WORDS = 7;

/** Reads the verdict from the words of the last answer. */
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
