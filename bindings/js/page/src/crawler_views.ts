// Which crawlers may fetch how much: bars by purpose, a table, and presets.

import { button, type Child, el, listed, plural, table } from "./dom.js";
import type { Crawler, Depth, Extent } from "./questions.js";
import { type GoTo, lineLink } from "./verdict_views.js";

const DEPTHS: readonly Depth[] = ["open", "partly", "closed"];

interface Row {
    title: string;
    about: string;
    has: (purposes: readonly string[]) => boolean;
}

const only = (purpose: string): Row["has"] => (purposes) => purposes.includes(purpose);

const AI: readonly Row[] = [
    { title: "AI search", about: "indexes pages for answers with links", has: (all) => all.includes("ai-input") && all.includes("search") },
    {
        title: "AI answers for people",
        about: "fetches a page when a person asks",
        has: (all) => all.includes("ai-input") && !all.includes("search") && !all.includes("ai-train"),
    },
    { title: "AI training", about: "collects text to train models", has: only("ai-train") },
];

const OTHERS: readonly Row[] = [
    { title: "Web search", about: "", has: only("search") },
    { title: "Link previews", about: "", has: only("preview") },
    { title: "SEO tools", about: "", has: only("seo") },
    { title: "Data sets and research", about: "", has: (all) => all.includes("dataset") || all.includes("research") },
    { title: "Ads", about: "", has: only("ads") },
    { title: "Shopping", about: "", has: only("commerce") },
    { title: "Feed readers", about: "", has: only("feed") },
    { title: "Monitoring and security", about: "", has: (all) => all.includes("monitoring") || all.includes("security") },
    { title: "Archives", about: "", has: only("archive") },
];

/** The rows that the table of crawlers shows. */
export interface Filter {
    text: string;
    row?: string;
    depth?: Depth;
    isWhole?: boolean;
}

/** Draws how much of the site is open to the crawlers of each purpose. */
export function overview(kind: "ai" | "others", extents: Extent[], filter: (filter: Filter) => void): HTMLElement[] {
    return (kind === "ai" ? AI : OTHERS).map((row) => purposeRow(row, extents, filter));
}

export function legend(): HTMLElement {
    const keys = DEPTHS.map((depth) => el("span", { className: "key" }, el("span", { className: `swatch ${depth}` }), depth));
    return el("p", { className: "legend" }, ...keys);
}

function purposeRow(row: Row, extents: Extent[], filter: (filter: Filter) => void): HTMLElement {
    const of = extents.filter(({ purposes }) => row.has(purposes));
    const segments = DEPTHS.map((depth) => {
        const count = of.filter((extent) => extent.depth === depth).length;
        const segment = button(String(count), () => filter({ text: "", row: row.title, depth }), `segment ${depth}`);
        segment.style.flexGrow = String(count);
        segment.hidden = count === 0;
        segment.ariaLabel = `${row.title}: ${count} ${depth}`;
        segment.title = `Show the ${count} that ${depth === "partly" ? "are partly closed" : `are ${depth}`}`;
        return segment;
    });
    const title = el("h3", {}, row.title, row.about === "" ? "" : el("span", { className: "about" }, ` ${row.about}`));
    return el("div", { className: "purpose" }, title, el("div", { className: "stack" }, ...segments), el("p", {}, ...(AI.includes(row) ? exceptions(of) : [listed(of.map(({ label }) => label), 4)])));
}

/** Says what holds for most crawlers, and names the exceptions. */
function exceptions(of: Extent[]): Child[] {
    const byDepth = DEPTHS.map((depth): [Depth, string[]] => [depth, of.filter((extent) => extent.depth === depth).map(({ label }) => label)]);
    byDepth.sort(([, one], [, other]) => other.length - one.length);
    const [[most, members], ...rest] = byDepth as [[Depth, string[]], ...[Depth, string[]][]];
    const found = rest.filter(([, labels]) => labels.length > 0);
    if (found.length === 0) {
        return [`All ${most}: ${listed(members, 4)}.`];
    }
    return [`Most are ${most}. Exceptions: `, ...found.flatMap(([depth, labels]): Child[] => [el("strong", {}, `${depth}: `), `${listed(labels, 12)}. `])];
}

/** Number of crawlers shown at first. */
const CRAWLERS_SEEN = 25;

export function crawlerTable(extents: Extent[], filter: Filter, goTo: GoTo, showAll: () => void): HTMLElement {
    const row = [...AI, ...OTHERS].find(({ title }) => title === filter.row);
    const words = filter.text.trim().toLowerCase();
    const found = extents.filter(
        ({ label, operator, purposes, depth }) =>
            `${label} ${operator} ${purposes.join(" ")}`.toLowerCase().includes(words) &&
            (row?.has(purposes) ?? true) &&
            (filter.depth === undefined || depth === filter.depth),
    );
    const seen = filter.isWhole ? found : found.slice(0, CRAWLERS_SEEN);
    const rows = seen.map(({ label, operator, dialect, depth, ruleLine, group, disallowed, disallowedUrl }) => [
        el("span", {}, label, el("span", { className: "about" }, dialect === "google" && operator === "Google" ? " as Google reads it" : ` ${operator ?? ""}`)),
        el("span", { className: `pill ${depth ?? ""}` }, depth ?? "undecided"),
        el("span", {}, ruleLine === null ? "no rule" : lineLink(ruleLine, goTo), disallowed !== "some" || disallowedUrl === null ? "" : el("code", {}, ` ${disallowedUrl.replace(/^https?:\/\/[^/]*/, "")}`)),
        group === null ? "none" : el("span", {}, `${group.token ?? "*"} `, lineLink(group.line, goTo)),
    ]);
    const of = [filter.row, filter.depth].filter((part) => part !== undefined).join(", ");
    const caption = `${plural(found.length, "crawler")}${of === "" ? "" : ` (${of})`}, the most important first`;
    const made = el("div", {}, table(caption, ["Crawler", "Site", "Deciding line", "Rules of"], rows));
    if (seen.length < found.length) {
        made.append(button(`Show all ${found.length}`, showAll, "more"));
    }
    return made;
}

/** Rules for some crawlers that an owner often wants. */
export interface Preset {
    title: string;
    about: string;
    agents: string[];
    rules: { allow?: string[]; disallow?: string[] };
}

/** Search engines whose crawler also feeds AI answers. To block it would remove the site from the search results. */
const ENGINES = new Set(["googlebot", "bingbot", "applebot", "petalbot", "bravebot"]);

export function presets(known: readonly Crawler[]): Preset[] {
    const of = (has: Row["has"], but: Row["has"] = () => false): string[] =>
        known.filter(({ name, purposes }) => has(purposes) && !but(purposes) && !ENGINES.has(name)).map(({ name }) => name);
    const [search, answers, training] = AI as [Row, Row, Row];
    const [block, open] = [{ disallow: ["/"] }, { allow: ["/"] }];
    const preset = (title: string, agents: string[], rules: Preset["rules"], about: string): Preset => ({ title, about, agents, rules });
    return [
        preset("Block AI training, keep AI search", of(training.has, only("search")), block,
            "Closes the site to crawlers that train models. Search engines and AI search stay as they are."),
        preset("Block AI search, keep AI training", of(search.has, only("ai-train")), block,
            "Closes the site to crawlers that only index for AI answers. Googlebot, bingbot and Applebot stay, as they also serve web search."),
        preset("Block all AI, keep web search", of((all) => AI.some(({ has }) => has(all))), block,
            "Closes the site to training, AI search, and fetches for people. Googlebot, bingbot and Applebot stay."),
        preset("Open the site to AI answers", of((all) => search.has(all) || answers.has(all)), open,
            "Lets AI search and fetches for people see the whole site."),
        preset("Block SEO tools", of(only("seo")), block, "Closes the site to crawlers of SEO tools."),
    ];
}
