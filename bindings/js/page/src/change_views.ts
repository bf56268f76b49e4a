// Two versions of a file: which lines differ, and which crawlers gain or lose by that. Also counts of a list of URLs.

import { type Child, el, names, plural, scrolling, table } from "./dom.js";
import type { Change, ChangedUrls, Diff, UrlDiff } from "./questions.js";

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
    return scrolling("Changed lines", made);
}

export function changesView({ changes, end }: Diff): HTMLElement {
    const changed = changes.reduce((sum, { crawlers }) => sum + crawlers.length, 0);
    const undecided = end.notCompared > 0 ? `${plural(end.notCompared, "crawler")} could not be compared.` : "";
    if (changed === 0) {
        const rest = undecided || "This is proven for every URL.";
        return el("div", {}, el("p", { className: "headline" }, "Nothing changes for any crawler."), el("p", { className: "hint" }, rest));
    }
    const verbs = [changed === 1 ? "changes" : "change", end.unchanged === 1 ? "does" : "do"];
    const headline = `${plural(changed, "crawler")} ${verbs[0]}, ${end.unchanged.toLocaleString("en")} ${verbs[1]} not.`;
    const rows = changes.map(({ crawlers, newlyDisallowed, newlyAllowed }) => [names(crawlers, 4), change(newlyDisallowed), change(newlyAllowed)]);
    const made = table("What changes, each with an example", ["Crawlers", "Now blocked", "Now allowed"], rows);
    return el("div", {}, el("p", { className: "headline" }, headline), made, el("p", { className: "hint" }, undecided));
}

function change({ found, url, before, after }: Change): Child {
    if (!found || url === null) {
        return found === null ? "undecided" : "nothing";
    }
    const by = (verdict: Change["before"]): string => (verdict?.line == null ? "no rule" : `line ${verdict.line}`);
    const path = el("code", {}, url.replace(/^https?:\/\/[^/]*/, ""));
    return el("span", {}, path, el("span", { className: "about" }, ` (before: ${by(before)}, after: ${by(after)})`));
}

export function countsView({ changes, end }: UrlDiff, hasSecond: boolean, name: string, isCut: boolean): HTMLElement {
    const figure = (count: number): string => count.toLocaleString("en");
    const side = ({ count, examples }: ChangedUrls): Child =>
        count === 0 ? "0" : el("span", {}, `${figure(count)}: `, el("code", {}, examples[0]!.url), count > 1 ? " …" : "");
    const rows = changes.map((row) => {
        const blocked = el("span", { className: "closed" });
        blocked.style.width = `${(100 * row.disallowedBefore) / Math.max(end.urls, 1)}%`;
        const count = el("span", {}, figure(row.disallowedBefore), el("span", { className: "share" }, blocked));
        return [names(row.crawlers), count, ...(hasSecond ? [figure(row.disallowedAfter), side(row.newlyDisallowed), side(row.newlyAllowed)] : [])];
    });
    const sides = hasSecond ? ["Blocked", "In the new version", "Now blocked", "Now allowed"] : ["Blocked"];
    const cut = isCut ? " (the rest is not counted)" : "";
    const made = el("div", {}, table(`${plural(end.urls, "URL")} in ${name}${cut}`, ["Crawlers", ...sides], rows));
    if (end.notCounted > 0) {
        made.append(el("p", { className: "hint" }, `${plural(end.notCounted, "line is not a URL", "lines are not URLs")}.`));
    }
    return made;
}
