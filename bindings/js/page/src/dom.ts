// Elements of the page. Text is set as text, never as HTML.

export type Child = Node | string;

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

export function button(label: Child, onclick: () => void, className = ""): HTMLButtonElement {
    return el("button", { type: "button", className, onclick }, label);
}

/** Shapes on a grid of 16: each means one thing without its colour. */
const SHAPES = {
    check: "M3 8.5 6.5 12 13 4.5",
    cross: "M4 4l8 8M12 4l-8 8",
    error: "M5.5 1.5h5l4 4v5l-4 4h-5l-4-4v-5zM8 4.5v4.2M8 11v.6",
    warning: "M8 1.8 15 14H1zM8 6v4M8 11.8v.4",
    note: "M8 1.5a6.5 6.5 0 1 0 .01 0M8 7v4.5M8 4.4v.4",
    remove: "M5 5l6 6M11 5l-6 6",
};

export type Shape = keyof typeof SHAPES;

/** Draws a shape. Hidden from screen readers, so a word belongs next to it. */
export function icon(shape: Shape): SVGSVGElement {
    const make = (tag: string, attributes: Record<string, string>): Element => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
        Object.entries(attributes).forEach(([name, value]) => made.setAttribute(name, value));
        return made;
    };
    const made = make("svg", { "class": `icon ${shape}`, "viewBox": "0 0 16 16", "aria-hidden": "true" }) as SVGSVGElement;
    made.append(make("path", { d: SHAPES[shape] }));
    return made;
}

/** Renders backticks as code. */
export function prose(sentence: string): Child[] {
    return sentence.split("`").map((part, at) => (at % 2 === 0 ? part : el("code", {}, part)));
}

/** Makes a sentence of a message, which starts in lower case and has no full stop. */
export function sentence(message: string): string {
    const text = message.trim();
    return text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.?!]”?$/.test(text) ? "" : ".");
}

export function plural(count: number, one: string, many = `${one}s`): string {
    return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Groups items by a key, in the order of the first of each group. */
export function grouped<T>(items: readonly T[], key: (item: T, at: number) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    items.forEach((item, at) => {
        const group = groups.get(key(item, at)) ?? [];
        group.push(item);
        groups.set(key(item, at), group);
    });
    return groups;
}

/** Creates a table. The first cell of each row is its heading. */
export function table(caption: string, headings: Child[], rows: Child[][]): HTMLElement {
    const head = el("tr", {}, ...headings.map((heading) => el("th", { scope: "col" }, heading)));
    const body = rows.map(([first, ...rest]) =>
        el("tr", {}, el("th", { scope: "row" }, first ?? ""), ...rest.map((cell) => el("td", {}, cell))),
    );
    const made = el("table", {}, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body));
    return scrolling(caption, made);
}

/** Lets content scroll by itself. Focusable, so the keyboard can scroll it. */
export function scrolling(ariaLabel: string, content: HTMLElement): HTMLElement {
    return el("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel }, content);
}

/** Lists names, with all but the first few collapsed. */
export function names(all: readonly string[], seen = 6): Child {
    if (all.length <= seen + 1) {
        return all.join(", ");
    }
    const rest = el("summary", {}, `${all.slice(0, seen).join(", ")} and ${all.length - seen} more`);
    return el("details", { className: "names" }, rest, all.slice(seen).join(", "));
}

/** Joins names as in a sentence: "A, B and C". */
export function listed(all: readonly string[], seen = 4): string {
    const shown = all.length > seen + 1 ? [...all.slice(0, seen), `${all.length - seen} more`] : [...all];
    const last = shown.pop() ?? "";
    return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

/** Reads a file as UTF-8. Other bytes become U+FFFD. */
export async function textOfFile(file: Blob): Promise<string> {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Passes on a file chosen with the button or dropped on the zone. */
export function onFile(opener: HTMLElement, input: HTMLInputElement, zone: HTMLElement, use: (file: File) => void): void {
    const first = (files: FileList | null | undefined): void => {
        if (files?.[0] !== undefined) {
            use(files[0]);
        }
    };
    opener.addEventListener("click", () => input.click());
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
