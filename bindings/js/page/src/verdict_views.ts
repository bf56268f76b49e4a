// Verdicts: one sentence that answers, and a card per URL.

import { button, type Child, el, grouped, icon, listed, names, prose, sentence } from "./dom.js";
import type { EnteredUrl } from "./entered.js";
import type { Cell, Crawler, Depth, Extent } from "./questions.js";

export type GoTo = (line: number) => void;

const REASONS: Record<string, string> = {
    "no-rule": "no rule matches",
    "no-group": "no group applies",
    "robots-txt": "robots.txt itself is always allowed",
};

export function lineLink(line: number, goTo: GoTo): HTMLElement {
    return button(`line ${line}`, () => goTo(line), "link");
}

/** Number of groups of crawlers that the sentence names. */
const CLAUSES_MAX = 3;

const DEPTH_WORDS: Record<Depth, string> = { open: "everything", partly: "part of the site", closed: "nothing" };

/** Answers in one sentence for each group of crawlers with the same answers. `extents` are of the whole site. */
export function answer(cells: Cell[][], crawlers: Crawler[], extents: ReadonlyMap<string, Extent>): Child[] {
    if (crawlers.length === 0) {
        return ["Choose a crawler to see what it may fetch."];
    }
    const phraseOf = ({ name }: Crawler, at: number): string => ability(cells.map((row) => row[at]!), extents.get(name)?.depth ?? null);
    const groups = grouped(crawlers, phraseOf);
    const clauses = [...groups].slice(0, CLAUSES_MAX).map(([phrase, of]): Child => {
        const short = groups.size > 1 ? phrase.replace(/(none) of the .*/, "$1") : phrase;
        return el("span", {}, el("strong", {}, listed(of.map(({ label }) => label), 3)), ` ${short}. `);
    });
    const rest = [...groups.values()].slice(CLAUSES_MAX).flat().length;
    return rest > 0 ? [...clauses, `The other ${rest} crawlers have other answers.`] : clauses;
}

function ability(cells: Cell[], depth: Depth | null): string {
    const [all, allowed] = [cells.length, cells.filter((cell) => "allowed" in cell && cell.allowed).length];
    if (all > 0 && cells.every((cell) => "error" in cell)) {
        return all === 1 ? "cannot read this URL" : "can read none of the URLs";
    }
    if (all === 0) {
        return depth === null ? "may fetch what the rules allow" : `may fetch ${DEPTH_WORDS[depth]}`;
    }
    if (allowed === 0) {
        return depth === "closed" ? "may fetch nothing" : all === 1 ? "may not fetch this URL" : `may fetch none of the ${all} URLs`;
    }
    if (allowed === all) {
        return depth === "open" ? "may fetch everything" : all === 1 ? "may fetch this URL" : `may fetch all ${all} URLs`;
    }
    return `may fetch ${allowed} of ${all} URLs`;
}

/** Says whether something is allowed, with a shape, a word, and a colour. */
export function pill(allowed: boolean): HTMLElement {
    return el("span", { className: `pill ${allowed ? "open" : "closed"}` }, icon(allowed ? "check" : "cross"), allowed ? "allowed" : "blocked");
}

/** Number of names of a group in a card. */
export const NAMES_SEEN = 8;

/** One card per URL: the answers, and for each the crawlers (or dialects) that it is for. */
export function cards(urls: EnteredUrl[], labels: string[], cells: Cell[][], goTo: GoTo, remove?: (at: number) => void): HTMLElement {
    if (urls.length === 0 || labels.length === 0) {
        return el("p", { className: "empty" }, "Enter a URL and choose a crawler.");
    }
    const made = cells.map((row, at) => {
        const { text, url, note } = urls[at]!;
        const heading = el("h3", {}, ...urlParts(text));
        const head = el("div", { className: "card-head" }, heading);
        if (remove !== undefined) {
            const close = button(icon("remove"), () => remove(at), "quiet");
            close.ariaLabel = `Remove ${url}`;
            head.append(close);
        }
        const card = el("li", { className: "card" }, head);
        if (note !== undefined) {
            card.append(el("p", { className: "hint" }, note));
        }
        const columns = row.map((cell, column) => ({ cell, label: labels[column]! }));
        const groups = grouped(columns, ({ cell }) => ("error" in cell ? cell.error : `${cell.allowed} ${cell.line} ${cell.reason}`));
        const rows = Array.from(groups.values(), (group) => answerRow(group[0]!.cell, group.map(({ label }) => label), goTo));
        card.append(el("ul", { className: "answers" }, ...rows));
        return card;
    });
    return el("ul", { className: "cards" }, ...made);
}

function answerRow(cell: Cell, of: string[], goTo: GoTo): HTMLElement {
    if ("error" in cell) {
        // The message repeats the URL, which is the card's heading.
        const why = sentence(cell.error.replace(/^`.*`: /s, ""));
        return el("li", { className: "refused" }, icon("error"), el("span", {}, `${listed(of, NAMES_SEEN)}: no answer. `, ...prose(why)));
    }
    const { allowed, line, rule, reason } = cell;
    const why = el("span", { className: "why" });
    if (line === null || rule === null) {
        why.append(REASONS[reason] ?? "");
    } else {
        why.append(lineLink(line, goTo), " ", el("code", {}, rule.pattern));
    }
    return el("li", {}, pill(allowed), el("span", { className: "who" }, names(of, NAMES_SEEN)), why);
}

/** Sets the host apart from the path, and lets long paths break after their slashes. */
export function urlParts(text: string): Child[] {
    const host = /^https?:\/\/[^/?#]*/i.exec(text)?.[0] ?? "";
    const path = text.slice(host.length).split(/(?<=[/?&])/).flatMap((part) => [part, el("wbr")]);
    return host === "" ? path : [el("span", { className: "host" }, host), ...path];
}
