// A robots.txt editor that marks lines and findings.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Effect } from "../../dist/index.js";
import type { PlacedFinding } from "./questions.js";

/** The deciding lines and their effects. */
export type Deciding = ReadonlyMap<number, Effect>;

const setDeciding = StateEffect.define<Deciding>();

const deciding = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(set, transaction) {
        for (const effect of transaction.effects) {
            if (effect.is(setDeciding)) {
                return decorations(transaction.state, effect.value);
            }
        }
        return set.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
});

function decorations(state: EditorState, lines: Deciding): DecorationSet {
    const builder = new RangeSetBuilder<Decoration>();
    for (const [line, effect] of [...lines].sort(([one], [other]) => one - other)) {
        if (line <= state.doc.lines) {
            const { from } = state.doc.line(line);
            const attributes = { title: `${effect === "allow" ? "Allows" : "Disallows"} a listed URL` };
            builder.add(from, from, Decoration.line({ class: `cm-${effect}`, attributes }));
        }
    }
    return builder.finish();
}

const theme = EditorView.theme({
    "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--field)", fontSize: "0.9rem" },
    "&.cm-focused": { outline: "2px solid var(--accent)" },
    ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--text)" },
    ".cm-cursor": { borderLeftColor: "var(--text)" },
    ".cm-gutters": { backgroundColor: "var(--field)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: "var(--selected)",
    },
    ".cm-allow": { backgroundColor: "var(--allow-back)", boxShadow: "inset 3px 0 var(--allow)" },
    ".cm-disallow": { backgroundColor: "var(--disallow-back)", boxShadow: "inset 3px 0 var(--disallow)" },
    ".cm-tooltip, .cm-panels": { color: "var(--text)", backgroundColor: "var(--back)", border: "1px solid var(--line)" },
    ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
});

export class Editor {
    readonly #view: EditorView;

    /** In a shadow tree, the editor's styles need no exception from the page's security policy. */
    constructor(host: HTMLElement, label: string, changed: () => void) {
        const root = host.attachShadow({ mode: "open" });
        const dark = window.matchMedia("(prefers-color-scheme: dark)");
        const darkness = new Compartment();
        const state = EditorState.create({
            extensions: [
                lineNumbers(),
                history(),
                drawSelection(),
                highlightSelectionMatches(),
                lintGutter(),
                deciding,
                theme,
                darkness.of(EditorView.darkTheme.of(dark.matches)),
                keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
                EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged) {
                        changed();
                    }
                }),
            ],
        });
        this.#view = new EditorView({ state, root });
        root.append(this.#view.dom);
        dark.addEventListener("change", () =>
            this.#view.dispatch({ effects: darkness.reconfigure(EditorView.darkTheme.of(dark.matches)) }),
        );
    }

    get text(): string {
        return this.#view.state.doc.toString();
    }

    set text(text: string) {
        this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    }

    mark(lines: Deciding): void {
        this.#view.dispatch({ effects: setDeciding.of(lines) });
    }

    /** Shows findings, unless the text has changed since. */
    showFindings(text: string, findings: readonly PlacedFinding[], apply: (finding: PlacedFinding) => void): void {
        if (text !== this.text) {
            return;
        }
        const diagnostics = findings.flatMap((finding): Diagnostic[] => {
            const { places, message, fix } = finding;
            const severity = finding.severity === "note" ? "info" : finding.severity;
            const actions = fix === null ? [] : [{ name: fix.title, apply: () => apply(finding) }];
            return places.map(({ from, to }) => ({ from, to, severity, message, actions }));
        });
        diagnostics.sort((one, other) => one.from - other.from);
        this.#view.dispatch(setDiagnostics(this.#view.state, diagnostics));
    }

    /** Applies a fix, unless the text has changed since. */
    apply(text: string, { fix }: PlacedFinding): void {
        if (fix !== null && text === this.text) {
            this.#view.dispatch({ changes: fix.changes, userEvent: "input" });
        }
    }

    goTo(line: number): void {
        const { from } = this.#view.state.doc.line(Math.min(line, this.#view.state.doc.lines));
        this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
        this.#view.focus();
    }
}
