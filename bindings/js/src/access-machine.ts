// The access machine in the `whole` module. The module keeps no state of a fetch. State goes in and out as a snapshot,
// which stores keep unchanged.

import { whole } from "#whole";
import type { Fields, Located, Profile, ProfileLine, Stance, TransportFailure, Warning } from "./access-answers.js";
import { type UrlLike, urlOf } from "./argument.js";
import { concatenated, encoder } from "./bytes.js";
import { type Json, plainOf, typedOf } from "./typed.js";

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
    const kept = done.body === "kept" ? bodyOf(before) : body;
    return concatenated([encoder.encode(`${done.record}\n`), kept.subarray(0, done.bytes)]);
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
    type Checked = { check: Json; delay_milliseconds: number };
    return asked<Checked | null>("access.check", question) ?? asked<Checked>("access.check", question, snapshot);
}

/** Returns why an address must not be connected to, or null if it may. */
export function refusalOf(address: string, allow: readonly string[], refuse: readonly string[]): string | null {
    return asked("access.address", { address, allow, refuse });
}

/** Returns the access profiles with their choices and clauses. */
export function profiles(): ProfileLine[] {
    return asked<Json[]>("access.profiles", {}).map((line) => typedOf(line));
}

function asked<T>(name: string, question: object, ...bytes: Uint8Array[]): T {
    return JSON.parse(whole.call(name, question, ...bytes)) as T;
}
