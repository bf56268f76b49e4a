// Problems of the file, the worst first.

import { button, type Child, el, grouped, icon, plural, prose, sentence } from "./dom.js";
import type { Findings, PlacedFinding } from "./questions.js";
import { type GoTo, lineLink } from "./verdict_views.js";

declare const vergerRepository: string;

export type Severity = PlacedFinding["severity"];

const SEVERITIES: readonly Severity[] = ["error", "warning", "note"];
/** Number of places of a finding shown. */
const PLACES_SEEN = 6;
/** Number of equal findings shown before the rest is folded. */
const EQUAL_SEEN = 4;

/** Counts of each severity, by shape, number, and word. */
export function problemCounts({ findings, total }: Findings): Child[] {
    if (total === 0) {
        return [el("span", { className: "count none" }, icon("check"), "No mistakes found in the file")];
    }
    const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
    // Findings are sorted, so those left out are the least severe.
    return SEVERITIES.filter((severity) => of(severity) > 0).map((severity) => {
        const more = severity === findings.at(-1)!.severity && total > findings.length ? "+" : "";
        const word = plural(of(severity), severity).replace(" ", `${more} `);
        return el("span", { className: `count ${severity}` }, icon(severity), word);
    });
}

export interface Fixes {
    goTo: GoTo;
    apply: (findings: PlacedFinding[]) => void;
}

export function problems({ findings, total }: Findings, { goTo, apply }: Fixes): HTMLElement {
    if (total === 0) {
        return el("p", { className: "empty" }, icon("check"), "No mistakes found. Every line says what it seems to say.");
    }
    const made = el("div", { className: "problems" });
    const safe = findings.filter(({ fix }) => fix?.isSafe);
    if (safe.length > 0) {
        const title = "Safe fixes change no answer for any crawler.";
        made.append(el("p", { className: "row" }, button(`Fix all safe (${safe.length})`, () => apply(safe), "primary"), el("span", { className: "hint" }, title)));
    }
    for (const group of grouped(findings, ({ severity, code }) => `${severity} ${code}`).values()) {
        const items = group.map((finding) => problem(finding, { goTo, apply }));
        made.append(el("ul", {}, ...items.slice(0, EQUAL_SEEN)));
        if (items.length > EQUAL_SEEN) {
            const rest = items.length - EQUAL_SEEN;
            made.append(el("details", {}, el("summary", {}, `${rest} more like this`), el("ul", {}, ...items.slice(EQUAL_SEEN))));
        }
    }
    if (total > findings.length) {
        made.append(el("p", { className: "hint" }, `${plural(total - findings.length, "more problem")} not shown.`));
    }
    return made;
}

function problem(finding: PlacedFinding, { goTo, apply }: Fixes): HTMLElement {
    const { places, severity, message, help, code, fix } = finding;
    const text = el("p", {}, ...prose(sentence(message)));
    if (help !== null) {
        text.append(" ", ...prose(sentence(help)));
    }
    const lines = places.slice(0, PLACES_SEEN).map(({ line }) => lineLink(line, goTo));
    const more = places.length > PLACES_SEEN ? ` and ${places.length - PLACES_SEEN} more` : "";
    const foot = el("p", { className: "foot" }, ...lines, more, codeLink(code));
    if (fix !== null) {
        const label = el("span", {}, "Fix: ", ...prose(fix.title));
        const fixing = button(label, () => apply([finding]), "fix");
        fixing.ariaLabel = `Fix: ${fix.title}${places[0] === undefined ? "" : ` (line ${places[0].line})`}`;
        foot.append(fixing);
    }
    return el("li", { className: severity }, icon(severity), el("div", {}, el("span", { className: "hidden" }, `${severity}: `), text, foot));
}

/** Links to the documentation of a lint, if the page was built with the address of the repository. */
export function codeLink(code: string): HTMLElement {
    if (vergerRepository === "") {
        return el("code", {}, code);
    }
    return el("a", { href: `${vergerRepository}/blob/main/docs/lints.md#${code}`, rel: "noreferrer", target: "_blank" }, code);
}
