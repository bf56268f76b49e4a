// The access machine of the whole module. It keeps nothing of a fetch: what is known goes in and comes out as a
// snapshot, which stores keep as it is.

import { whole } from "#whole";
import type { VerdictKeys } from "./answers.js";
import { InternalError } from "./errors.js";

/** What follows from what happened: docs/profiles.md. */
export type Profile = "rfc9309" | "google" | "google-2023" | "draft2019" | "koster1996" | "cautious";

/** What decides about an authority. */
export type Stance = "rules" | "open" | "closed" | "copy" | "defer";

/** Why no complete reply came. */
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

/** Names and values of headers as sent; each character of a value stands for a byte. */
export type Fields = readonly (readonly [string, string])[];

/** What came of a request. */
export type Arrival =
    | { status: number; headers: Fields; body: Uint8Array; isCut: boolean }
    | { failure: TransportFailure; detail: string }
    | { ftpFile: Uint8Array; isCut: boolean }
    | { ftpReply: number };

/** What is known about an authority, with the keys that `check`, `fetch` and `store list` of the command share. */
export interface AccessKeys {
    profile: Profile;
    stance: Stance | null;
    access_result: { result: "successful" | "unavailable" | "unreachable"; what: string; clause: string } | null;
    /** The id of the clause that makes it this stance. */
    clause: string | null;
    missing: string | null;
    /** The first second in which the answer may be another one. */
    fresh_until: string | null;
    ask_again_at: string | null;
    seen_at: string | null;
    body_seen_at: string | null;
    snapshot: number | null;
    /** Why what was seen is in no store. */
    not_kept: string | null;
    body_sha256: string | null;
}

/** The answer of a profile about an authority. */
export interface Answer extends AccessKeys {
    authority: string;
    robots_url: string;
    dialect: NonNullable<VerdictKeys["dialect"]>;
    /** `ask_again_at` and `fresh_until` in seconds since 1970. */
    due_at: number;
    holds_until: number;
    has_body: boolean;
}

/** `verger.check/1` of docs/json.md, as the command writes it for an authority that was fetched. */
export interface CheckKeys extends Omit<VerdictKeys, "reason">, AccessKeys {
    schema: "verger.check/1";
    agent: string;
    url: string;
    /** As of a verdict; `stance` where no rules decide. */
    reason: VerdictKeys["reason"] | "stance" | "unknown";
    sent_as: string | null;
    [key: string]: unknown;
}

export interface Located {
    authority: string;
    robots_url: string;
    scheme: string;
}

/** What an operator should know about a file. */
export interface Warning {
    kind: string;
    message: string;
    clause: string;
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

/** What happened in a fetch so far. */
export type Event =
    | { kind: "response"; at: number; status: number; headers: Fields; is_cut: boolean }
    | { kind: "ftp-file"; at: number; is_cut: boolean }
    | { kind: "ftp-reply"; at: number; code: number }
    | { kind: "failure"; at: number; failure: TransportFailure }
    | { kind: "hop"; verdict: HopVerdict };

/** The crawler, the URL, and when. */
export interface Question {
    url: string;
    profile: Profile;
    agents: readonly string[];
    /** The crawler that fetches, by whose rules hops were decided. Default: none. */
    known_for?: readonly string[];
    now: number;
    rest_is_up?: boolean;
}

/** Nothing is known. */
export const NOTHING = new Uint8Array();

const LINE_END = 0x0a;
const encoder = new TextEncoder();

/** The authority of a URL, and the URL of its robots.txt. */
export function authority(url: string): Located {
    return locate(url, "");
}

/** The authority of a URL that a client can request. */
export function locate(url: string, profile: Profile | ""): Located {
    return asked("access.authority", { url, profile });
}

/** The next action of a fetch. `body` is that of the last event. */
export function step(
    question: Question & { events: readonly Event[]; jitter: number },
    snapshot: Uint8Array,
    body: Uint8Array,
): Action {
    return asked("access.fetch", question, snapshot, body);
}

/** The snapshot after a fetch: a line that the machine reads, and the body. */
export function snapshotOf(done: Done, before: Uint8Array, body: Uint8Array): Uint8Array {
    const kept = done.body === "kept" ? before.subarray(before.indexOf(LINE_END) + 1) : body;
    const record = encoder.encode(done.record);
    const snapshot = new Uint8Array(record.length + 1 + done.bytes);
    snapshot.set(record);
    snapshot[record.length] = LINE_END;
    snapshot.set(kept.subarray(0, done.bytes), record.length + 1);
    return snapshot;
}

/** The body in a snapshot. */
export function bodyOf(snapshot: Uint8Array): Uint8Array {
    return snapshot.subarray(snapshot.indexOf(LINE_END) + 1);
}

export function answerOf(question: Question, snapshot: Uint8Array): Answer {
    return asked("access.answer", question, snapshot);
}

export function hopVerdict(question: Question, snapshot: Uint8Array): HopVerdict {
    return asked("access.hop", question, snapshot);
}

/** What is said about a URL. The module remembers the last ones by their `key`, so that the snapshot goes in only
 * where it does not. */
export function checkOf(
    question: Question & { key: number },
    snapshot: Uint8Array,
): { check: CheckKeys; delay_milliseconds: number } {
    type Checked = { check: CheckKeys; delay_milliseconds: number } | null;
    const checked = asked<Checked>("access.check", question) ?? asked<Checked>("access.check", question, snapshot);
    if (checked === null) {
        throw new InternalError("a snapshot has no answer");
    }
    return checked;
}

/** Why an address must not be connected to; null where it may. */
export function refusalOf(address: string, allow: readonly string[], refuse: readonly string[]): string | null {
    return asked("access.address", { address, allow, refuse });
}

/** The profiles with their choices and clauses: lines of `verger.profile/1`. */
export function profiles(): {
    name: Profile;
    dialect: string;
    choices: { what: string; chosen: string; clause: string | null }[];
}[] {
    return asked("access.profiles", {});
}

function asked<T>(name: string, question: object, ...bytes: Uint8Array[]): T {
    return JSON.parse(whole.call(name, question, ...bytes)) as T;
}
