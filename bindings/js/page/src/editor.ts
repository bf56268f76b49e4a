// A robots.txt editor that colours lines, marks findings, and shows special characters.

import { history, historyKeymap, insertNewline, standardKeymap } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, RangeSetBuilder, StateEffect, type StateEffectType, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, highlightSpecialChars } from "@codemirror/view";
import { type KeyBinding, keymap, lineNumbers, ViewPlugin, type ViewUpdate, WidgetType } from "@codemirror/view";
import { el, sentence } from "./dom.js";
import styles from "./editor.css?inline";
import type { IgnoredLine, PlacedFinding } from "./questions.js";

/** Marks of whole lines: a class, a title, and words after the line. */
export interface LineMark {
    className: string;
    title: string;
    after?: string;
}

export type LineMarks = ReadonlyMap<number, LineMark>;

class Words extends WidgetType {
    constructor(readonly words: string) {
        super();
    }
    override eq(other: Words): boolean {
        return other.words === this.words;
    }
    toDOM(): HTMLElement {
        return el("span", { className: "cm-words", ariaHidden: "true" }, this.words);
    }
}

/** Creates marks of lines, which follow edits until they are set anew. */
function lineMarks(): { set: StateEffectType<LineMarks>; field: Extension } {
    const set = StateEffect.define<LineMarks>();
    const field = StateField.define<DecorationSet>({
        create: () => Decoration.none,
        update(marks, transaction) {
            const given = transaction.effects.find((effect) => effect.is(set));
            return given === undefined ? marks.map(transaction.changes) : decorations(transaction.state, given.value as LineMarks);
        },
        provide: (field) => EditorView.decorations.from(field),
    });
    return { set, field };
}

function decorations(state: EditorState, lines: LineMarks): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    for (const [number, { className, title, after }] of [...lines].sort(([one], [other]) => one - other)) {
        if (number <= state.doc.lines) {
            const { from, to } = state.doc.line(number);
            builder.add(from, from, Decoration.line({ class: className, attributes: { title } }));
            if (after !== undefined) {
                builder.add(to, to, Decoration.widget({ widget: new Words(after), side: 1 }));
            }
        }
    }
    return builder.finish();
}

/** The standard key indents, for which `no_language` has no answer. */
const KEYS: readonly KeyBinding[] = [{ key: "Enter", run: insertNewline, shift: insertNewline }];

const [deciding, ignored, changed] = [lineMarks(), lineMarks(), lineMarks()];

const mark = (className: string): Decoration => Decoration.mark({ class: className });
const [KEY, AGENT, COMMENT, WILDCARD] = [mark("cm-key"), mark("cm-agent"), mark("cm-comment"), mark("cm-wildcard")];

/** Colours the lines that are on the screen. */
const colours = ViewPlugin.fromClass(
    class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
            this.decorations = coloured(view);
        }
        update(update: ViewUpdate): void {
            if (update.docChanged || update.viewportChanged) {
                this.decorations = coloured(update.view);
            }
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

/** Number of characters of a line that are coloured. */
const COLOURED_MAX = 2_000;

function coloured(view: EditorView): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    for (const { from, to } of view.visibleRanges) {
        for (let at = from; at <= to; ) {
            const line = view.state.doc.lineAt(at);
            colour(builder, line.from, line.text.slice(0, COLOURED_MAX));
            at = line.to + 1;
        }
    }
    return builder.finish();
}

function colour(builder: RangeSetBuilder<Decoration>, from: number, line: string): void {
    const hash = line.indexOf("#");
    const end = hash < 0 ? line.length : hash;
    const colon = line.slice(0, end).indexOf(":");
    if (colon >= 0) {
        builder.add(from, from + colon, KEY);
        const isAgent = /^\s*user-agent\s*$/i.test(line.slice(0, colon));
        const value = line.slice(colon + 1, end);
        if (isAgent && value.trim() !== "") {
            builder.add(from + colon + 1, from + end, AGENT);
        } else {
            for (const { index } of value.matchAll(/\*|\$(?=\s*$)/g)) {
                builder.add(from + colon + 1 + index, from + colon + 2 + index, WILDCARD);
            }
        }
    }
    if (hash >= 0) {
        builder.add(from + hash, from + line.length, COMMENT);
    }
}

/** Characters that look like others or like nothing. CodeMirror knows some more. */
const SPECIAL = /[\u00A0\u1680\u2000-\u200A\u2010-\u2013\u202A-\u202F\u205F-\u2069\u3000\uFF1A\uFFFD]/gu;

function special(code: number, description: string | null): HTMLElement {
    const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
    return el("span", { className: "cm-special", title: description ?? name, ariaLabel: name }, name);
}

export interface EditorEvents {
    /** After each change that a person makes. `isNew` is whether the whole text was replaced. */
    changed: (isNew: boolean) => void;
    /** When the cursor is on another line, or its line has changed. */
    moved?: () => void;
}

export class Editor {
    readonly #view: EditorView;
    #isSilent = false;

    /** In a shadow tree, the editor's styles need no exception from the page's security policy. */
    constructor(host: HTMLElement, label: string, { changed: onChange, moved }: EditorEvents) {
        const root = host.attachShadow({ mode: "open" });
        const dark = window.matchMedia("(prefers-color-scheme: dark)");
        const darkness = new Compartment();
        const state = EditorState.create({
            extensions: [
                lineNumbers(),
                history(),
                highlightSpecialChars({ addSpecialChars: SPECIAL, render: special }),
                lintGutter(),
                [deciding.field, ignored.field, changed.field],
                colours,
                darkness.of(EditorView.darkTheme.of(dark.matches)),
                keymap.of([...KEYS, ...standardKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
                EditorView.contentAttributes.of({ "aria-label": label, "spellcheck": "false", "autocapitalize": "off", "tabindex": "0" }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !this.#isSilent) {
                        const isPasted = update.transactions.some((it) => it.isUserEvent("input.paste"));
                        onChange(isPasted && isWhole(update));
                    }
                    if (update.docChanged || update.selectionSet) {
                        moved?.();
                    }
                }),
            ],
        });
        this.#view = new EditorView({ state, root });
        root.append(this.#view.dom);
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(styles);
        root.adoptedStyleSheets.push(sheet);
        dark.addEventListener("change", () =>
            this.#view.dispatch({ effects: darkness.reconfigure(EditorView.darkTheme.of(dark.matches)) }),
        );
    }

    get text(): string {
        return this.#view.state.doc.toString();
    }

    /** Replaces the text. That is not an event. */
    set text(text: string) {
        this.#isSilent = true;
        this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text }, selection: { anchor: 0 } });
        this.#isSilent = false;
    }

    /** The number of the cursor's line. */
    get line(): number {
        return this.#view.state.doc.lineAt(this.#view.state.selection.main.head).number;
    }

    lineAt(number: number): string {
        return this.#view.state.doc.line(number).text;
    }

    showDeciding(marks: LineMarks): void {
        this.#view.dispatch({ effects: deciding.set.of(marks) });
    }

    showChanged(lines: Iterable<number>): void {
        const marks = Array.from(lines, (line): [number, LineMark] => [line, { className: "cm-changed", title: "Changed" }]);
        this.#view.dispatch({ effects: changed.set.of(new Map(marks)) });
    }

    /** Marks the lines that crawlers ignore, unless the text has changed since. */
    showIgnored(text: string, lines: readonly IgnoredLine[]): void {
        if (text === this.text) {
            const marks = lines.map(({ line, why }): [number, LineMark] => {
                const title = sentence(why).replaceAll("`", "");
                return [line, { className: "cm-ignored", title, after: title }];
            });
            this.#view.dispatch({ effects: ignored.set.of(new Map(marks)) });
        }
    }

    /** Shows findings, unless the text has changed since. */
    showFindings(text: string, findings: readonly PlacedFinding[], apply: (finding: PlacedFinding) => void): void {
        if (text !== this.text) {
            return;
        }
        const diagnostics = findings.flatMap((finding): Diagnostic[] => {
            const { places, help, fix } = finding;
            const message = [finding.message, ...(help === null ? [] : [help])].map(sentence).join(" ").replaceAll("`", "");
            const severity = finding.severity === "note" ? "info" : finding.severity;
            const actions = fix === null ? [] : [{ name: sentence(fix.title).replace(/\.$/, "").replaceAll("`", ""), apply: () => apply(finding) }];
            return places.map(({ from, to }) => ({ from, to, severity, message, actions }));
        });
        diagnostics.sort((one, other) => one.from - other.from);
        this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    }

    /** Applies fixes that do not overlap, unless the text has changed since. */
    apply(text: string, findings: readonly PlacedFinding[]): void {
        if (text !== this.text) {
            return;
        }
        const changes = findings.flatMap(({ fix }) => fix?.changes ?? []).sort((one, other) => one.from - other.from);
        const apart = changes.filter(({ from }, at) => at === 0 || from >= changes[at - 1]!.to);
        this.#view.dispatch({ changes: apart, userEvent: "input" });
    }

    goTo(line: number): void {
        const { from } = this.#view.state.doc.line(Math.min(line, this.#view.state.doc.lines));
        this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
        this.#view.focus();
    }

    /** Selects everything, so that the next paste replaces it. */
    selectAll(): void {
        this.#view.dispatch({ selection: { anchor: 0, head: this.#view.state.doc.length } });
        this.#view.focus();
    }
}

/** Whether nothing of the text before is left. */
function isWhole({ startState, changes }: ViewUpdate): boolean {
    let isAll = startState.doc.length === 0;
    changes.iterChangedRanges((from, to) => (isAll ||= from === 0 && to === startState.doc.length));
    return isAll;
}
