// The access machine in the `whole` module. The module keeps no state of a fetch. State goes in and out as a snapshot,
// which stores keep unchanged.

import { whole } from "#whole";
import type { BodyLimit, BodyWarning, CommandAnswer, CrawlerTokens, DialectVerdict, Json } from "./answers.js";
import { plainOf, typedOf } from "./answers.js";
import { type UrlLike, urlOf } from "./argument.js";
import { InternalError } from "./errors.js";

/** An access profile, described in docs/profiles.md. */
export type Profile = "rfc9309" | "google" | "google-2023" | "draft2019" | "koster1996" | "cautious";

/** How an authority is treated: by its rules, fully allowed or disallowed, by an older copy, or not for now. */
export type Stance = "rules" | "open" | "closed" | "copy" | "defer";

/** Why a response is missing or incomplete. */
export type TransportFailure =
    | "address-refused"
    | "chunking"
    | "connect"
    | "content-encoding"
    | "dns"
    | "protocol"
    | "reset"
    | "timeout"
    | "tls"
    | "truncated";

/** Names and values of headers as received. Each character of a value is one byte. */
export type Fields = readonly (readonly [string, string])[];

/** A response, of which a transport has read as much of the body as matters. */
export interface ResponseArrival {
    /** The status code. */
    status: number;
    /** The headers. */
    headers: Fields;
    /** The decoded body. */
    body: Uint8Array;
    /** Whether the rest of the body was not read. */
    isCut: boolean;
}

/** A response that is missing or incomplete. */
export interface FailureArrival {
    /** Why it is missing. */
    failure: TransportFailure;
    /** A sentence for readers. */
    detail: string;
}

/** A file that was read over FTP. */
export interface FtpFileArrival {
    /** The file. */
    ftpFile: Uint8Array;
    /** Whether the rest of the file was not read. */
    isCut: boolean;
}

/** A reply of an FTP server that ends a request. */
export interface FtpReplyArrival {
    /** The reply code. */
    ftpReply: number;
}

/** The outcome of a request. */
export type Arrival = ResponseArrival | FailureArrival | FtpFileArrival | FtpReplyArrival;

/** What happened to a robots.txt. */
export interface AccessResult {
    /** The kind of result, by RFC 9309. */
    result: "successful" | "unavailable" | "unreachable";
    /** A sentence that says what happened. */
    what: string;
    /** The id of the clause that defines the result. */
    clause: string;
}

/** The state of an authority. */
export interface AccessState {
    /** The access profile. */
    profile: Profile;
    /** How the authority is treated, or null if nothing is known. */
    stance: Stance | null;
    /** The result of the last fetch, or null. */
    accessResult: AccessResult | null;
    /** The id of the clause that defines this stance. */
    clause: string | null;
    /** Whether an override answers in place of the site. Always false here. */
    overridden: boolean;
    /** Names the missing facts, if too little is known. */
    missing: string | null;
    /** The first second in which the answer may change, in RFC 3339. */
    freshUntil: string | null;
    /** When to fetch the robots.txt again, in RFC 3339. */
    askAgainAt: string | null;
    /** When the last fetch ended, in RFC 3339. */
    seenAt: string | null;
    /** When the last good body was last confirmed, in RFC 3339. */
    bodySeenAt: string | null;
    /** Always null, because stores of this package do not number snapshots. */
    snapshot: number | null;
    /** Why the result was not stored. */
    notKept: string | null;
    /** The SHA-256 of the body whose rules decide. */
    bodySha256: string | null;
}

/** The state of an authority under a profile. */
export interface Answer extends AccessState {
    /** The scheme, host and port. */
    authority: string;
    /** The URL of the robots.txt. */
    robotsUrl: string;
    /** The dialect of the profile. */
    dialect: DialectVerdict["dialect"];
    /** When to fetch the robots.txt again, in milliseconds since 1970. */
    dueAt: number;
    /** When the answer may change, in milliseconds since 1970. */
    holdsUntil: number;
    /** Whether the rules of a body decide. */
    hasBody: boolean;
}

/** An answer about a URL. Its JSON is `verger.check/1`, as the command prints it for an authority. */
export interface Check extends Omit<DialectVerdict, "reason">, AccessState, CommandAnswer {
    /** The crawler as given. */
    agent: string;
    /** The crawler as it was looked up. */
    crawler: CrawlerTokens;
    /** The URL as given. */
    url: string;
    /** The reason of the verdict. `stance` if no rules decide, `unknown` if nothing is known. */
    reason: DialectVerdict["reason"] | "stance" | "unknown";
    /** The path and query that a client sends, if they differ from the URL. */
    sentAs: string | null;
    /** The line of the `*` group that the crawler ignores, or null. */
    ignoredStar: number | null;
    /** The size limit, if the answer depends on it. */
    bodyLimit: BodyLimit | null;
    /** Warnings about the body. */
    warnings: BodyWarning[];
}

/** The authority of a URL. */
export interface Located {
    /** The scheme, host and port. */
    authority: string;
    /** The URL of its robots.txt. */
    robotsUrl: string;
    /** The scheme. */
    scheme: string;
}

/** Something unusual about a fetch. */
export interface Warning {
    /** The kind of warning, such as `not-text-plain`. */
    kind: string;
    /** A sentence for readers. */
    message: string;
    /** The id of the clause that applies. */
    clause: string;
}

/** The keys of the module's answer that the client reads. */
export interface AnswerJson extends Json {
    stance: Stance;
    seen_at: string | null;
    due_at: number;
    holds_until: number;
    has_body: boolean;
}

export interface Done {
    do: "done";
    record: string;
    body: "received" | "kept" | null;
    bytes: number;
    is_about_the_site: boolean;
    outcome: string;
    what: string;
    hops: { url: string; reply: string | null; status: number | null }[];
    warnings: Warning[];
}

export type Action = { do: "send"; url: string; headers: Fields } | { do: "ask"; url: string } | Done;

export type HopVerdict = "allowed" | "disallowed" | "unknown";

/** One step of a fetch so far. */
export type Event =
    | { kind: "response"; at: number; status: number; headers: Fields; is_cut: boolean }
    | { kind: "ftp-file"; at: number; is_cut: boolean }
    | { kind: "ftp-reply"; at: number; code: number }
    | { kind: "failure"; at: number; failure: TransportFailure }
    | { kind: "hop"; verdict: HopVerdict };

export interface Question {
    url: string;
    profile: Profile;
    agents: readonly string[];
    /** The crawler whose rules decided about redirect targets. Default: none. */
    known_for?: readonly string[];
    now: number;
    rest_is_up?: boolean;
}

/** The empty snapshot. */
export const NOTHING: Uint8Array = new Uint8Array();

const LINE_END = 0x0a;
const encoder = new TextEncoder();

/**
 * Returns the authority of a URL, and the URL of its robots.txt.
 *
 * @param url An absolute URL.
 * @throws {TargetError} if it is not one.
 */
export function authority(url: string | UrlLike): Located {
    return locate(urlOf(url), "");
}

/** Like `authority`, but throws if a client cannot request the URL. */
export function locate(url: string, profile: Profile | ""): Located {
    return plainOf(asked("access.authority", { url, profile }));
}

/** Returns the next action of a fetch. `body` belongs to the last event. */
export function step(
    question: Question & { events: readonly Event[]; jitter: number },
    snapshot: Uint8Array,
    body: Uint8Array,
): Action {
    return asked("access.fetch", question, snapshot, body);
}

/** Builds the snapshot after a fetch: one line of state, then the body. */
export function snapshotOf(done: Done, before: Uint8Array, body: Uint8Array): Uint8Array {
    const kept = done.body === "kept" ? before.subarray(before.indexOf(LINE_END) + 1) : body;
    const record = encoder.encode(done.record);
    const snapshot = new Uint8Array(record.length + 1 + done.bytes);
    snapshot.set(record);
    snapshot[record.length] = LINE_END;
    snapshot.set(kept.subarray(0, done.bytes), record.length + 1);
    return snapshot;
}

export function bodyOf(snapshot: Uint8Array): Uint8Array {
    return snapshot.subarray(snapshot.indexOf(LINE_END) + 1);
}

export function answerOf(question: Question, snapshot: Uint8Array): AnswerJson {
    return asked("access.answer", question, snapshot);
}

export function hopVerdict(question: Question, snapshot: Uint8Array): HopVerdict {
    return asked("access.hop", question, snapshot);
}

/**
 * Returns the answer about a URL. The module caches recent answers by `key`, so the snapshot is passed only on a miss.
 */
export function checkOf(
    question: Question & { key: number },
    snapshot: Uint8Array,
): { check: Json; delay_milliseconds: number } {
    type Checked = { check: Json; delay_milliseconds: number } | null;
    const checked = asked<Checked>("access.check", question) ?? asked<Checked>("access.check", question, snapshot);
    if (checked === null) {
        throw new InternalError("the module returned no answer for a snapshot");
    }
    return checked;
}

/** Returns why an address must not be connected to, or null if it may. */
export function refusalOf(address: string, allow: readonly string[], refuse: readonly string[]): string | null {
    return asked("access.address", { address, allow, refuse });
}

/** A choice of a profile in one situation. */
export interface ProfileChoice {
    /** The situation. */
    what: string;
    /** The choice of the profile. */
    chosen: string;
    /** The id of the clause, or null. */
    clause: string | null;
}

/** An access profile and its choices. Its JSON is a line of `verger.profile/1`. */
export interface ProfileLine extends CommandAnswer {
    /** The name of the profile. */
    name: Profile;
    /** The dialect in which it reads. */
    dialect: DialectVerdict["dialect"];
    /** Its choices. */
    choices: ProfileChoice[];
}

/** Returns the access profiles with their choices and clauses. */
export function profiles(): ProfileLine[] {
    return asked<Json[]>("access.profiles", {}).map((line) => typedOf(line));
}

function asked<T>(name: string, question: object, ...bytes: Uint8Array[]): T {
    return JSON.parse(whole.call(name, question, ...bytes)) as T;
}
