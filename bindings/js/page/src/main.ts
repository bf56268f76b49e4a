// The page: connects inputs, queries and views.
//
// | module | contents |
// |---|---|
// | `questions` | queries, answered by the package |
// | `worker`, `modules` | the worker that answers them |
// | `asker` | sends queries to the worker |
// | `editor` | an editor that marks lines and findings |
// | `list` | URLs from a sitemap or list |
// | `link` | links that contain everything entered |
// | `views`, `dom` | answers as elements |

import type { Dialect, Effect } from "../../dist/index.js";
import type { KnownCrawler, WhoLine } from "../../dist/owner.js";
import { Asker } from "./asker.js";
import { byId, el, hasFiles, onFile, textOfFile } from "./dom.js";
import { Editor } from "./editor.js";
import { fragmentOf, stateOf, type State } from "./link.js";
import { urlsOf } from "./list.js";
import { type Chosen, DIALECTS, type FileAsked, type PlacedFinding } from "./questions.js";
import { choice, countsView, dialectsView, diffView, findingsView, verdictsView, whoDrawing, whoView } from "./views.js";

/** Idle time after a key press before the whole file is checked. */
const PAUSE_MILLISECONDS = 250;
/** Maximum number of URLs in the verdict tables. */
const URLS_SEEN = 100;
const CRAWLERS_FIRST = 12;
const CHOSEN_FIRST = ["googlebot", "bingbot", "gptbot"];
/** The value of the choice to judge each known crawler as its operator reads. */
const AS_OPERATOR = "operator";
const EXAMPLE = "User-agent: *\nDisallow: /private/\nAllow: /private/index.html\n\nUser-agent: GPTBot\nDisallow: /\n";
const EXAMPLE_URLS = "https://example.com/\nhttps://example.com/private/\nhttps://example.com/private/index.html\n";

// Separate workers, so verdicts do not wait for checks of the whole file.
const [verdicts, files, lists] = [new Asker(), new Asker(), new Asker()];

const urls = byId<HTMLTextAreaElement>("urls");
const tokens = byId<HTMLTextAreaElement>("tokens");
const dialect = byId<HTMLSelectElement>("dialect");
const compare = byId<HTMLInputElement>("compare");
const dialectCrawler = byId<HTMLSelectElement>("dialect-crawler");
const editor = new Editor(byId("editor"), "robots.txt", changed);
const second = new Editor(byId("second"), "New version of the robots.txt", changed);

let known: KnownCrawler[] = [];
let isWhoWhole = false;
let pause: number | undefined;
const said = { file: "", verdicts: "", findings: "" };

function say(part: Partial<typeof said>): void {
    Object.assign(said, part);
    byId("status").textContent = `${said.file} ${said.verdicts} ${said.findings}`;
}

function fail(error: Error): void {
    byId("problem").textContent = error.message;
    byId("problem").hidden = false;
}

function show(id: string, view: HTMLElement): void {
    byId(id).replaceChildren(view);
}

const lines = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
const goTo = (line: number): void => editor.goTo(line);

function checkedNames(): string[] {
    return Array.from(document.querySelectorAll<HTMLInputElement>(".choices input:checked"), ({ value }) => value);
}

/** Returns the known crawler with that name, or one with that product token. */
function named(label: string): Chosen {
    const isIt = (name: string): boolean => name.toLowerCase() === label.toLowerCase();
    const found = known.find(({ name, tokens }) => isIt(name) || isIt(tokens[0]!));
    return chosenAs(label, found ?? { tokens: [label], star: "honoured", dialect: "rfc9309" });
}

/** Returns a crawler with the chosen dialect, or with its own if none is chosen. */
function chosenAs(label: string, of: Pick<KnownCrawler, "tokens" | "star" | "dialect">): Chosen {
    return { label, tokens: of.tokens, star: of.star, dialect: chosenDialect() ?? of.dialect };
}

function chosenDialect(): Dialect | undefined {
    return DIALECTS.find((it) => it === dialect.value);
}

/** Returns the chosen crawlers in registry order, then the entered product tokens. */
function chosen(): Chosen[] {
    const names = new Set(checkedNames());
    const ofRegistry = known.filter(({ name }) => names.has(name));
    return [
        ...ofRegistry.map((crawler) => chosenAs(crawler.name, crawler)),
        ...lines(tokens.value).map(named),
    ];
}

/** Returns the first absolute URL. */
function site(): string | undefined {
    return lines(urls.value).find((url) => /^https?:\/\//i.test(url) && URL.canParse(url));
}

function asked(): FileAsked {
    return { text: editor.text, dialect: chosenDialect(), site: site() };
}

function changed(): void {
    byId("problem").hidden = true;
    askVerdicts();
    window.clearTimeout(pause);
    pause = window.setTimeout(askWhole, PAUSE_MILLISECONDS);
}

function askVerdicts(): void {
    const [list, crawlers] = [lines(urls.value), chosen()];
    verdicts.latest("verdicts", { text: editor.text, urls: list.slice(0, URLS_SEEN), crawlers }, (cells) => {
        show("verdicts", verdictsView(list, crawlers, cells, goTo));
        const deciding = new Map<number, Effect>();
        const all = cells.flat();
        for (const cell of all) {
            if (!("error" in cell) && cell.line !== null) {
                deciding.set(cell.line, cell.effect);
            }
        }
        editor.mark(deciding);
        const disallowed = all.filter((cell) => !("error" in cell) && !cell.allowed).length;
        say({ verdicts: `Disallowed: ${disallowed} of ${all.length} combinations.` });
    }, fail);
}

function askWhole(): void {
    const { text, ...rest } = asked();
    files.latest("lint", { text, site: rest.site }, ({ findings, total }) => {
        const apply = (finding: PlacedFinding): void => editor.apply(text, finding);
        show("findings", findingsView(findings, total, goTo, apply));
        editor.showFindings(text, findings, apply);
        say({ findings: total === 1 ? "1 finding." : `${total} findings.` });
    }, fail);
    files.latest("who", { text, ...rest }, showWho, fail);
    if (compare.checked) {
        files.latest("diff", { text, second: second.text, ...rest }, (answer) => show("diff", diffView(answer)), fail);
    }
    askDialects();
}

function showWho(answer: WhoLine[]): void {
    show("who-drawing", whoDrawing(answer));
    show("who", whoView(answer, goTo, isWhoWhole, () => {
        isWhoWhole = true;
        showWho(answer);
        byId("who").querySelector<HTMLElement>(".scroll")?.focus();
    }));
}

/** Keeps the selected crawler if it is still chosen. */
function askDialects(): void {
    const [list, crawlers, before] = [lines(urls.value), chosen(), dialectCrawler.value];
    dialectCrawler.replaceChildren(...crawlers.map(({ label }) => el("option", { value: label, selected: label === before }, label)));
    const crawler = crawlers.find(({ label }) => label === dialectCrawler.value);
    if (crawler === undefined) {
        show("dialects", dialectsView([], [], goTo));
        return;
    }
    const ask = { text: editor.text, urls: list.slice(0, URLS_SEEN), crawler };
    verdicts.latest("dialects", ask, (cells) => show("dialects", dialectsView(list, cells, goTo)), fail);
}

async function open(file: File, into: Editor): Promise<void> {
    const text = await textOfFile(file);
    into.text = text;
    say({ file: text.includes("\u{FFFD}") ? `${file.name} is not valid UTF-8. Invalid bytes were replaced by U+FFFD, and the answers are about the result.` : "" });
}

async function count(file: File): Promise<void> {
    lists.stop();
    const [progress, stop] = [byId<HTMLProgressElement>("progress"), byId("stop")];
    try {
        const { urls: list, isCut } = urlsOf(await textOfFile(file));
        const [agents, { text, dialect }] = [chosen().map(({ label }) => label), asked()];
        if (list.length === 0 || agents.length === 0) {
            show("counts", el("p", { role: "status" }, list.length === 0 ? `${file.name} contains no URLs.` : "Choose a crawler first."));
            return;
        }
        progress.hidden = stop.hidden = false;
        progress.value = 0;
        const hasSecond = compare.checked;
        const files = { old: text, new: hasSecond ? second.text : text };
        const counts = await lists.ask("count", { ...files, dialect, urls: list, agents }, (share) => (progress.value = share));
        show("counts", countsView(counts, hasSecond, file.name, isCut));
    } catch (error) {
        show("counts", el("p", { role: "status" }, `${file.name}: ${(error as Error).message}`));
    }
    progress.hidden = stop.hidden = true;
}

function state(): State {
    return {
        file: editor.text,
        second: compare.checked ? second.text : null,
        urls: urls.value,
        crawlers: checkedNames(),
        tokens: tokens.value,
        dialect: dialect.value,
    };
}

function enter(state: Partial<State>): void {
    urls.value = state.urls ?? "";
    tokens.value = state.tokens ?? "";
    dialect.value = DIALECTS.find((it) => it === state.dialect) ?? AS_OPERATOR;
    showChoices(new Set(state.crawlers ?? []));
    compare.checked = typeof state.second === "string";
    byId("second-part").hidden = !compare.checked;
    second.text = state.second ?? "";
    editor.text = state.file ?? "";
    changed();
}

function showChoices(names: ReadonlySet<string>): void {
    const choices = known.map((crawler) => choice(crawler, names.has(crawler.name), changed));
    byId("crawlers").replaceChildren(...choices.slice(0, CRAWLERS_FIRST));
    byId("more").replaceChildren(...choices.slice(CRAWLERS_FIRST));
    byId<HTMLDetailsElement>("others").open = known.slice(CRAWLERS_FIRST).some(({ name }) => names.has(name));
}

async function makeLink(): Promise<void> {
    history.replaceState(null, "", await fragmentOf(state()));
    const field = byId<HTMLInputElement>("link");
    field.value = location.href;
    field.hidden = false;
    field.select();
}

async function enterLink(): Promise<boolean> {
    try {
        const held = await stateOf(location.hash);
        if (held !== undefined) {
            enter(held);
        }
        return held !== undefined;
    } catch (error) {
        fail(new Error(`the link is damaged: ${(error as Error).message}`));
        return false;
    }
}

function listen(): void {
    for (const field of [urls, tokens, dialect]) {
        field.addEventListener("input", changed);
    }
    dialectCrawler.addEventListener("change", askDialects);
    compare.addEventListener("change", () => {
        byId("second-part").hidden = !compare.checked;
        changed();
    });
    byId("copy").addEventListener("click", () => (second.text = editor.text));
    byId("stop").addEventListener("click", () => lists.stop());
    byId("make-link").addEventListener("click", () => void makeLink().catch(fail));
    window.addEventListener("hashchange", () => void enterLink());
    // Otherwise, dropping a file elsewhere would replace the page.
    for (const type of ["dragover", "drop"] as const) {
        window.addEventListener(type, (event) => hasFiles(event) && event.preventDefault());
    }
    const opens = (into: Editor) => (file: File) => void open(file, into).catch(fail);
    onFile(byId("open"), byId("file"), byId("file-zone"), opens(editor));
    onFile(byId("open-second"), byId("second-file"), byId("second-zone"), opens(second));
    onFile(byId("open-list"), byId("list"), byId("count-zone"), (file) => void count(file));
}

async function start(): Promise<void> {
    known = await verdicts.ask("crawlers", undefined);
    listen();
    if (!(await enterLink())) {
        const isDamaged = !byId("problem").hidden;
        const problem = byId("problem").textContent;
        enter({ file: EXAMPLE, urls: EXAMPLE_URLS, crawlers: CHOSEN_FIRST, tokens: "*\n" });
        if (isDamaged) {
            fail(new Error(problem));
        }
    }
}

start().catch(fail);
