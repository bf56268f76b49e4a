// Questions and answers about a page: the head of its response and elements of its HTML, as the owner's module takes them.

import type { Explanation } from "./answers.js";
import { type Bytes, type Check, type Checks, COUNT, FLAG, isObject, isUrl, required, STRING, STRINGS, type Target, type Text, textOf } from "./argument.js";
import { ArgumentError } from "./errors.js";
import { READING, type Reading } from "./question.js";

/** A response, such as one of `fetch` or of an HTTP library. */
export interface PageResponse {
    /** The status, such as 200. */
    readonly status: number;
    /**
     * The header fields: a `Headers`, pairs, or an object with a string or a list of strings for each name. A `Headers`
     * joins fields of one name with commas. Pass pairs if your library has them, because a crawler's name in
     * `X-Robots-Tag` is for the rest of its field only.
     */
    readonly headers?: Iterable<readonly [string, string]> | Readonly<Record<string, string | readonly string[] | undefined>>;
    /** Whether redirects were followed. Then the response is for `url`, and not for the requested URL. */
    readonly redirected?: boolean;
    /** The URL of the response. */
    readonly url?: string;
}

/** The place of an element. */
export interface PagePlace {
    /** The line in the HTML, counted from 1, or 0 if it is not known. @default 0 */
    readonly line?: number;
    /** Whether it is in the head of the page. Only Google's crawlers obey directives elsewhere. @default true */
    readonly inHead?: boolean;
}

/** A `meta` element, such as an `HTMLMetaElement`. */
export interface PageMeta extends PagePlace {
    /** Its attribute `name`. */
    readonly name: string;
    /** Its attribute `content`. */
    readonly content: string;
}

/** A `link` element, such as an `HTMLLinkElement`. */
export interface PageLink extends PagePlace {
    /** Its attribute `rel`. */
    readonly rel: string;
    /** Its attribute `href`, resolved if the page has a `base` element. */
    readonly href: string;
}

/** A page and its crawlers. Without a dialect, each known crawler is judged as its operator reads. */
export interface PageQuestion extends Reading {
    /** The URL of the page, absolute or as a path that starts with `/`. */
    url: Target;
    /** Names as `verger check -a` takes them: `gptbot`, `ExampleBot`, `@ai-train`. @default ["*"] */
    agents?: readonly string[];
    /**
     * The response: its head as `curl --include` prints it, or an object. Without it, the status is 200. Without head and
     * elements, the page counts as not fetched.
     */
    head?: Bytes | PageResponse;
    /**
     * The `meta` elements of the page. Elements in `noscript` do not count. Without `metas` and `links`, the HTML counts as
     * not given, so the state of an HTML page is unknown unless a header decides. Pass `[]` for HTML without elements.
     */
    metas?: readonly PageMeta[];
    /** The `link` elements of the page. */
    links?: readonly PageLink[];
    /** Whether only the start of the HTML was read, so elements may be missing. @default false */
    isCut?: boolean;
    /** The time at which dates of `unavailable_after` are compared. @default new Date() */
    at?: Date;
}

/** A directive of a page. */
export interface PageDirective {
    /** Its name in lower case, such as `noindex`. */
    name: string;
    /** Its value as written, or null. */
    value: string | null;
    /** The crawler that it names, or `*`. */
    agent: string;
    /** The kind of place. */
    source: "x-robots-tag" | "robots-tag" | "meta";
    /** The line of the response head or of the HTML, counted from 1, or null if it is not known. */
    line: number | null;
    /** Whether this crawler sees and obeys it. */
    applies: boolean;
}

/** A statement about uses of a page that is recorded and has no effect on the answer. */
export interface RecordedValue {
    /** Its name, such as `tdm-reservation`, `content-usage` or `license`. */
    name: string;
    /** Its value as written. */
    value: string;
    /** The kind of place. */
    source: "header" | "meta" | "link";
    /** The line, as in `PageDirective`. */
    line: number | null;
}

/** A probable mistake in the directives of a page. */
export interface PageFinding {
    /** The name of the lint. */
    code: string;
    /** How severe it is. */
    severity: "note" | "warning" | "error";
    /** A sentence that names the mistake. */
    message: string;
    /** What to do. */
    help: string;
    /** The kind of place, or null for the page as a whole. */
    source: "x-robots-tag" | "robots-tag" | "meta" | "link" | "header" | null;
    /** The line of the response head or of the HTML, counted from 1, or null. */
    line: number | null;
}

/** Whether a crawler may index a page, and why. */
export interface PageAnswer {
    /** `unseen`: robots.txt disallows the page, so its directives are not seen, and its URL may be listed without text. */
    state: "indexable" | "not-indexed" | "unseen" | "unknown";
    /** Whether the page may be indexed, or null if it is unseen or unknown. */
    indexable: boolean | null;
    /** The kind of reason. */
    reason: "robots-txt" | "robots-txt-unknown" | "not-fetched" | "fetch-failed" | "status" | "redirect" | "directive" | "no-directive" | "page-cut" | "html-not-given" | "html-compressed";
    /** The reason, with the header field or element and its line. */
    because: string;
    /** The status of the response, or null. */
    status: number | null;
    /** The target of a redirect as written, or null. */
    location: string | null;
    /** The convention in which directives were read: Google's documentation, or draft-illyes-repext. */
    convention: "google" | "repext";
    /** The state in the other convention if it differs, or null. */
    otherwise: PageAnswer["state"] | null;
    /** The maximum length of an excerpt in characters, or null without a limit. */
    maxSnippet: number | null;
    /** Use as input of answers by models. `snippet`: no more than the excerpt. */
    aiInput: "no" | "snippet" | "unstated";
    /** Use for training, as `aiInput`. */
    aiTrain: "no" | "snippet" | "unstated";
    /** The directives of the page. */
    directives: PageDirective[];
    /** Statements about uses that are recorded and never judged. */
    recorded: RecordedValue[];
    /** Probable mistakes. */
    findings: PageFinding[];
}

/** The verdict of robots.txt about a page, and whether the page may be indexed. Its JSON is a line of `verger.check/1`. */
export interface PageLine extends Omit<Explanation, "candidates" | "otherDialects"> {
    /** Whether the crawler may index the page. It never changes the verdict. */
    page: PageAnswer;
}

const isBytes = (value: unknown): boolean => STRING[0](value) || ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
const TARGET: Check = [(value) => isBytes(value) || isUrl(value), "a URL or a path"];
const HEAD: Check = [(value) => isBytes(value) || isObject(value), "the head of a response, or an object with `status` and `headers`"];
const STATUS: Check = [(value) => COUNT[0](value) && (value as number) >= 200 && (value as number) <= 999, "a final status, such as 200"];
const FIELD: Check = [(value) => STRING[0](value) && !/[\r\n]/.test(value as string), "a string without line ends"];
const TIME: Check = [(value) => value instanceof Date && value.getTime() >= 0, "a Date from 1970 on"];

function elements(...names: readonly string[]): Check {
    const isElement = (it: unknown): boolean =>
        isObject(it) && names.every((name) => STRING[0](it[name])) && COUNT[0](it["line"] ?? 0) && typeof (it["inHead"] ?? true) === "boolean";
    return [(value) => Array.isArray(value) && value.every(isElement), `an array of objects with ${names.map((name) => `\`${name}\``).join(" and ")}`];
}

export const PAGE: Checks<PageQuestion> = {
    ...READING, url: TARGET, agents: STRINGS, head: HEAD, metas: elements("name", "content"), links: elements("rel", "href"), isCut: FLAG, at: TIME,
};

/** Maximum line number that the module takes. */
const LINE_MAX = 0xffff_ffff;

/** Returns elements as the module takes them: whether it is a link, its two attributes, line, and place. */
export function elementsOf({ metas, links }: PageQuestion): unknown[] | undefined {
    return metas === undefined && links === undefined ? undefined : listOf(metas ?? [], links ?? []);
}

function listOf(metas: readonly PageMeta[], links: readonly PageLink[]): unknown[] {
    const place = ({ line = 0, inHead = true }: PagePlace): unknown[] => [Math.min(line, LINE_MAX), inHead];
    const ofMetas = metas.map((meta) => [false, meta.name, meta.content, ...place(meta)]);
    return [...ofMetas, ...links.map((link) => [true, link.rel, link.href, ...place(link)])];
}

/** Returns a head as text. */
export function headOf(head: Bytes | PageResponse, target: Text): Text {
    if (isBytes(head)) {
        return textOf(head, "head");
    }
    const { status, headers = [], redirected, url } = head as PageResponse;
    required("head.status", status, STATUS, "page");
    if (redirected === true && url !== target) {
        throw new ArgumentError("page: redirects were followed, so the response is for another URL. Ask about `response.url`, or fetch with `redirect: \"manual\"`", "head");
    }
    const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
    const lines = entries.flatMap(([name, values = []]) => [values].flat().map((value) => {
        required("head.headers", name, FIELD, "page");
        required("head.headers", value, FIELD, "page");
        return `${name}: ${value}\n`;
    }));
    return `HTTP/1.1 ${status}\n${lines.join("")}`;
}
