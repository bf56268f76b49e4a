// Whether a pasted page may be indexed: a row for each group of crawlers with the same answer, and problems of the page.

import { type Child, el, grouped, icon, names, prose, sentence, type Shape } from "./dom.js";
import type { Indexed } from "./questions.js";
import { codeLink } from "./problem_views.js";
import { NAMES_SEEN, urlParts } from "./verdict_views.js";

type State = Indexed["page"]["state"];

const STATES: Record<State, [className: string, shape: Shape, word: string]> = {
    "indexable": ["open", "check", "indexable"],
    "not-indexed": ["closed", "cross", "not indexed"],
    "unseen": ["partly", "cross", "unseen"],
    "unknown": ["", "note", "unknown"],
};

const ABOUT: Partial<Record<State, string>> = {
    unseen: "The URL may still be listed, without text. To keep it out, allow it in robots.txt and send `noindex`.",
};
const CONVENTIONS = { google: "draft-illyes-repext", repext: "Google’s documentation" };

/** A card with the answers about a page. */
export function pageCard(url: string, answers: Indexed[], hint: string): HTMLElement {
    const head = el("div", { className: "card-head" }, el("h3", {}, ...urlParts(url)));
    const groups = grouped(answers, ({ page }) => `${page.state} ${notesOf(page)}`);
    const rows = Array.from(groups.values(), row);
    const card = el("div", { className: "card" }, head, ...(hint === "" ? [] : [el("p", { className: "hint" }, hint)]), el("ul", { className: "answers pages" }, ...rows));
    return el("div", { className: "cards" }, card);
}

function row(group: Indexed[]): HTMLElement {
    const { page } = group[0]!;
    const [className, shape, word] = STATES[page.state];
    const why = el("span", { className: "why" }, ...prose(notesOf(page)));
    const label = el("span", { className: `pill ${className} ${page.state}` }, icon(shape), word);
    return el("li", {}, label, el("span", { className: "who" }, names(group.map((it) => it.label), NAMES_SEEN)), why);
}

/** Returns the reason, and limits of use if the page may be indexed. */
function notesOf({ state, because, otherwise, convention, maxSnippet, aiInput, aiTrain }: Indexed["page"]): string {
    const notes = [sentence(because), ABOUT[state] ?? ""];
    if (otherwise !== null) {
        notes.push(`By ${CONVENTIONS[convention]}: ${STATES[otherwise][2]}.`);
    }
    if (state === "indexable") {
        if (maxSnippet !== null) {
            notes.push(maxSnippet === 0 ? "No excerpt." : `Excerpts of at most ${maxSnippet} characters.`);
        }
        for (const [name, use] of Object.entries({ "answers of AI": aiInput, "training of AI": aiTrain })) {
            notes.push(use === "no" ? `Not for ${name}.` : use === "snippet" ? `Only the excerpt for ${name}.` : "");
        }
    }
    return notes.filter((note) => note !== "").join(" ");
}

/** The problems of a page, each once, whichever crawlers they are about. */
export function pageProblems(answers: Indexed[]): Child[] {
    const all = grouped(answers.flatMap(({ page }) => page.findings), (it) => `${it.code} ${it.message} ${it.line}`);
    const items = Array.from(all.values(), ([it]) => {
        const { code, severity, message, help, source, line } = it!;
        const place = source === null ? "" : `${source}${line === null ? "" : `, line ${line}`}`;
        const text = el("p", {}, ...prose(sentence(message)), " ", ...prose(sentence(help)));
        const foot = el("p", { className: "foot" }, place, codeLink(code));
        return el("li", { className: severity }, icon(severity), el("div", {}, el("span", { className: "hidden" }, `${severity}: `), text, foot));
    });
    return items.length === 0 ? [] : [el("h3", {}, "Problems of the page"), el("div", { className: "problems" }, el("ul", {}, ...items))];
}
