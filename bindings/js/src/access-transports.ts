// Transports: send one request without following redirects, and report the outcome.

import { AddressGuard, AddressRefusedError, connector, type UndiciConnector } from "./access-guard.js";
import type { Arrival, Fields, TransportFailure } from "./access-answers.js";
import { CALL, type Check, type Checks, OBJECT, optionsOf, required, withMethods } from "./argument.js";
import { concatenated } from "./bytes.js";
import { ArgumentError, VergerError } from "./errors.js";
import { inTime } from "./limit.js";
import { encodingCanBeRefused, refuseHidden } from "./platform.js";

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
    required("fetch", fetch, CALL, "fetchTransport");
    const init: RequestInit = { ...optionsOf("fetchTransport", options, FETCH).init, method: "GET" };
    try {
        // Fail here if an option is invalid, because at a request it would look like a failure of the site.
        new Request("https://example.com/", init);
    } catch (error) {
        throw new ArgumentError(`fetchTransport: \`init\` is invalid: ${(error as Error).message}`, "init");
    }
    return overHttp(async (request) => {
        const headers = new Headers(init.headers);
        for (const [name, value] of [...requestHeaders("identity"), ...request.headers]) {
            headers.set(name, value);
        }
        const given: RequestInit = { ...init, redirect: "manual", cache: "no-store", headers, signal: request.signal };
        const response = await fetch(request.url, given);
        required("fetch()", response, RESPONSE, "fetchTransport");
        refuseHidden(request.url, response);
        const fields = [...response.headers];
        const encoding = encodingsOf(fields).join(", ");
        const odd = response.ok && encoding !== "" && encodingCanBeRefused()
            ? failure("content-encoding", `the body has the encoding ${encoding}, which was not requested`)
            : oddFraming(request.url, response.status, fields, false);
        if (odd !== undefined) {
            await response.body?.cancel();
            return odd;
        }
        return arrived(response.status, fields, response.body ?? empty(), request);
    });
}

/** Adds to a sender of HTTP requests how failures are reported. */
function overHttp(send: Transport): Transport {
    return async (request) => {
        const { protocol } = new URL(request.url);
        if (protocol !== "http:" && protocol !== "https:") {
            return failure("address-refused", `this transport does not support ${protocol}`);
        }
        try {
            return await send(request);
        } catch (error) {
            return failed(error);
        }
    };
}

const failure = (kind: TransportFailure, detail: string): Arrival => ({ failure: kind, detail });

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
    required("undici", undici, withMethods("Agent", "request", "buildConnector"), "undiciTransport");
    const { guard = new AddressGuard(), connect, dispatcher: given } = optionsOf("undiciTransport", options, UNDICI);
    const own = { connect: connector(undici, guard, connect), maxHeaderSize: HEAD_BYTES_MAX, allowH2: false };
    const dispatcher = given ?? new undici.Agent(own);
    return overHttp(async (request) => {
        const encodings = await decoders();
        const headers = [...requestHeaders(Object.keys(encodings).join(", ")), ...request.headers];
        const { statusCode, headers: raw, body } = await undici.request(request.url, {
            dispatcher,
            method: "GET",
            headers: headers.flat(),
            responseHeaders: "raw",
            signal: request.signal,
            headersTimeout: 0,
            bodyTimeout: 0,
        });
        // The rest of the body is not read, so its error does not matter.
        body.on("error", () => {});
        try {
            const fields = rawFields(raw);
            const odd = oddFraming(request.url, statusCode, fields, given === undefined);
            return odd ?? (await arrived(statusCode, fields, decodedBody(body, encodingsOf(fields), encodings), request));
        } finally {
            body.destroy();
        }
    });
}

const HEAD_BYTES_MAX = 64 << 10;

const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/**
 * Reads as much of the body as matters: a file, part of a 5xx page that may say "not found" (G-5xx-6), and nothing of
 * other pages. The status of a page counts even if the page fails or is late.
 */
async function arrived(
    status: number,
    headers: Fields,
    body: AsyncIterable<Uint8Array>,
    { maxBytes, pageTimeout }: TransportRequest,
): Promise<Arrival> {
    const parts: Uint8Array[] = [];
    const iterator = body[Symbol.asyncIterator]();
    let isCut = false;
    if (isSuccess(status)) {
        isCut = await read(iterator, maxBytes, parts);
    } else if (status >= 500 && status <= 599 && status !== 503 && valuesOf(headers, "retry-after").length === 0) {
        await inTime(pageTimeout, read(iterator, maxBytes, parts)).catch(() => {});
    }
    void iterator.return?.().catch(() => {});
    return { status, headers, body: concatenated(parts, maxBytes), isCut };
}

/** Reads the parts of a body up to a number of bytes. Returns whether the rest was not read. */
async function read(body: AsyncIterator<Uint8Array>, max: number, parts: Uint8Array[]): Promise<boolean> {
    for (let bytes = 0; bytes < max; bytes += parts.at(-1)!.length) {
        const next = await body.next();
        if (next.done === true) {
            return false;
        }
        parts.push(next.value);
    }
    return true;
}

async function* empty(): AsyncGenerator<Uint8Array> {}

function requestHeaders(encodings: string): [string, string][] {
    return [
        ["accept", "text/plain, */*;q=0.8"],
        ["accept-encoding", encodings],
    ];
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
 * Detects a response that is not the site's, and bodies whose end is uncertain: transfer codings that Node ignores, or
 * TLS without a length, because Node does not report an interrupted connection. `isDirect` is whether no proxy is used.
 */
function oddFraming(url: string, status: number, headers: Fields, isDirect: boolean): Arrival | undefined {
    if (!isSuccess(status)) {
        // A 407 comes from a proxy, not from the site (RFC 9110 15.5.8).
        return status === 407 && !isDirect ? failure("connect", "a proxy requires a user name and password (407)") : undefined;
    }
    const codings = valuesOf(headers, "transfer-encoding");
    if (codings.length > 1 || codings.some((coding) => coding.trim().toLowerCase() !== "chunked")) {
        return failure("protocol", `unsupported transfer coding: ${codings.join(", ")}`);
    }
    const hasEnd = codings.length > 0 || valuesOf(headers, "content-length").length > 0;
    return hasEnd || !isDirect || !url.startsWith("https:") ? undefined : failure("truncated", "the body has no length, so it may be truncated");
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
        return failure("address-refused", detail);
    }
    if (has(EncodingError)) {
        return failure("content-encoding", detail);
    }
    const codes = causes.map((cause) => String((cause as { code?: unknown } | undefined)?.code ?? ""));
    const known = FAILURES.find(([pattern]) => codes.some((code) => pattern.test(code)));
    return failure(known?.[1] ?? "protocol", detail);
}
