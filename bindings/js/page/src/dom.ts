// Elements of the page. Text is set as text, never as HTML.

type Child = Node | string;

/** An element with properties and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Partial<HTMLElementTagNameMap[K]> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

/** An element of index.html. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

/** A table with a caption and headings; the first cell of each row is its heading. */
export function table(caption: string, headings: Child[], rows: Child[][]): HTMLElement {
    const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
    const body = rows.map(([first, ...rest]) =>
        el("tr", {}, el("th", { scope: "row" }, first ?? ""), ...rest.map((cell) => el("td", {}, cell))),
    );
    const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body));
    // What scrolls can be scrolled with keys.
    return el("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: caption }, made);
}

/** Names, of which the first few are seen at once. */
export function names(all: readonly string[], seen = 6): Child {
    if (all.length <= seen + 1) {
        return all.join(", ");
    }
    const rest = el("summary", {}, `${all.slice(0, seen).join(", ")} and ${all.length - seen} more`);
    return el("details", {}, rest, all.slice(seen).join(", "));
}

/** Text of a file: UTF-8, in which other bytes are U+FFFD. */
export async function textOfFile(file: Blob): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Opens files with a button, or where they are dropped. */
export function onFile(button: HTMLElement, input: HTMLInputElement, zone: HTMLElement, use: (file: File) => void): void {
    const first = (files: FileList | null | undefined): void => {
        if (files?.[0] !== undefined) {
            use(files[0]);
        }
    };
    button.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
        first(input.files);
        input.value = "";
    });
    // Before an editor in the zone takes it as text.
    zone.addEventListener(
        "drop",
        (event) => {
            if (hasFiles(event)) {
                event.stopPropagation();
                event.preventDefault();
                first(event.dataTransfer?.files);
            }
        },
        true,
    );
}

/** Whether files are dragged, not text. */
export function hasFiles({ dataTransfer }: DragEvent): boolean {
    return dataTransfer?.types.includes("Files") ?? false;
}
