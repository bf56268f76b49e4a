// A link that holds the file and the questions: compressed, in the fragment, which browsers do not send.

import type { Dialect } from "../../dist/index.js";

export interface State {
    file: string;
    /** The second file; null where none is compared. */
    second: string | null;
    urls: string;
    /** Names in the registry. */
    crawlers: string[];
    /** Product tokens beside them, one a line. */
    tokens: string;
    dialect: Dialect;
}

const PREFIX = "#1=";
const BYTES_MAX = 16 << 20;

/** The fragment that holds the state. */
export async function fragmentOf(state: State): Promise<string> {
    const compressed = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(compressed).arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 0x8000) {
        text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return PREFIX + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The state that a fragment holds; undefined where it holds none. A damaged link is an error. */
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
            throw new Error("what it holds is larger than 16 MiB");
        }
        chunks.push(read.value);
    }
    return checked(JSON.parse(await new Blob(chunks).text()));
}

/** What of it has the type that it must have: a link may be anyone's. */
function checked(value: unknown): Partial<State> {
    const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
    const state: Partial<State> = {};
    for (const key of ["file", "urls", "tokens"] as const) {
        if (typeof given[key] === "string") {
            state[key] = given[key];
        }
    }
    if (typeof given["second"] === "string") {
        state.second = given["second"];
    }
    if (typeof given["dialect"] === "string") {
        state.dialect = given["dialect"] as Dialect;
    }
    if (Array.isArray(given["crawlers"])) {
        state.crawlers = given["crawlers"].filter((name) => typeof name === "string");
    }
    return state;
}
