// Two versions of a file: which lines differ, and what that changes for whom. Also counts of a list of URLs.

import { type Child, el, names, plural, table } from "./dom.js";
import type { ChangedUrl, Changes, Counts } from "./questions.js";

/** Numbers of lines that only one version has. */
export interface LineChanges {
    removed: number[];
    added: number[];
}

/** Compares lines in linear time: equal ends are skipped, and between them, lines are matched by their text. */
export function lineChanges(before: string, after: string): LineChanges {
    const [old, now] = [before.split("\n"), after.split("\n")];
    let start = 0;
    while (start < old.length && start < now.length && old[start] === now[start]) {
        start += 1;
    }
    let [oldEnd, nowEnd] = [old.length, now.length];
    while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
        oldEnd -= 1;
        nowEnd -= 1;
    }
    const missing = (lines: string[], end: number, others: string[], othersEnd: number): number[] => {
        const counts = new Map<string, number>();
        others.slice(start, othersEnd).forEach((line) => counts.set(line, (counts.get(line) ?? 0) + 1));
        return lines.slice(start, end).flatMap((line, at) => {
            const left = counts.get(line) ?? 0;
            counts.set(line, left - 1);
            return left > 0 ? [] : [start + at + 1];
        });
    };
    return { removed: missing(old, oldEnd, now, nowEnd), added: missing(now, nowEnd, old, oldEnd) };
}

/** Number of unchanged lines shown around changes. */
const CONTEXT = 2;

/** Shows the new version with its changed lines, without the long unchanged parts. */
export function lineDiff(before: string, after: string): HTMLElement {
    const { removed, added } = lineChanges(before, after);
    const made = el("ol", { className: "diff" });
    const row = (className: string, sign: string, text: string): void => made.append(el("li", { className }, el("span", { className: "sign" }, sign), text));
    const old = before.split("\n");
    removed.forEach((number) => row("removed", "−", old[number - 1]!));
    const isAdded = new Set(added);
    const isNear = new Set(added.flatMap((number) => Array.from({ length: 2 * CONTEXT + 1 }, (_, at) => number - CONTEXT + at)));
    after.split("\n").forEach((line, at) => {
        if (isNear.has(at + 1)) {
            row(isAdded.has(at + 1) ? "added" : "", isAdded.has(at + 1) ? "+" : " ", line);
        }
    });
    // Focusable, so the keyboard can scroll it.
    return el("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: "Changed lines" }, made);
}

export function changesView({ changes, changed, unchanged, undecided }: Changes): HTMLElement {
    if (changed === 0) {
        const rest = undecided > 0 ? `${plural(undecided, "crawler")} could not be compared.` : "This is proven for every URL.";
        return el("div", {}, el("p", { className: "headline" }, "Nothing changes for any crawler."), el("p", { className: "hint" }, rest));
    }
    const verb = changed === 1 ? "changes" : "change";
    const headline = `${plural(changed, "crawler")} ${verb}, ${unchanged.toLocaleString("en")} ${unchanged === 1 ? "does" : "do"} not.`;
    const made = el("div", {}, el("p", { className: "headline" }, headline));
    const rows = changes.map(({ crawlers, blocked, opened }) => [names(crawlers, 4), change(blocked), change(opened)]);
    made.append(table("What changes, each with an example", ["Crawlers", "Now blocked", "Now allowed"], rows));
    if (undecided > 0) {
        made.append(el("p", { className: "hint" }, `${plural(undecided, "crawler")} could not be compared.`));
    }
    return made;
}

function change(changed: ChangedUrl | null): Child {
    if (changed === null) {
        return "nothing";
    }
    const by = (line: number | null): string => (line === null ? "no rule" : `line ${line}`);
    const lines = `before: ${by(changed.before)}, after: ${by(changed.after)}`;
    return el("span", {}, el("code", {}, changed.url.replace(/^https?:\/\/[^/]*/, "")), el("span", { className: "about" }, ` (${lines})`));
}

export function countsView({ rows, urls, notCounted }: Counts, hasSecond: boolean, name: string, isCut: boolean): HTMLElement {
    const figure = (count: number): string => count.toLocaleString("en");
    const side = ({ count, example }: { count: number; example: string | undefined }): Child =>
        count === 0 ? "0" : el("span", {}, `${figure(count)}: `, el("code", {}, example ?? ""), count > 1 ? " …" : "");
    const cells = rows.map(({ crawlers, before, after, blocked, opened }) => {
        const blockedShare = el("span", { className: "closed" });
        blockedShare.style.width = `${(100 * before) / Math.max(urls, 1)}%`;
        return [names(crawlers), el("span", {}, figure(before), el("span", { className: "share" }, blockedShare)), ...(hasSecond ? [figure(after), side(blocked), side(opened)] : [])];
    });
    const sides = hasSecond ? ["Blocked", "In the new version", "Now blocked", "Now allowed"] : ["Blocked"];
    const cut = isCut ? " (the rest is not counted)" : "";
    const made = el("div", {}, table(`${plural(urls, "URL")} in ${name}${cut}`, ["Crawlers", ...sides], cells));
    if (notCounted > 0) {
        made.append(el("p", { className: "hint" }, `${plural(notCounted, "line is not a URL", "lines are not URLs")}.`));
    }
    return made;
}
