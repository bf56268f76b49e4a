// Answers as elements. The words are those of the command.

import type { DiffChange, DiffEnd, KnownCrawler, WhoLine } from "../../dist/owner.js";
import { el, names, table } from "./dom.js";
import { type Cell, type Chosen, type Count, DIALECTS, type PlacedFinding } from "./questions.js";

/** Goes to a line of the file. */
export type GoTo = (line: number) => void;

const REASONS = { "rule": "rule", "no-rule": "no rule matches", "no-group": "no group applies", "robots-txt": "robots.txt itself" };

const DIALECT_NAMES = ["RFC 9309", "Google’s library", "draft of 2019", "draft of 1996"];

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
        return el("p", {}, "There is no question: enter a URL or a path, and choose a crawler.");
    }
    const rows = cells.map((row, at) => [urls[at]!, ...row.map((cell) => verdict(cell, goTo))]);
    const more = urls.length > cells.length ? `; of ${urls.length} URLs the first ${cells.length}: “Many URLs” counts a list` : "";
    return table(`Which URLs each crawler may fetch, and which line decides${more}`, ["URL", ...crawlers.map(({ label }) => label)], rows);
}

export function dialectsView(urls: string[], cells: Cell[][], goTo: GoTo): HTMLElement {
    if (urls.length === 0 || cells.length === 0) {
        return el("p", {}, "Enter a URL, and choose a crawler.");
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
    return table("The verdict by each dialect, and where it differs from RFC 9309", headings, rows);
}

/** A sentence in which code is between backticks. */
function prose(sentence: string): (HTMLElement | string)[] {
    return sentence.split("`").map((part, at) => (at % 2 === 0 ? part : el("code", {}, part)));
}

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
        const { line, severity, message, help, code, fix } = finding;
        const item = el("li", {}, el("strong", {}, severity), line === null ? "" : lineButton(line, goTo));
        item.append(el("p", {}, ...prose(help === null ? message : `${message}; ${help}`), " (", el("code", {}, code), ")"));
        if (fix !== null) {
            const at = line === null ? "" : ` (line ${line})`;
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

/** Crawlers that are seen before all are asked for. */
const CRAWLERS_SEEN = 25;

export function whoView(lines: WhoLine[], goTo: GoTo, isAll: boolean, showAll: () => void): HTMLElement {
    const counted = (extent: WhoLine["disallowed"]): number => lines.filter(({ disallowed }) => disallowed === extent).length;
    const [everything, some, nothing] = [counted("everything"), counted("some"), counted("nothing")];
    const sums = `Of ${lines.length} crawlers, everything is disallowed to ${everything}, some of it to ${some}, nothing to ${nothing}.`;
    const rows = (isAll ? lines : lines.slice(0, CRAWLERS_SEEN)).map((line) => [
        line.crawler === "*" ? "* (no group names it)" : line.crawler,
        el("span", { className: extentClass(line.disallowed) }, line.disallowed ?? "not decided"),
        line.rule_line === null ? "" : lineButton(line.rule_line, goTo),
        line.group === null ? "none" : el("span", {}, line.group.token ?? "*", " ", lineButton(line.group.line, goTo)),
        line.disallowed === "some" ? (line.disallowed_url ?? "") : "",
        line.operator ?? "",
        line.purposes.join(", "),
    ]);
    const headings = ["Crawler", "Disallowed", "By", "Group", "A disallowed URL", "Operator", "Purposes"];
    const made = el("div", {}, el("p", {}, sums), table("Known crawlers, the important ones first", headings, rows));
    if (!isAll && lines.length > CRAWLERS_SEEN) {
        made.append(el("div", { className: "bar" }, el("button", { type: "button", onclick: showAll }, `Show all ${lines.length}`)));
    }
    return made;
}

function extentClass(extent: WhoLine["disallowed"]): string {
    return extent === "nothing" ? "allow" : extent === "everything" ? "disallow" : "";
}

export function diffView([...lines]: [...DiffChange[], DiffEnd]): HTMLElement {
    const end = lines.pop() as DiffEnd;
    if (end.same === true) {
        return el("p", {}, "It is proven that nothing changes for any crawler.");
    }
    const rows = (lines as DiffChange[]).map(({ crawlers, newly_disallowed, newly_allowed }) => [
        names(crawlers),
        change(newly_disallowed, false),
        change(newly_allowed, true),
    ]);
    const notCompared = end.not_compared > 0 ? ` ${end.not_compared} are not decided.` : "";
    return el(
        "div",
        {},
        table("What changes for which crawlers, with a URL that shows it", ["Crawlers", "Newly disallowed", "Newly allowed"], rows),
        el("p", {}, `Nothing changes for ${end.unchanged} crawlers.${notCompared}`),
    );
}

function change({ found, url, before, after }: DiffChange["newly_allowed"], allowed: boolean): HTMLElement | string {
    if (found === null) {
        return "not decided";
    }
    if (!found || url === null) {
        return "nothing";
    }
    const by = (keys: typeof before): string => (typeof keys?.line === "number" ? `line ${keys.line}` : "no rule");
    return el("span", {}, word(allowed), " ", el("code", {}, url), ` (before: ${by(before)}, after: ${by(after)})`);
}

export function countsView(total: number, counts: Count[], name: string, isCut: boolean): HTMLElement {
    const hasSecond = counts[0]?.disallowed.length === 2;
    const sides = hasSecond ? ["Disallowed", "By the new version", "Newly disallowed", "Newly allowed", "An example"] : ["Disallowed"];
    const figure = (count: number): string => count.toLocaleString("en");
    const rows = counts.map(({ crawler, disallowed, newlyDisallowed, newlyAllowed, example, error }) => {
        const compared = hasSecond ? [figure(newlyDisallowed), figure(newlyAllowed), example ?? ""] : [];
        return error === null ? [crawler, ...disallowed.map(figure), ...compared] : [crawler, error];
    });
    const cut = isCut ? "; the rest of the list is not counted" : "";
    return table(`Of ${figure(total)} URLs in ${name}${cut}`, ["Crawler", ...sides], rows);
}

/** A checkbox for a crawler. */
export function choice({ name, operator, purposes }: KnownCrawler, checked: boolean, changed: () => void): HTMLElement {
    const box = el("input", { type: "checkbox", value: name, checked, onchange: changed });
    return el("label", { title: `${operator}: ${purposes.join(", ")}` }, box, ` ${name}`);
}
