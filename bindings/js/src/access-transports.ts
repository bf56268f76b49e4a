// Transports: send one request without following redirects, and report the outcome.

import { AddressGuard, AddressRefusedError, connector, type UndiciConnector } from "./access-guard.js";
import type { Arrival, Fields, TransportFailure } from "./access-machine.js";
import { CALL, type Check, type Checks, OBJECT, optionsOf, required, withMethods } from "./argument.js";
import { ArgumentError, VergerError } from "./errors.js";

/** A request of a client. */
export interface TransportRequest {
    /** The URL. */
    url: string;
    /** Headers to send: `User-Agent`, and those of a conditional request. */
    headers: Fields;
    /** The number of decoded body bytes after which the rest is not needed. */
    maxBytes: number;
    /** Aborts the request when its time is up. */
    signal: AbortSignal;
    /** Milliseconds to wait for the body of an error page, so its status arrives before the deadline. */
    pageTimeout: number;
}

/**
 * Sends one request. Resolves with a `failure` if the response is missing or incomplete. Throws if the cause is
 * unrelated to the site, which the client reports as an `ArgumentError` with that `cause`.
 */
export type Transport = (request: TransportRequest) => Promise<Arrival>;

/**
 * The error if the platform hides redirect targets, as browsers do, so RFC 9309 cannot be followed. This is not a fact
 * about the site, so nothing is cached.
 */
export class RedirectHiddenError extends VergerError {
    /** Always `RedirectHiddenError`. */
    override readonly name = "RedirectHiddenError";
    /** Always `VERGER_REDIRECT_HIDDEN`. */
    override readonly code = "VERGER_REDIRECT_HIDDEN";
}

/** The options of `fetchTransport`. */
export interface FetchTransportOptions {
    /**
     * Further options for `fetch`, such as `dispatcher` in Node. The method is always GET, and headers of the client
     * take precedence.
     *
     * @default {}
     */
    init?: object;
}

const FETCH: Checks<FetchTransportOptions> = { init: OBJECT };
const RESPONSE: Check = [(value) => typeof (value as Response | null | undefined)?.headers?.get === "function", "a Response"];

/**
 * Returns a transport that uses `fetch`. It has no address guard, unlike `undiciTransport`.
 *
 * It requests bodies without compression, because platforms do not report a truncated compressed body. If the platform
 * allows that and a compressed body arrives anyway, the request fails.
 *
 * @param fetch The function to use.
 * @param options Further options for `fetch`.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function fetchTransport(fetch: typeof globalThis.fetch = globalThis.fetch, options?: FetchTransportOptions): Transport {
    required("fetchTransport", "fetch", fetch, CALL);
    const init: RequestInit = { ...optionsOf("fetchTransport", options, FETCH).init, method: "GET" };
    try {
        // Fail here if an option is invalid, because at a request it would look like a failure of the site.
        new Request("https://example.com/", init);
    } catch (error) {
        throw new ArgumentError(`fetchTransport: \`init\` is invalid: ${(error as Error).message}`, "init");
    }
    return async (request) => {
        const refused = refusedScheme(request.url);
        if (refused !== undefined) {
            return refused;
        }
        try {
            const headers = new Headers(init.headers);
            for (const [name, value] of [...requestHeaders("identity"), ...request.headers]) {
                headers.set(name, value);
            }
            const given: RequestInit = { ...init, redirect: "manual", cache: "no-store", headers, signal: request.signal };
            const response = await fetch(request.url, given);
            required("fetchTransport", "fetch()", response, RESPONSE);
            if (response.type === "opaqueredirect") {
                throw new RedirectHiddenError(
                    `${request.url} redirects, but this platform hides the target. Query from a server instead`,
                );
            }
            const encoding = encodingsOf([...response.headers]).join(", ");
            if (response.ok && encoding !== "" && encodingCanBeRefused()) {
                await response.body?.cancel();
                return { failure: "content-encoding", detail: `the body has the encoding ${encoding}, which was not requested` };
            }
            const fields = [...response.headers];
            const odd = response.ok ? oddFraming(fields, false) : refusedByProxy(response.status);
            if (odd !== undefined) {
                await response.body?.cancel();
                return odd;
            }
            return await arrived(response.status, fields, response.body ?? empty(), request);
        } catch (error) {
            return failed(error);
        }
    };
}

/** The part of undici's response that `undiciTransport` uses. */
export interface UndiciResponse {
    /** The status code. */
    statusCode: number;
    /** The headers. */
    headers: unknown;
    /** The body, a stream. */
    body: AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown; on(event: "error", listener: () => void): unknown };
}

/** The part of undici that `undiciTransport` uses. */
export interface Undici extends UndiciConnector {
    /** The class `Agent` of undici. */
    Agent: new (options: object) => object;
    /** Sends a request, as in undici. */
    request(url: string, options: object): Promise<UndiciResponse>;
}

/** The options of `undiciTransport`. */
export interface UndiciTransportOptions {
    /**
     * Decides which addresses may be connected to. The default permits only public ones.
     *
     * @default new AddressGuard()
     */
    guard?: AddressGuard;
    /** Options of undici's connector, such as `ca`. */
    connect?: object;
    /** Replaces the guarded `Agent`. It connects by its own rules. */
    dispatcher?: object;
}

const UNDICI: Checks<UndiciTransportOptions> = { guard: withMethods("refusalOfHost"), connect: OBJECT, dispatcher: withMethods("dispatch") };

/**
 * Returns a transport that uses undici from npm (`import * as undici from "undici"`). It guards addresses, and
 * decompresses bodies itself, so it notices truncated ones.
 *
 * @param undici The module `undici`.
 * @param options The guard, and how to connect.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function undiciTransport(undici: Undici, options?: UndiciTransportOptions): Transport {
    required("undiciTransport", "undici", undici, withMethods("Agent", "request", "buildConnector"));
    const { guard = new AddressGuard(), connect, dispatcher: given } = optionsOf("undiciTransport", options, UNDICI);
    const own = { connect: connector(undici, guard, connect), maxHeaderSize: HEAD_BYTES_MAX, allowH2: false };
    const dispatcher = given ?? new undici.Agent(own);
    return async (request) => {
        const refused = refusedScheme(request.url);
        if (refused !== undefined) {
            return refused;
        }
        try {
            const encodings = await decoders();
            const headers = [...requestHeaders(Object.keys(encodings).join(", ")), ...request.headers];
            const response = await undici.request(request.url, {
                dispatcher,
                method: "GET",
                headers: headers.flat(),
                responseHeaders: "raw",
                signal: request.signal,
                headersTimeout: 0,
                bodyTimeout: 0,
            });
            // The rest of the body is not read, so its error does not matter.
            response.body.on("error", () => {});
            try {
                const fields = rawFields(response.headers);
                const refusal = given === undefined ? undefined : refusedByProxy(response.statusCode);
                if (refusal !== undefined) {
                    return refusal;
                }
                const odd = oddFraming(fields, given === undefined && request.url.startsWith("https:"));
                if (odd !== undefined && response.statusCode >= 200 && response.statusCode <= 299) {
                    return odd;
                }
                const decoded = decodedBody(response.body, encodingsOf(fields), encodings);
                return await arrived(response.statusCode, fields, decoded, request);
            } finally {
                response.body.destroy();
            }
        } catch (error) {
            return failed(error);
        }
    };
}

const HEAD_BYTES_MAX = 64 << 10;

/**
 * Reads as much of the body as matters: a file, part of a 5xx page that may say "not found" (G-5xx-6), and nothing of
 * other pages.
 */
async function arrived(
    status: number,
    headers: Fields,
    body: AsyncIterable<Uint8Array>,
    request: TransportRequest,
): Promise<Arrival> {
    if (status >= 200 && status <= 299) {
        return { status, headers, ...(await readBody(body, request.maxBytes)) };
    }
    const asksForPause = valuesOf(headers, "retry-after").length > 0;
    const iterator = body[Symbol.asyncIterator]();
    let page = new Uint8Array();
    if (status >= 500 && status <= 599 && status !== 503 && !asksForPause) {
        page = await pageOf(iterator, request);
    }
    void iterator.return?.().catch(() => {});
    return { status, headers, body: page, isCut: false };
}

async function readBody(body: AsyncIterable<Uint8Array>, max: number): Promise<{ body: Uint8Array; isCut: boolean }> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of body) {
        parts.push(part);
        bytes += part.length;
        if (bytes >= max) {
            return { body: joined(parts, max), isCut: true };
        }
    }
    return { body: joined(parts, bytes), isCut: false };
}

/** Reads as much of an error page as arrives in time. The status counts even if the page fails. */
async function pageOf(body: AsyncIterator<Uint8Array>, request: TransportRequest): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
        timer = setTimeout(() => resolve(), request.pageTimeout);
    });
    const read = async (): Promise<void> => {
        while (bytes < request.maxBytes) {
            const next = await body.next();
            if (next.done === true) {
                return;
            }
            parts.push(next.value);
            bytes += next.value.length;
        }
    };
    await Promise.race([read().catch(() => {}), late]);
    clearTimeout(timer);
    return joined(parts, Math.min(bytes, request.maxBytes));
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
        const taken = part.subarray(0, length - at);
        all.set(taken, at);
        at += taken.length;
    }
    return all;
}

async function* empty(): AsyncGenerator<Uint8Array> {}

function requestHeaders(encodings: string): [string, string][] {
    return [
        ["accept", "text/plain, */*;q=0.8"],
        ["accept-encoding", encodings],
    ];
}

/** Browsers and Cloudflare Workers set `Accept-Encoding` themselves. */
function encodingCanBeRefused(): boolean {
    return globalThis.navigator?.userAgent !== "Cloudflare-Workers" && !isBrowser();
}

/** Whether the platform forbids some headers, as browsers do. There, `User-Agent` would cause a preflight request. */
export function isBrowser(): boolean {
    if (typeof Request === "undefined" || globalThis.navigator?.userAgent === "Cloudflare-Workers") {
        return false;
    }
    return !new Request("https://example.com/", { headers: { "accept-encoding": "identity" } }).headers.has("accept-encoding");
}

function refusedScheme(url: string): Arrival | undefined {
    const { protocol } = new URL(url);
    if (protocol === "http:" || protocol === "https:") {
        return undefined;
    }
    return { failure: "address-refused", detail: `this transport does not support ${protocol}` };
}

/** A 407 comes from a proxy, not from the site (RFC 9110 15.5.8). */
function refusedByProxy(status: number): Arrival | undefined {
    return status === 407 ? { failure: "connect", detail: "a proxy requires a user name and password (407)" } : undefined;
}

function rawFields(headers: unknown): Fields {
    if (!Array.isArray(headers)) {
        const pairs = Object.entries(headers as Record<string, string | string[]>);
        return pairs.flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const));
    }
    const texts = headers.map((text: Uint8Array | string) => (typeof text === "string" ? text : latin1(text)));
    return texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ""] as const] : []));
}

function latin1(bytes: Uint8Array): string {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

function valuesOf(headers: Fields, name: string): string[] {
    return headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/**
 * Detects bodies whose end is uncertain: transfer codings that Node ignores, or TLS without a length, because Node does
 * not report an interrupted connection.
 */
function oddFraming(headers: Fields, isTls: boolean): Arrival | undefined {
    const codings = valuesOf(headers, "transfer-encoding");
    if (codings.length > 1 || codings.some((coding) => coding.trim().toLowerCase() !== "chunked")) {
        return { failure: "protocol", detail: `unsupported transfer coding: ${codings.join(", ")}` };
    }
    if (isTls && codings.length === 0 && valuesOf(headers, "content-length").length === 0) {
        return { failure: "truncated", detail: "the body has no length, so it may be truncated" };
    }
    return undefined;
}

function encodingsOf(headers: Fields): string[] {
    const names = valuesOf(headers, "content-encoding").join(",").split(",").map((name) => name.trim().toLowerCase());
    return names.filter((name) => CODINGS.includes(name));
}

/** The registered content codings. Any other word is ignored. V-95. */
const CODINGS = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "aes128gcm", "dcb", "dcz", "exi", "pack200-gzip"];

type Decoder = NodeJS.ReadWriteStream & AsyncIterable<Uint8Array> & { destroy(error?: Error): unknown };
type Decoders = Record<string, () => Decoder>;

/** Returns the decoders of this platform. */
async function decoders(): Promise<Decoders> {
    const zlib = (await import("node:zlib")) as typeof import("node:zlib") & { createZstdDecompress?: () => Decoder };
    const zstd = zlib.createZstdDecompress;
    return {
        gzip: () => zlib.createGunzip(),
        deflate: () => zlib.createInflate(),
        br: () => zlib.createBrotliDecompress(),
        ...(zstd === undefined ? {} : { zstd }),
    };
}

/** A body cannot be decoded. Never reaches a caller. */
class EncodingError extends Error {}

/** Undoes the encodings in reverse order, at most two. */
async function* decodedBody(
    body: AsyncIterable<Uint8Array>,
    encodings: readonly string[],
    known: Decoders,
): AsyncGenerator<Uint8Array> {
    if (encodings.length === 0) {
        yield* body;
        return;
    }
    const { Readable, pipeline } = await import("node:stream");
    const made = encodings.map((name) => known[name.replace(/^x-gzip$/, "gzip")]);
    if (encodings.length > 2 || made.some((make) => make === undefined)) {
        throw new EncodingError(`unsupported content encoding: ${encodings.join(", ")}`);
    }
    const streams = made.reverse().map((make) => make!());
    const source = Readable.from(body);
    const chain = [source, ...streams];
    let failure: Error | undefined;
    pipeline(chain as unknown as NodeJS.ReadWriteStream[], (error) => {
        failure = error ?? undefined;
    });
    try {
        yield* streams.at(-1)!;
    } catch (error) {
        const isOfSource = source.errored !== null && source.errored !== undefined;
        throw isOfSource ? source.errored : new EncodingError(String(failure ?? error), { cause: error });
    } finally {
        source.destroy();
    }
}

/** Maps error codes of Node, undici, Bun and Deno, including those of causes. */
const FAILURES: readonly (readonly [RegExp, TransportFailure])[] = [
    [/^(ENOTFOUND|EAI_)/, "dns"],
    [/^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO|UnableTo)/, "tls"],
    [/^(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ConnectionTimeout)/, "timeout"],
    [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDR|ConnectionRefused|FailedToOpenSocket)/, "connect"],
    [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ConnectionClosed)/, "reset"],
    [/^UND_ERR_(RES|REQ)_CONTENT_LENGTH/, "truncated"],
    [/^(Z_|ERR_BROTLI|ERR_ZSTD|ZlibError|BrotliDecompressionError)/, "content-encoding"],
    [/^(HPE_\w*CHUNK)/, "chunking"],
    [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, "protocol"],
];

function failed(error: unknown): Arrival {
    if (error instanceof VergerError && !(error instanceof AddressRefusedError)) {
        throw error;
    }
    const causes: unknown[] = [error];
    for (let cause = error; cause instanceof Error && causes.length < 8; cause = cause.cause) {
        causes.push(cause.cause, ...(cause instanceof AggregateError ? cause.errors.slice(0, 8) : []));
    }
    const detail = causes.filter((cause) => cause instanceof Error).map((cause) => cause.message).join(": ");
    const has = (kind: abstract new (...of: never[]) => unknown): boolean => causes.some((cause) => cause instanceof kind);
    if (has(AddressRefusedError)) {
        return { failure: "address-refused", detail };
    }
    if (has(EncodingError)) {
        return { failure: "content-encoding", detail };
    }
    const codes = causes.map((cause) => String((cause as { code?: unknown } | undefined)?.code ?? ""));
    const known = FAILURES.find(([pattern]) => codes.some((code) => pattern.test(code)));
    return { failure: known?.[1] ?? "protocol", detail };
}
