// The access machine in the `whole` module. The module keeps no state of a fetch. State goes in and out as a snapshot,
// which stores keep unchanged.

import { whole } from "#whole";
import type { VerdictKeys } from "./answers.js";
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

/** The outcome of a request. */
export type Arrival =
    | { status: number; headers: Fields; body: Uint8Array; isCut: boolean }
    | { failure: TransportFailure; detail: string }
    | { ftpFile: Uint8Array; isCut: boolean }
    | { ftpReply: number };

/** The state of an authority, with the keys that `check`, `fetch` and `store list` of the command share. */
export interface AccessKeys {
    profile: Profile;
    stance: Stance | null;
    access_result: { result: "successful" | "unavailable" | "unreachable"; what: string; clause: string } | null;
    /** The id of the clause that defines this stance. */
    clause: string | null;
    missing: string | null;
    /** The first second in which the answer may change. */
    fresh_until: string | null;
    ask_again_at: string | null;
    seen_at: string | null;
    body_seen_at: string | null;
    snapshot: number | null;
    /** Why the result was not stored. */
    not_kept: string | null;
    body_sha256: string | null;
}

/** The state of an authority under a profile. */
export interface Answer extends AccessKeys {
    authority: string;
    robots_url: string;
    dialect: NonNullable<VerdictKeys["dialect"]>;
    /** `ask_again_at` and `fresh_until` in seconds since 1970. */
    due_at: number;
    holds_until: number;
    has_body: boolean;
}

/** The keys of `verger.check/1` in docs/json.md, as the command prints them for an authority. */
export interface CheckKeys extends Omit<VerdictKeys, "reason">, AccessKeys {
    schema: "verger.check/1";
    agent: string;
    url: string;
    /** The reason of the verdict. `stance` if no rules decide. */
    reason: VerdictKeys["reason"] | "stance" | "unknown";
    sent_as: string | null;
    [key: string]: unknown;
}

export interface Located {
    authority: string;
    robots_url: string;
    scheme: string;
}

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
export const NOTHING = new Uint8Array();

const LINE_END = 0x0a;
const encoder = new TextEncoder();

/** Returns the authority of a URL, and the URL of its robots.txt. */
export function authority(url: string): Located {
    return locate(url, "");
}

/** Like `authority`, but throws if a client cannot request the URL. */
export function locate(url: string, profile: Profile | ""): Located {
    return asked("access.authority", { url, profile });
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

export function answerOf(question: Question, snapshot: Uint8Array): Answer {
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
): { check: CheckKeys; delay_milliseconds: number } {
    type Checked = { check: CheckKeys; delay_milliseconds: number } | null;
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

/** Returns the profiles with their choices and clauses: the lines of `verger.profile/1`. */
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
