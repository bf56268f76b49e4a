import { decoded } from "./bytes.js";
import type { Instance } from "./instance.js";

/** Whether a rule or verdict allows or disallows. */
export type Effect = "allow" | "disallow";

/** Why: a rule decides, no rule of the group matches, no group applies, or the URL is that of the robots.txt itself. */
export type Reason = "rule" | "no-rule" | "no-group" | "robots-txt";

/** An allow or disallow line. */
export interface Rule {
    /** Whether the rule allows or disallows. */
    readonly effect: Effect;
    /** The line number, counted from 1. */
    readonly line: number;
    /** The path-pattern as written. Bytes that are not UTF-8 become U+FFFD. */
    readonly pattern: string;
}

/** The group that applies to a crawler, the first if several do. */
export interface AppliedGroup {
    /** The line of its first user-agent line. */
    readonly line: number;
    /** Whether the group names a product token of the crawler, or is for `*`. */
    readonly namedBy: "token" | "star";
}

/** A verdict, and why. */
export interface Verdict {
    /** Whether the verdict allows or disallows. */
    readonly effect: Effect;
    /** Whether the crawler may fetch the URL. */
    readonly allowed: boolean;
    /** The reason of the verdict. */
    readonly reason: Reason;
    /** The line of the deciding rule, counted from 1, or null if no rule decides. */
    readonly line: number | null;
    /** The deciding rule, or null if no rule decides. */
    readonly rule: Rule | null;
    /** The group that applies, or null without one. */
    readonly group: AppliedGroup | null;
}

const REASONS: readonly Reason[] = ["rule", "no-rule", "no-group", "robots-txt"];
const WORDS = 7;

/** Reads the verdict from the words of the last answer. */
export function verdictOf(instance: Instance): Verdict {
    const [allow, reason, line = 0, groupLine = 0, isNamed, place = 0, length = 0] = instance.words(WORDS);
    const effect = allow === 1 ? "allow" : "disallow";
    const rule = line > 0 ? { effect, line, pattern: decoded(instance.bytes(place, length)) } as const : null;
    return {
        effect,
        allowed: allow === 1,
        reason: REASONS[reason!]!,
        line: line > 0 ? line : null,
        rule,
        group: groupLine > 0 ? { line: groupLine, namedBy: isNamed === 1 ? "token" : "star" } : null,
    };
}
