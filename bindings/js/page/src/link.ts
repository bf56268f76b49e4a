// Everything entered: as a link, compressed in the fragment, which browsers do not send, and in the tab's session.

export interface State {
    file: string;
    /** The new version, or null if nothing is compared. */
    second: string | null;
    /** One per line. */
    urls: string;
    /** Whether the URLs were entered, and not proposed. */
    isOwn: boolean;
    /** Names in the registry, sets, and product tokens. */
    crawlers: string[];
    /** The site as entered. */
    site: string;
    /** A dialect, or `operator`. */
    dialect: string;
    tab: string;
    /** The pasted page. A link does not contain it. */
    pageHead: string;
    pageHtml: string;
}

const PREFIX = "#1=";
const BYTES_MAX = 16 << 20;

/** Mail and chat programs cut longer links. */
export const LINK_MAX = 8_000;

const SESSION = "verger";

/** Keeps the state until the tab is closed. A state that is too large for that is not kept. */
export function keep(state: State): void {
    try {
        sessionStorage.setItem(SESSION, JSON.stringify(state));
    } catch {
        // The storage is full or forbidden.
    }
}

export function kept(): Partial<State> | undefined {
    try {
        const text = sessionStorage.getItem(SESSION);
        return text === null ? undefined : checked(JSON.parse(text));
    } catch {
        return undefined;
    }
}

export async function fragmentOf(state: State): Promise<string> {
    const compressed = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Decodes a fragment, or returns undefined if it has another form.
 *
 * @throws {Error} if the link is damaged.
 */
export async function stateOf(fragment: string): Promise<Partial<State> | undefined> {
    if (!fragment.startsWith(PREFIX)) {
        return undefined;
    }
    const text = atob(fragment.slice(PREFIX.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    const reader = stream.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
        length += read.value.length;
        if (length > BYTES_MAX) {
            await reader.cancel();
            throw new Error("its content is larger than 16 MiB");
        }
        chunks.push(read.value);
    }
    return checked(JSON.parse(await new Blob(chunks).text()));
}

/** Keeps the values of the expected types, because anyone can write a link. */
function checked(value: unknown): Partial<State> {
    const examples: State = { file: "", second: "", urls: "", isOwn: true, crawlers: [""], site: "", dialect: "", tab: "", pageHead: "", pageHtml: "" };
    const hasType = (given: unknown, example: unknown): boolean =>
        Array.isArray(example) ? Array.isArray(given) && given.every((one) => typeof one === typeof example[0]) : typeof given === typeof example;
    const given = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(given.filter(([key, it]) => Object.hasOwn(examples, key) && hasType(it, examples[key as keyof State])));
}
