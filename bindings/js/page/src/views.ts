// Answers as elements.

import type { Dialect } from "../../dist/index.js";
import type { ChangedUrls, DiffChange, DiffEnd, KnownCrawler, WhoLine } from "../../dist/owner.js";
import { el, names, table } from "./dom.js";
import { type Cell, type Chosen, type Counts, DIALECTS, type PlacedFinding } from "./questions.js";

export type GoTo = (line: number) => void;

const REASONS = { "rule": "rule", "no-rule": "no rule matches", "no-group": "no group applies", "robots-txt": "robots.txt itself" };

const DIALECT_NAMES = ["RFC 9309", "Google’s library", "2019 draft", "1996 draft"];

/** Names the dialect of a crawler, unless it is the standard. */
const READS: Record<Dialect, string> = {
    rfc9309: "",
    google: " (as Google reads it)",
    draft2019: " (by the 2019 draft)",
    koster1996: " (by the 1996 draft)",
};

function word(allowed: boolean): HTMLElement {
    return el("span", { className: allowed ? "allow" : "disallow" }, allowed ? "✓ allowed" : "✗ disallowed");
}

function lineButton(line: number, goTo: GoTo): HTMLElement {
    return el("button", { type: "button", className: "line", onclick: () => goTo(line) }, `line ${line}`);
}

function verdict(cell: Cell, goTo: GoTo): HTMLElement {
    if ("error" in cell) {
        return el("span", {}, cell.error);
    }
    const { allowed, line, rule, reason } = cell;
    if (line === null || rule === null) {
        return el("span", {}, word(allowed), ` ${REASONS[reason]}`);
    }
    return el("span", {}, word(allowed), " ", lineButton(line, goTo), " ", el("code", {}, rule.pattern));
}

export function verdictsView(urls: string[], crawlers: Chosen[], cells: Cell[][], goTo: GoTo): HTMLElement {
    if (urls.length === 0 || crawlers.length === 0) {
        return el("p", {}, "Enter a URL or path, and choose a crawler.");
    }
    const rows = cells.map((row, at) => [urls[at]!, ...row.map((cell) => verdict(cell, goTo))]);
    const more = urls.length > cells.length ? ` (first ${cells.length} of ${urls.length} URLs; use “Many URLs” to count a list)` : "";
    return table(`Which URLs each crawler may fetch, and which line decides${more}`, ["URL", ...crawlers.map(({ label, dialect }) => label + READS[dialect])], rows);
}

export function dialectsView(urls: string[], cells: Cell[][], goTo: GoTo): HTMLElement {
    if (urls.length === 0 || cells.length === 0) {
        return el("p", {}, "Enter a URL or path, and choose a crawler.");
    }
    const rows = cells.map(([first, ...others], at) => {
        const made = others.map((cell) => {
            const isSame = "error" in cell || "error" in first! || cell.allowed === first.allowed;
            const shown = verdict(cell, goTo);
            return isSame ? shown : el("span", {}, shown, " ", el("span", { className: "differs" }, "differs"));
        });
        return [urls[at]!, verdict(first!, goTo), ...made];
    });
    const headings = ["URL", ...DIALECTS.map((_, at) => DIALECT_NAMES[at]!)];
    return table("Verdicts by dialect, with differences from RFC 9309", headings, rows);
}

/** Renders backticks as code. */
function prose(sentence: string): (HTMLElement | string)[] {
    return sentence.split("`").map((part, at) => (at % 2 === 0 ? part : el("code", {}, part)));
}

/** Number of places of a finding shown. */
const PLACES_SEEN = 10;

export function findingsView(
    findings: PlacedFinding[],
    total: number,
    goTo: GoTo,
    apply: (finding: PlacedFinding) => void,
): HTMLElement {
    if (findings.length === 0) {
        return el("p", {}, "No findings.");
    }
    const items = findings.map((finding) => {
        const { places, severity, message, help, code, fix } = finding;
        const lines = places.slice(0, PLACES_SEEN).map(({ line }) => lineButton(line, goTo));
        const more = places.length > PLACES_SEEN ? ` and ${places.length - PLACES_SEEN} more` : "";
        const item = el("li", {}, el("strong", {}, severity), ...lines, more);
        item.append(el("p", {}, ...prose(help === null ? message : `${message}; ${help}`), " (", el("code", {}, code), ")"));
        if (fix !== null) {
            const at = places[0] === undefined ? "" : ` (line ${places[0].line})`;
            const ariaLabel = `Fix: ${fix.title}${at}`;
            item.append(el("button", { type: "button", ariaLabel, onclick: () => apply(finding) }, "Fix: ", ...prose(fix.title)));
        }
        return item;
    });
    if (total > findings.length) {
        items.push(el("li", {}, `${total - findings.length} more findings are not shown.`));
    }
    return el("ul", {}, ...items);
}

/** Number of crawlers shown at first. */
const CRAWLERS_SEEN = 25;

export function whoView(lines: WhoLine[], goTo: GoTo, isAll: boolean, showAll: () => void): HTMLElement {
    const counted = (extent: WhoLine["disallowed"]): number => lines.filter(({ disallowed }) => disallowed === extent).length;
    const [everything, some, nothing] = [counted("everything"), counted("some"), counted("nothing")];
    const sums = `Of ${lines.length} crawlers, ${everything} may fetch nothing, ${some} may fetch part of the site, and ${nothing} may fetch everything.`;
    const rows = (isAll ? lines : lines.slice(0, CRAWLERS_SEEN)).map((line) => [
        (line.crawler === "*" ? "* (no group names it)" : line.crawler) + READS[line.dialect],
        el("span", { className: extentClass(line.disallowed) }, line.disallowed ?? "undecided"),
        line.rule_line === null ? "" : lineButton(line.rule_line, goTo),
        line.group === null ? "none" : el("span", {}, line.group.token ?? "*", " ", lineButton(line.group.line, goTo)),
        line.disallowed === "some" ? (line.disallowed_url ?? "") : "",
        line.operator ?? "",
        line.purposes.join(", "),
    ]);
    const headings = ["Crawler", "Disallowed", "Line", "Group", "Example of a disallowed URL", "Operator", "Purposes"];
    const made = el("div", {}, el("p", {}, sums), table("Known crawlers, the most important first", headings, rows));
    if (!isAll && lines.length > CRAWLERS_SEEN) {
        made.append(el("div", { className: "bar" }, el("button", { type: "button", onclick: showAll }, `Show all ${lines.length}`)));
    }
    return made;
}

const EXTENTS = ["everything", "some", "nothing"] as const;

/**
 * Draws a bar for all crawlers and for those of each purpose: the shares to which everything, some and nothing is
 * disallowed.
 */
export function whoDrawing(lines: WhoLine[]): HTMLElement {
    const purposes = [...new Set(lines.flatMap(({ purposes }) => purposes))];
    const groups: [string, WhoLine[]][] = [
        ["all crawlers", lines],
        ...purposes.map((purpose): [string, WhoLine[]] => [purpose, lines.filter((line) => line.purposes.includes(purpose))]),
    ];
    const rows = groups.map(([name, of]) => {
        const counts = EXTENTS.map((extent) => of.filter(({ disallowed }) => disallowed === extent).length);
        return [name, bar(counts, of.length), ...counts.map(String)];
    });
    return table("How much of the site is disallowed, by purpose of the crawler", ["Purpose", "Share", "Everything", "Some", "Nothing"], rows);
}

/** Draws a stacked bar. Hidden from screen readers, because the counts follow as text. */
function bar(counts: number[], whole: number): SVGSVGElement {
    const make = <K extends "svg" | "rect">(tag: K, attributes: object): SVGElementTagNameMap[K] => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, String(value)));
        return made;
    };
    const made = make("svg", { class: "share", viewBox: `0 0 ${whole} 1`, preserveAspectRatio: "none", "aria-hidden": true });
    let x = 0;
    counts.forEach((width, at) => {
        made.append(make("rect", { class: EXTENTS[at], x, width, height: 1 }));
        x += width;
    });
    return made;
}

function extentClass(extent: WhoLine["disallowed"]): string {
    return extent === "nothing" ? "allow" : extent === "everything" ? "disallow" : "";
}

export function diffView([...lines]: [...DiffChange[], DiffEnd]): HTMLElement {
    const end = lines.pop() as DiffEnd;
    if (end.same === true) {
        return el("p", {}, "Nothing changes for any crawler (proven).");
    }
    const rows = (lines as DiffChange[]).map(({ crawlers, dialect, newly_disallowed, newly_allowed }) => [
        names(crawlers, READS[dialect]),
        change(newly_disallowed, false),
        change(newly_allowed, true),
    ]);
    const notCompared = end.not_compared > 0 ? ` ${end.not_compared} could not be compared.` : "";
    return el(
        "div",
        {},
        table("Changes, each with an example URL", ["Crawlers", "Newly disallowed", "Newly allowed"], rows),
        el("p", {}, `Nothing changes for ${end.unchanged} crawlers.${notCompared}`),
    );
}

function change({ found, url, before, after }: DiffChange["newly_allowed"], allowed: boolean): HTMLElement | string {
    if (found === null) {
        return "undecided";
    }
    if (!found || url === null) {
        return "nothing";
    }
    const by = (keys: typeof before): string => (typeof keys?.line === "number" ? `line ${keys.line}` : "no rule");
    return el("span", {}, word(allowed), " ", el("code", {}, url), ` (before: ${by(before)}, after: ${by(after)})`);
}

export function countsView({ rows, end }: Counts, hasSecond: boolean, name: string, isCut: boolean): HTMLElement {
    const figure = (count: number): string => count.toLocaleString("en");
    const changed = ({ count, examples }: ChangedUrls): HTMLElement | string =>
        count === 0 ? "0" : el("span", {}, `${figure(count)}: `, el("code", {}, examples[0]!.url), count > 1 ? " …" : "");
    const cells = rows.map((row) => {
        const compared = [figure(row.disallowed_after), changed(row.newly_disallowed), changed(row.newly_allowed)];
        return [names(row.crawlers, READS[row.dialect]), figure(row.disallowed_before), ...(hasSecond ? compared : [])];
    });
    const sides = hasSecond ? ["Disallowed", "By the new version", "Newly disallowed", "Newly allowed"] : ["Disallowed"];
    const cut = isCut ? " (the rest is not counted)" : "";
    const made = el("div", {}, table(`${figure(end.urls)} URLs in ${name}${cut}`, ["Crawlers", ...sides], cells));
    if (end.not_counted > 0) {
        made.append(el("p", {}, `Lines that are not URLs: ${figure(end.not_counted)}.`));
    }
    return made;
}

export function choice({ name, operator, purposes }: KnownCrawler, checked: boolean, changed: () => void): HTMLElement {
    const box = el("input", { type: "checkbox", value: name, checked, onchange: changed });
    return el("label", { title: `${operator}: ${purposes.join(", ")}` }, box, ` ${name}`);
}
