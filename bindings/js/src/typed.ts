// Converts the command's JSON into typed values. Each keeps the JSON that the command prints.

import type { Effect, Rule } from "./verdict.js";

/** An object of the command's JSON. */
export type Json = { readonly [key: string]: unknown };

const CAMEL = new Map<string, string>();

function camel(key: string): string {
    let name = CAMEL.get(key);
    if (name === undefined) {
        name = key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
        CAMEL.set(key, name);
    }
    return name;
}

/** Converts a value of the command's JSON. The value of a record stays as it is. */
function converted(value: unknown, key: string): unknown {
    if (Array.isArray(value)) {
        return value.map((one) => converted(one, key));
    }
    if (typeof value !== "object" || value === null || key === "value") {
        return value;
    }
    const json = value as Json;
    if (key === "user_agents") {
        return json["value"];
    }
    if (key === "rules") {
        return { effect: json["effect"], line: json["line"], pattern: json["pattern"] };
    }
    const typed: Record<string, unknown> = {};
    if ("decides" in json) {
        return { ...ruleOf(json, json["effect"] as Effect), bytes: json["bytes"], decides: json["decides"], why: json["why"] };
    }
    if ("allowed" in json && "reason" in json) {
        typed["effect"] = json["allowed"] === null ? null : json["allowed"] === true ? "allow" : "disallow";
    }
    for (const [name, member] of Object.entries(json)) {
        if (name === "rule") {
            typed["rule"] = typeof member === "string" ? ruleOf(json, typed["effect"] as Effect) : null;
        } else if (name === "named") {
            typed["namedBy"] = member === true ? "token" : "star";
        } else if (name === "own" && "token" in json) {
            Object.assign(typed, { namedBy: json["token"] === null ? "star" : "token", own: member });
        } else if (name !== "schema") {
            typed[camel(name)] = converted(member, name);
        }
    }
    return typed;
}

/** Splits the text of a rule, such as `Disallow: /a`. A line that is read leniently may have no colon. */
function ruleOf(json: Json, effect: Effect): Rule {
    const text = json["rule"] as string;
    const colon = text.indexOf(":");
    const end = colon < 0 ? text.search(/[\t ]/) : colon;
    return { effect, line: json["line"] as number, pattern: end < 0 ? "" : text.slice(end + 1).trim() };
}

/** Returns the typed value of JSON that no command prints. */
export function plainOf<T>(json: Json): T {
    return converted(json, "") as T;
}

/** Returns the typed value of the command's JSON. */
export function typedOf<T>(json: Json): T {
    return withJson(converted(json, "") as object, json);
}

/** Adds `json` and `toJSON`. */
export function withJson<T>(typed: object, json: unknown): T {
    return Object.defineProperties(typed, { json: { value: json }, toJSON: { value: () => json } }) as T;
}

/** Returns the typed values of the lines of the command's JSON. */
export function typedLines<T>(text: string): T[] {
    return text.split("\n").filter((line) => line !== "").map((line) => typedOf(JSON.parse(line) as Json));
}

/** Returns the typed value of the only line. */
export function typedLine<T>(text: string): T {
    return typedLines<T>(text)[0]!;
}
