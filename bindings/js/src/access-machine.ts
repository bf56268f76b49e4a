// The access machine in the `whole` module. The module keeps no state of one fetch. State goes in and out as a snapshot,
// which stores keep unchanged. `access-session.ts` has the state of all fetches in flight.

import { whole } from "#whole";
import type { Fields, Hop, Located, Profile, ProfileLine, Stance, Warning } from "./access-answers.js";
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
    hops: Hop[];
    warnings: Warning[];
    /** The state after the fetch. */
    snapshot: Uint8Array;
}

export type Action = { do: "send"; url: string; headers: Fields } | { do: "ask"; url: string } | Done;

export type HopVerdict = "allowed" | "disallowed" | "unknown";

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

/** Returns the next action of a fetch. `body` belongs to the last event. A snapshot is one line of state, then the body. */
export function step(question: object, before: Uint8Array, body: Uint8Array): Action {
    const action = asked<Action>("access.fetch", question, before, body);
    if (action.do === "done") {
        const kept = action.body === "kept" ? bodyOf(before) : body;
        action.snapshot = concatenated([encoder.encode(`${action.record}\n`), kept.subarray(0, action.bytes)]);
    }
    return action;
}

export function bodyOf(snapshot: Uint8Array): Uint8Array {
    return snapshot.subarray(snapshot.indexOf(LINE_END) + 1);
}

export function answerOf(question: object, snapshot: Uint8Array): AnswerJson {
    return asked("access.answer", question, snapshot);
}

export function hopVerdict(question: object, snapshot: Uint8Array): HopVerdict {
    return asked("access.hop", question, snapshot);
}

type Checked = { check: Json; delay_milliseconds: number };

/**
 * Returns the answer about a URL. The module caches recent answers by `key`, so the snapshot is passed only on a miss.
 */
export function checkOf(question: object, snapshot: Uint8Array): Checked {
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
