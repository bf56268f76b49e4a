// Elements of the page. Text is set as text, never as HTML.

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    properties: Partial<HTMLElementTagNameMap[K]> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
    return document.getElementById(id) as T;
}

/** Creates a table. The first cell of each row is its heading. */
export function table(caption: string, headings: Child[], rows: Child[][]): HTMLElement {
    const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
    const body = rows.map(([first, ...rest]) =>
        el("tr", {}, el("th", { scope: "row" }, first ?? ""), ...rest.map((cell) => el("td", {}, cell))),
    );
    const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body));
    // Focusable, so the keyboard can scroll it.
    return el("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: caption }, made);
}

/** Number of names shown at first. */
const NAMES_SEEN = 6;

/** Lists names, with all but the first few collapsed, and a note about all of them. */
export function names(all: readonly string[], note: string): Child {
    if (all.length <= NAMES_SEEN + 1) {
        return all.join(", ") + note;
    }
    const rest = el("summary", {}, `${all.slice(0, NAMES_SEEN).join(", ")} and ${all.length - NAMES_SEEN} more${note}`);
    return el("details", {}, rest, all.slice(NAMES_SEEN).join(", "));
}

/** Reads a file as UTF-8. Other bytes become U+FFFD. */
export async function textOfFile(file: Blob): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Passes on a file chosen with the button or dropped on the zone. */
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
    // During capture, before the editor in the zone inserts the file as text.
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

export function hasFiles({ dataTransfer }: DragEvent): boolean {
    return dataTransfer?.types.includes("Files") ?? false;
}
