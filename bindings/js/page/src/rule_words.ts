// Explains one line of a robots.txt in words.

import type { Crawler } from "./questions.js";

const OTHERS: Record<string, string> = {
    "sitemap": "Names a sitemap. It neither allows nor blocks anything.",
    "crawl-delay": "Asks crawlers to wait this many seconds between requests. Google ignores it.",
    "host": "Names the main host, for Yandex. Other crawlers ignore it.",
    "clean-param": "Names parameters that do not change a page, for Yandex. Other crawlers ignore it.",
    "content-signal": "States how the content may be used. It neither allows nor blocks a request.",
    "content-usage": "States how the content may be used. It neither allows nor blocks a request.",
};

interface Line {
    key: string;
    value: string;
}

function read(line: string): Line {
    const [text = ""] = line.split("#", 1);
    const colon = text.indexOf(":");
    return { key: text.slice(0, Math.max(colon, 0)).trim().toLowerCase(), value: text.slice(colon + 1).trim() };
}

/** Explains the line with that number. `lineAt` returns the text of a line, counted from 1. */
export function explained(number: number, lineAt: (number: number) => string, known: readonly Crawler[]): string {
    const { key, value } = read(lineAt(number));
    if (lineAt(number).trim() === "") {
        return "An empty line. It does not end a group.";
    }
    if (lineAt(number).trim().startsWith("#")) {
        return "A comment. Crawlers ignore it.";
    }
    if (key === "user-agent") {
        return agentWords(value, known);
    }
    if (key === "allow" || key === "disallow") {
        const agents = agentsAbove(number, lineAt);
        const words = patternWords(key, value);
        return agents === "" ? `In no group, so crawlers ignore it: ${words}.` : `${agents}: ${words}.`;
    }
    return OTHERS[key] ?? "Not a line that crawlers know. They ignore it.";
}

function agentWords(value: string, known: readonly Crawler[]): string {
    if (value === "*") {
        return "This group is for every crawler that no other group names.";
    }
    const found = known.find(({ tokens }) => tokens[0]!.toLowerCase() === value.toLowerCase());
    const whose = found === undefined ? "a crawler that Verger does not know" : `${found.operator}: ${found.purposes.join(", ")}`;
    return `This group is for \`${value}\` (${whose}).`;
}

/** Maximum number of lines to search for the user-agent lines of a group. */
const LINES_MAX = 2_000;

/** Names the crawlers of the group that contains the line. */
function agentsAbove(number: number, lineAt: (number: number) => string): string {
    const agents: string[] = [];
    for (let at = number - 1; at >= 1 && at > number - LINES_MAX; at -= 1) {
        const { key, value } = read(lineAt(at));
        if (key === "user-agent") {
            agents.unshift(value === "*" ? "All other crawlers" : value);
        } else if (agents.length > 0 && (key === "allow" || key === "disallow")) {
            break;
        }
    }
    return agents.length > 3 ? `${agents.slice(0, 2).join(", ")} and ${agents.length - 2} more` : agents.join(", ");
}

/** Says which URLs a pattern matches. */
export function patternWords(key: "allow" | "disallow", pattern: string): string {
    const verb = key === "allow" ? "allows" : "blocks";
    if (pattern === "") {
        return `${verb} nothing, because the path is empty`;
    }
    const isEnd = pattern.endsWith("$");
    const parts = (isEnd ? pattern.slice(0, -1) : pattern).split("*");
    const [start = "", last = ""] = [parts[0], parts.at(-1)];
    const inner = parts.slice(1, isEnd ? -1 : undefined).filter((part) => part !== "");
    if (parts.length === 1) {
        const whole = start === "/" ? (isEnd ? "only the home page" : "every URL of the site") : "";
        return `${verb} ${whole || (isEnd ? `the URL \`${start}\` and no other` : `every URL whose path starts with \`${start}\``)}`;
    }
    const clauses = start === "" || start === "/" ? [] : [`starts with \`${start}\``];
    if (inner.length > 0) {
        clauses.push(`contains ${inner.map((part) => (part === "?" ? "a `?`" : `\`${part}\``)).join(", then ")}`);
    }
    if (isEnd && last !== "") {
        clauses.push(`ends with \`${last}\``);
    }
    if (clauses.length === 0) {
        return `${verb} every URL of the site`;
    }
    const end = clauses.pop()!;
    return `${verb} every URL whose path ${clauses.length > 0 ? `${clauses.join(", ")} and ${end}` : end}`;
}
