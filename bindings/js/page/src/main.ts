// The page: connects inputs, queries and views.
//
// | module | contents |
// |---|---|
// | `questions` | queries, answered by the package |
// | `worker`, `modules` | the worker that answers them |
// | `asker` | sends queries to the worker |
// | `editor`, `no_language` | an editor that colours lines and marks findings |
// | `rule_words` | a rule in words |
// | `crawler_field` | the chosen crawlers, and a combobox that adds one |
// | `entered` | URLs as typed, the site, paths to try, and texts that are not a robots.txt |
// | `list` | URLs from a sitemap or list |
// | `pasted` | the response head and the elements of a pasted page
// | `link` | links that contain everything entered, and the session |
// | `tabs`, `examples` | the tabs, and files to try |
// | `verdict_views`, `problem_views`, `page_views`, `crawler_views`, `change_views`, `dom` | answers as elements |

import { Asker } from "./asker.js";
import { changesView, countsView, lineChanges, lineDiff } from "./change_views.js";
import { CrawlerField } from "./crawler_field.js";
import { crawlerTable, type Filter, legend, overview, type Preset, presets } from "./crawler_views.js";
import { button, byId, type Child, el, hasFiles, onFile, plural, prose, sentence, textOfFile } from "./dom.js";
import { Editor, type LineMark } from "./editor.js";
import { enteredUrl, linesOf, type Odd, oddity, proposals, siteOf, siteOfSitemaps } from "./entered.js";
import { EXAMPLES } from "./examples.js";
import { fragmentOf, keep, kept, LINK_MAX, stateOf, type State } from "./link.js";
import { URLS_MAX, urlsOf } from "./list.js";
import { pageCard, pageProblems } from "./page_views.js";
import { elementsOf, startOfHtml } from "./pasted.js";
import { problemCounts, problems } from "./problem_views.js";
import { type Cell, type Crawler, type Dialect, DIALECTS, type Extent, type FileAsked, type Findings } from "./questions.js";
import { explained } from "./rule_words.js";
import { listenToTabs, selectedTab, selectTab, VERDICTS } from "./tabs.js";
import { answer, cards, type GoTo } from "./verdict_views.js";

declare const vergerVersion: string;
declare const vergerRepository: string;

/** Idle time after a key press before the whole file is checked. */
const PAUSE_MILLISECONDS = 80;
const MESSAGE_MILLISECONDS = 8_000;
/** Maximum number of URLs with a card. */
const URLS_SEEN = 100;
/** Numbers of URLs that are proposed and asked about, and that are only offered. */
const [PROPOSED_ASKED, PROPOSED_SEEN] = [2, 6];
const ROBOTS_TXT = "robots.txt";
const CHOSEN_FIRST = ["googlebot", "bingbot", "gptbot"];
const SUPERSEDED = "superseded";
/** The value of the choice to judge each known crawler as its operator reads. */
const AS_OPERATOR = "operator";

// Separate workers, so that verdicts do not wait for findings, and those not for proofs about all crawlers.
const [verdicts, files, proofs, lists] = [new Asker(), new Asker(), new Asker(), new Asker()];

const url = byId<HTMLTextAreaElement>("url");
const siteField = byId<HTMLInputElement>("site");
const dialect = byId<HTMLSelectElement>("dialect");
const dialectCrawler = byId<HTMLSelectElement>("dialect-crawler");
const pageUrl = byId<HTMLSelectElement>("page-url");
const [pageHead, pageHtml] = [byId<HTMLTextAreaElement>("page-head"), byId<HTMLTextAreaElement>("page-html")];
const filterField = byId<HTMLInputElement>("filter");
const editor = new Editor(byId("editor"), ROBOTS_TXT, { changed: (isNew) => (isNew ? replaced() : changed()), moved: explain });
const second = new Editor(byId("second"), "New version of the robots.txt", { changed });

let known: Crawler[] = [];
let crawlers: CrawlerField;
let urls: string[] = [];
/** Whether the URLs were entered. Others are proposed from the file, and change with it. */
let isOwn = false;
let list: { name: string; urls: string[]; isCut: boolean } | undefined;
/** How much the crawlers may fetch, and the text for which that was computed. */
let whole: { text: string; extents: Extent[] } = { text: "", extents: [] };
/** The last verdicts, and the crawlers that they are for. */
let answered: { cells: Cell[][]; of: Crawler[] } = { cells: [], of: [] };
let filter: Filter = { text: "" };
let [pause, silence]: (number | undefined)[] = [];

function show(id: string, ...children: Child[]): void {
    byId(id).replaceChildren(...children);
}

function say(message: string): void {
    show("toast", message);
    window.clearTimeout(silence);
    silence = window.setTimeout(() => show("toast"), MESSAGE_MILLISECONDS);
}

function warn({ title, advice, link }: Odd): void {
    show("banner", el("strong", {}, title), " ", advice, " ", ...(link === undefined ? [] : [el("a", { href: link, target: "_blank", rel: "noreferrer" }, link)]));
    byId("banner").hidden = false;
}

function fail(error: Error): void {
    warn({ title: "Something went wrong.", advice: sentence(error.message) });
}

function goTo(line: number): void {
    byId("file-pane").scrollIntoView({ block: "nearest" });
    editor.goTo(line);
}

const isComparing = (): boolean => !byId("second-zone").hidden;
const chosenDialect = (): Dialect | undefined => DIALECTS.find((it) => it === dialect.value);

/** Returns the chosen crawlers, with the chosen dialect or with their own. */
function chosen(): Crawler[] {
    return crawlers.crawlers().map((crawler) => ({ ...crawler, dialect: chosenDialect() ?? crawler.dialect }));
}

/** Returns the site: as entered, or as the Sitemap lines or the URLs name it. */
function site(): string | undefined {
    const entered = siteField.value.trim() === "" ? undefined : siteOf(enteredUrl(siteField.value.trim()).url);
    return entered ?? siteOfSitemaps(editor.text) ?? urls.map((it) => siteOf(enteredUrl(it).url)).find((it) => it !== undefined);
}

/** Asks about another file: the URLs that were proposed from the last one give way to those of this one. */
function replaced(): void {
    if (!isOwn) {
        const base = siteOfSitemaps(editor.text) ?? "";
        const paths = oddity(editor.text) === undefined ? ["/", ...proposals(editor.text, PROPOSED_ASKED)] : [];
        urls = paths.map((path) => base + path);
    }
    changed();
}

function changed(): void {
    const text = editor.text;
    const odd = oddity(text);
    byId("banner").hidden = odd === undefined;
    if (odd !== undefined) {
        warn(odd);
    }
    const bytes = new Blob([text]).size;
    const example = EXAMPLES.some(({ file }) => file === text) ? "An example: " : "";
    show("file-facts", `${example}${plural(text.split("\n").length, "line")}, ${bytes < 10_000 ? plural(bytes, "byte") : `${Math.round(bytes / 1024).toLocaleString("en")} KiB`}`);
    askVerdicts();
    window.clearTimeout(pause);
    pause = window.setTimeout(askWhole, PAUSE_MILLISECONDS);
}

function askVerdicts(): void {
    const [asked, of] = [urls.slice(0, URLS_SEEN).map(enteredUrl), chosen()];
    const question = { text: editor.text, urls: asked.map(({ url }) => url), crawlers: of };
    verdicts.latest("verdicts", question, (cells) => {
        answered = { cells, of };
        showAnswer();
        const remove = (at: number): void => enterUrls(urls.toSpliced(at, 1));
        show("verdicts", cards(asked, of.map(({ label }) => label), cells, goTo, remove));
        if (urls.length > URLS_SEEN) {
            const count = (): void => countUrls({ name: "the URLs above", urls: urls.slice(0, URLS_MAX), isCut: urls.length > URLS_MAX });
            byId("verdicts").prepend(el("p", { className: "row" }, `The first ${URLS_SEEN} of ${plural(urls.length, "URL")}.`, button("Count them all", count, "primary")));
        }
        const marks = new Map<number, LineMark>();
        for (const cell of cells.flat()) {
            if (!("error" in cell) && cell.line !== null) {
                marks.set(cell.line, cell.allowed ? { className: "cm-allow", title: "Allows a URL" } : { className: "cm-disallow", title: "Blocks a URL" });
            }
        }
        editor.showDeciding(marks);
        document.body.classList.add("ready");
    }, fail);
    showProposals();
}

function showAnswer(): void {
    const extents = whole.text === editor.text ? whole.extents : [];
    show("sentence", ...answer(answered.cells, answered.of, new Map(extents.map((extent) => [extent.crawler, extent]))));
}

function showProposals(): void {
    const base = site() ?? "";
    const paths = proposals(editor.text, PROPOSED_SEEN).filter((path) => !urls.includes(path) && !urls.includes(base + path));
    const buttons = paths.flatMap((path) => [" ", button(path, () => enterUrls([...urls, base + path]), "link")]);
    show("proposals", ...(buttons.length === 0 ? [] : ["Try:", ...buttons]));
}

/** Takes URLs that a person entered. */
function enterUrls(entered: string[]): void {
    urls = [...new Set(entered)];
    isOwn = true;
    changed();
}

function addUrl(): void {
    const entered = linesOf(url.value);
    url.value = "";
    if (entered.length > 0) {
        enterUrls(isOwn ? [...urls, ...entered] : entered);
    }
}

function askWhole(): void {
    const text = editor.text;
    const asked: FileAsked = { text, dialect: chosenDialect(), site: site() };
    showSite(asked.site);
    files.latest("lint", { text, site: asked.site }, (found) => showFindings(text, found), fail);
    files.latest("ignored", { text }, (lines) => editor.showIgnored(text, lines), fail);
    proofs.latest("who", asked, (extents) => {
        whole = { text, extents };
        showAnswer();
        showCrawlers();
    }, fail);
    if (isComparing()) {
        askCompared(asked);
    }
    askDialects();
    askPage();
    if (list !== undefined) {
        countUrls(list);
    }
    keep(state());
}

/** Says which site the answers are about, or asks for it if neither the file nor a URL names it. */
function showSite(known: string | undefined): void {
    const isAsked = known === undefined || document.activeElement === siteField;
    const change = (): void => {
        siteField.value = known ?? "";
        byId("site-field").hidden = false;
        siteField.focus();
    };
    byId("site-field").hidden = !isAsked;
    show("site-known", ...(isAsked ? [] : ["Site: ", el("code", {}, known), " ", button("Change", change, "link")]));
}

function askCompared(asked: FileAsked): void {
    const after = second.text;
    const { removed, added } = lineChanges(asked.text, after);
    editor.showChanged(removed);
    second.showChanged(added);
    proofs.latest("diff", { ...asked, second: after }, (changes) => show("diff", changesView(changes)), fail);
    files.latest("lintSecond", { text: after, site: asked.site }, (found) => {
        const heading = el("h3", {}, "Problems of the new version");
        show("second-findings", heading, problemsIn(second, (line) => second.goTo(line), after, found));
    }, fail);
}

/** Marks problems in an editor, and returns their list. */
function problemsIn(of: Editor, goTo: GoTo, text: string, found: Findings): HTMLElement {
    of.showFindings(text, found.findings, (finding) => of.apply(text, [finding]));
    return problems(found, { goTo, apply: (fixed) => of.apply(text, fixed) });
}

function showFindings(text: string, found: Findings): void {
    show("findings", problemsIn(editor, goTo, text, found));
    show("problem-counts", ...problemCounts(found));
    show("tab-problems", "Problems", ...(found.total === 0 ? [] : [el("span", { className: "badge" }, String(found.total))]));
}

function showCrawlers(): void {
    const filterTo = (given: Filter): void => {
        setFilter(given);
        byId("who").scrollIntoView({ block: "nearest" });
    };
    show("ai", ...overview("ai", whole.extents, filterTo));
    show("others", ...overview("others", whole.extents, filterTo));
    showTable();
}

function setFilter(given: Filter): void {
    filter = given;
    filterField.value = given.text;
    showTable();
}

function showTable(): void {
    byId("unfilter").hidden = filter.text === "" && filter.row === undefined;
    show("who", crawlerTable(whole.extents, filter, goTo, () => {
        setFilter({ ...filter, isWhole: true });
        byId("who").querySelector<HTMLElement>(".scroll")?.focus();
    }));
}

/** Shows what a preset would change, to be taken or not. */
async function preview(preset: Preset): Promise<void> {
    const { title, agents, rules } = preset;
    const before = editor.text;
    const { text, notes } = await proofs.ask("add", { text: before, agents, rules });
    const clear = (): void => show("preview");
    const take = (): void => {
        clear();
        // The lines were for the text as it was.
        if (editor.text === before) {
            editor.text = text;
            changed();
        } else {
            void preview(preset).catch(fail);
        }
    };
    const buttons = text === before ? [button("Close", clear)] : [button("Take these lines", take, "primary"), button("Cancel", clear)];
    const lines = text === before ? el("p", {}, "The file says so already. Nothing would change.") : lineDiff(before, text);
    show("preview", el("h4", {}, title), lines, ...notes.map((note) => el("p", { className: "hint" }, ...prose(sentence(note)))), el("p", { className: "row" }, ...buttons));
    byId("preview").focus();
}

/** Keeps the selected crawler if it is still chosen. */
function askDialects(): void {
    const [of, before] = [chosen(), dialectCrawler.value];
    dialectCrawler.replaceChildren(...of.map(({ name, label }) => el("option", { value: name, selected: name === before }, label)));
    const crawler = of.find(({ name }) => name === dialectCrawler.value);
    const asked = urls.slice(0, URLS_SEEN).map(enteredUrl);
    if (crawler === undefined) {
        show("dialects", cards([], [], [], goTo));
        return;
    }
    const labels = ["RFC 9309", "Google’s library", "2019 draft", "1996 draft"];
    const judged = DIALECTS.map((dialect) => ({ ...crawler, dialect }));
    const question = { text: editor.text, urls: asked.map(({ url }) => url), crawlers: judged };
    verdicts.latest("dialects", question, (cells) => show("dialects", cards(asked, labels, cells, goTo)), fail);
}

/** Keeps the selected URL if it is still among the URLs. */
function askPage(): void {
    const before = pageUrl.value;
    const asked = urls.slice(0, URLS_SEEN).map(enteredUrl);
    pageUrl.replaceChildren(...asked.map(({ url }) => el("option", { value: url, selected: url === before }, url)));
    const agents = chosen().map(({ name }) => name);
    if (asked.length === 0 || agents.length === 0) {
        show("page-answer", cards([], [], [], goTo));
        return;
    }
    const [head, html] = [pageHead.value.trim(), pageHtml.value.trim()];
    const isAssumed = head === "" && html !== "";
    const hint = isAssumed ? "Without a response head, this assumes status 200 and no header fields." : "";
    const question = { text: editor.text, url: pageUrl.value, head, ...(html !== "" && elementsOf(pageHtml.value)), agents, dialect: chosenDialect() };
    files.latest("page", question, (answers) => {
        const parts = "error" in answers ? [el("p", {}, ...prose(sentence(answers.error)))] : [pageCard(question.url, answers, hint), ...pageProblems(answers)];
        show("page-answer", ...parts);
    }, fail);
}

/** Moves HTML that was pasted after a head into its field. */
function splitPage(): void {
    const start = startOfHtml(pageHead.value);
    if (start !== undefined && pageHtml.value === "") {
        [pageHtml.value, pageHead.value] = [pageHead.value.slice(start), pageHead.value.slice(0, start).trimEnd()];
    }
    askPage();
}

function explain(): void {
    show("explained", ...prose(explained(editor.line, (number) => editor.lineAt(number), known)));
}

/** Opens a text in an editor: a file, the clipboard, or an example. */
function openText(text: string, name: string, into = editor): void {
    into.text = text;
    say(text.includes("\u{FFFD}") ? `${name} is not valid UTF-8. Bytes that cannot be read are shown as U+FFFD.` : "");
    if (into === editor) {
        show("file-name", name);
        replaced();
    } else {
        changed();
    }
}

async function paste(): Promise<void> {
    try {
        openText(await navigator.clipboard.readText(), ROBOTS_TXT);
    } catch {
        editor.selectAll();
        say("Press Ctrl+V (or ⌘V) to paste the file.");
    }
}

async function openList(file: File): Promise<void> {
    try {
        countUrls({ name: file.name, ...urlsOf(await textOfFile(file)) });
    } catch (error) {
        list = undefined;
        lists.stop();
        show("counts", el("p", { role: "status" }, `${file.name}: ${(error as Error).message}.`));
    }
}

/** Counts a list, and again when the file or the crawlers change. */
function countUrls(counted: NonNullable<typeof list>): void {
    if (list !== counted) {
        selectTab("tab-list");
    }
    list = counted;
    lists.stop(SUPERSEDED);
    const [progress, stop] = [byId<HTMLProgressElement>("progress"), byId("stop")];
    const done = (answer: Child): void => {
        progress.hidden = stop.hidden = true;
        show("counts", typeof answer === "string" ? el("p", { role: "status" }, answer) : answer);
    };
    const agents = chosen().map(({ name }) => name);
    if (counted.urls.length === 0 || agents.length === 0) {
        done(counted.urls.length === 0 ? `${counted.name} contains no URLs.` : "Choose a crawler first.");
        return;
    }
    progress.hidden = stop.hidden = false;
    progress.value = 0;
    const hasSecond = isComparing();
    const versions = { old: editor.text, new: hasSecond ? second.text : editor.text };
    const asked = { ...versions, dialect: chosenDialect(), urls: counted.urls, agents };
    void lists.ask("count", asked, (share) => (progress.value = share)).then(
        (counts) => done(countsView(counts, hasSecond, counted.name, counted.isCut)),
        ({ message }: Error) => message !== SUPERSEDED && done(`${counted.name}: ${message}.`),
    );
}

function state(): State {
    return {
        file: editor.text,
        second: isComparing() ? second.text : null,
        urls: urls.join("\n"),
        isOwn,
        crawlers: crawlers.chosen,
        site: siteField.value,
        dialect: dialect.value,
        tab: selectedTab(),
        pageHead: pageHead.value,
        pageHtml: pageHtml.value,
    };
}

function enter(state: Partial<State>): void {
    urls = linesOf(state.urls ?? "");
    isOwn = state.isOwn ?? urls.length > 0;
    siteField.value = state.site ?? "";
    [pageHead.value, pageHtml.value] = [state.pageHead ?? "", state.pageHtml ?? ""];
    dialect.value = DIALECTS.find((it) => it === state.dialect) ?? AS_OPERATOR;
    crawlers.choose(state.crawlers ?? CHOSEN_FIRST);
    setComparing(typeof state.second === "string", state.second ?? "");
    editor.text = state.file ?? "";
    selectTab(state.tab ?? VERDICTS);
    replaced();
}

function setComparing(isOn: boolean, text: string): void {
    byId("second-zone").hidden = !isOn;
    byId("compare").ariaPressed = String(isOn);
    document.body.classList.toggle("comparing", isOn);
    second.text = text;
    if (!isOn) {
        editor.showChanged([]);
        const start = button("Compare with a new version", startComparing, "primary");
        show("diff", el("p", { className: "empty" }, "See which crawlers gain or lose what if you change the file."), start);
        show("second-findings");
    }
}

function startComparing(): void {
    if (!isComparing()) {
        setComparing(true, editor.text);
        changed();
    }
    selectTab("tab-compare");
}

async function share(): Promise<void> {
    const link = location.href.replace(/[?#].*$/s, "") + (await fragmentOf({ ...state(), pageHead: "", pageHtml: "" }));
    if (link.length > LINK_MAX) {
        say(`Too long to share: the link would have ${link.length.toLocaleString("en")} characters, and mail and chat cut links after about 8,000. Send the file instead.`);
        return;
    }
    try {
        await navigator.clipboard.writeText(link);
        const without = pageHead.value + pageHtml.value === "" ? "" : ", but not the pasted page";
        say(`Link copied. It contains the files and ${plural(urls.length, "URL")}${without}.`);
    } catch {
        history.replaceState(null, "", link);
        say("The link is in the address bar. Copy it from there.");
    }
}

/** Takes what the address holds, then what the tab held before a reload, and the example otherwise. */
async function enterFirst(): Promise<void> {
    const asked = new URLSearchParams(location.search).get("url");
    try {
        const linked = await stateOf(location.hash);
        if (linked === undefined && asked !== null) {
            const from = siteOf(enteredUrl(asked).url);
            enter({ urls: asked });
            warn({ title: "Now the file.", advice: "Open it, copy its text, and paste it here:", ...(from && { link: `${from}/robots.txt` }) });
        } else {
            enter(linked ?? kept() ?? EXAMPLES[0]!);
        }
    } catch (error) {
        enter(EXAMPLES[0]!);
        warn({ title: "The link is damaged.", advice: `${sentence((error as Error).message)} This is an example.` });
    }
    // The session holds the work from here on, so that a reload does not bring back an older text.
    history.replaceState(null, "", location.href.replace(/[?#].*$/s, ""));
}

function listen(): void {
    url.addEventListener("keydown", (event) => {
        if (event.key === "Enter") {
            event.preventDefault();
            addUrl();
        }
    });
    url.addEventListener("input", () => url.value.includes("\n") && addUrl());
    for (const field of [siteField, dialect]) {
        field.addEventListener("input", changed);
    }
    filterField.addEventListener("input", () => setFilter({ ...filter, text: filterField.value }));
    dialectCrawler.addEventListener("change", askDialects);
    pageUrl.addEventListener("change", askPage);
    pageHead.addEventListener("input", splitPage);
    pageHtml.addEventListener("input", askPage);
    const clicks: Record<string, () => void> = {
        "add-url": addUrl,
        "unfilter": () => setFilter({ text: "" }),
        "problem-counts": () => selectTab("tab-problems"),
        "compare": startComparing,
        "close-second": () => setComparing(false, ""),
        "copy": () => openText(editor.text, ROBOTS_TXT, second),
        "stop": () => lists.stop(),
        "share": () => void share().catch(fail),
        "paste": () => void paste(),
        "help": () => byId<HTMLDialogElement>("help-dialog").showModal(),
        "expand": () => {
            const isOpen = document.body.classList.toggle("expanded");
            byId("expand").ariaExpanded = String(isOpen);
            show("expand", isOpen ? "Fold the file" : "Show the whole file");
        },
    };
    Object.entries(clicks).forEach(([id, click]) => byId(id).addEventListener("click", click));
    // Otherwise, dropping a file elsewhere would replace the page.
    for (const type of ["dragover", "drop"] as const) {
        window.addEventListener(type, (event) => hasFiles(event) && event.preventDefault());
    }
    const opens = (into: Editor) => (file: File) => void textOfFile(file).then((text) => openText(text, file.name, into), fail);
    onFile(byId("open"), byId("file"), byId("first-zone"), opens(editor));
    onFile(byId("open-second"), byId("second-file"), byId("second-zone"), opens(second));
    onFile(byId("open-list"), byId("list"), byId("count-zone"), (file) => void openList(file));
    window.addEventListener("hashchange", () => void enterFirst());
    window.addEventListener("pagehide", () => keep(state()));
    window.matchMedia("print").addEventListener("change", ({ matches }) => matches && printFile());
}

/** Puts the whole file on paper. The editor has only the lines on the screen. */
function printFile(): void {
    const lines = editor.text.split("\n").map((line) => el("li", {}, line));
    show("print-file", el("h2", {}, byId("file-name").textContent), el("ol", {}, ...lines));
    setFilter({ ...filter, isWhole: true });
    document.querySelectorAll<HTMLDetailsElement>("main details").forEach((folded) => (folded.open = true));
}

function showConstants(): void {
    show("version", vergerVersion);
    show("legend", legend());
    show("help-legend", legend());
    show("source", ...(vergerRepository === "" ? [] : [" · ", el("a", { href: vergerRepository, rel: "noreferrer" }, "Source")]));
    const menu = byId<HTMLDetailsElement>("examples");
    const examples = EXAMPLES.map((example) => button(example.title, () => {
        menu.open = isOwn = false;
        siteField.value = "";
        openText(example.file, ROBOTS_TXT);
    }));
    show("example-list", ...examples.map((example) => el("li", {}, example)));
    document.addEventListener("click", ({ target }) => !menu.contains(target as Node) && (menu.open = false));
    const page = location.href.replace(/[?#].*$/s, "");
    byId<HTMLAnchorElement>("bookmarklet").href = `javascript:void open(${JSON.stringify(`${page}?url=`)}+encodeURIComponent(location.href))`;
    byId("bookmarklet").addEventListener("click", (event) => event.preventDefault());
    const offers = presets(known).map((preset) => {
        const offer = button(preset.title, () => void preview(preset).catch(fail));
        offer.title = preset.about;
        return el("li", {}, offer);
    });
    show("presets", el("ul", { className: "presets" }, ...offers));
}

async function start(): Promise<void> {
    // The worker of the verdicts compiles the engine meanwhile.
    void verdicts.ask("verdicts", { text: "", urls: [], crawlers: [{ tokens: ["*"], star: "honoured", dialect: "rfc9309" }] });
    known = await files.ask("crawlers", undefined);
    crawlers = new CrawlerField(known, changed);
    showConstants();
    listen();
    listenToTabs(() => keep(state()));
    await enterFirst();
}

start().catch(fail);
