// `Session`: the fetches in flight and the callers that wait for them. The module decides who waits for what.

import { whole } from "#whole";
import type { Located } from "./access-answers.js";
import { Resource } from "./instance.js";
import { clock, limitOf } from "./limit.js";
import { type Json, plainOf } from "./typed.js";

/** Separate from other calls, so a trap there ends no fetch. */
export const sessions = whole.another();

/** All work on one authority, for any number of callers. */
export interface Flight {
    id: number;
    located: Located;
    /** Knowledge that is not due to be fetched again, or from an attempt that begins after the question. */
    wanted: "fresh" | "now";
}

/** An event of a flight, usually the result of its last step. */
export type Event = "woken" | "due" | "store-failed" | "resumes" | "ended" | "again";

/** The result of an event. */
interface Reported {
    /** The next step, and the time by which it ends. */
    step: "read" | "wait" | "attempt" | "proceed" | "put" | "hold" | "return" | "discard" | "fail";
    until: number | null;
    ticket: number | null;
    tickets: number[];
    begins: Flight[];
    wakes: number[];
}

let lastKey = 0;

/** The flights of a client, from a question until none is left. */
export class Session<T> {
    readonly #fly: (flight: Flight, session: Session<T>) => Promise<T>;
    readonly #key = (lastKey += 1);
    readonly #resource: Resource;
    readonly #callers = new Map<number, (landed: Promise<T>) => void>();
    /** Ends the wait of each flight. */
    readonly #wakes = new Map<number, () => void>();

    /** `fly` carries out the steps of a flight. */
    constructor(limits: object, fly: (flight: Flight, session: Session<T>) => Promise<T>) {
        this.#fly = fly;
        const make = (): number => (this.#report({ event: "new", ...limits }), this.#key);
        this.#resource = new Resource(sessions, make, "session_free");
        this.#resource.pointer();
    }

    /** Whether all flights have landed. */
    get isOver(): boolean {
        return this.#wakes.size === 0;
    }

    /**
     * Waits for the result of a flight, which all callers share. Flight `id` asks with `hop` about the target of a
     * redirect, and gets `undefined` if the redirect is followed unchecked, or if `late` resolves first.
     */
    async ask(event: Flight["wanted"] | "hop", url: string, id = 0, late?: Promise<unknown>): Promise<T | undefined> {
        const { ticket, begins } = this.#report({ event, url, id });
        if (ticket === null) {
            return undefined;
        }
        const landed = new Promise<T>((answer) => this.#callers.set(ticket, answer));
        this.#begin(begins);
        if (late === undefined) {
            return landed;
        }
        const found = await Promise.race([landed.catch(() => undefined), late.then(() => undefined)]);
        if (this.#callers.delete(ticket)) {
            this.#report({ event: "leave", id: ticket });
        }
        await this.next(id, "resumes");
        return found;
    }

    /** Reports an event of a flight, and returns its next step after the wait for it. */
    async next(id: number, event: Event, outcome = ""): Promise<Reported> {
        for (;;) {
            const reported = this.#report({ event, id, outcome });
            if (reported.step !== "wait") {
                return reported;
            }
            const limit = limitOf(reported.until ?? Infinity);
            await Promise.race([limit.late, new Promise<void>((wake) => this.#wakes.set(id, wake))]);
            limit.end();
            event = "woken";
        }
    }

    #begin(begins: Flight[]): void {
        for (const flight of begins) {
            this.#wakes.set(flight.id, () => {});
            const landed = this.#fly(flight, this);
            const land = (): void => this.#land(flight.id, landed);
            landed.then(land, land).catch(() => {});
        }
    }

    #land(id: number, landed: Promise<T>): void {
        const { tickets, begins } = this.#report({ event: "land", id });
        this.#wakes.delete(id);
        for (const ticket of tickets) {
            this.#callers.get(ticket)?.(landed);
            this.#callers.delete(ticket);
        }
        this.#begin(begins);
        if (this.isOver) {
            this.#resource.dispose();
        }
    }

    #report(event: object): Reported {
        try {
            const question = { ...event, key: this.#key, now: clock() };
            const reported = plainOf<Reported>(JSON.parse(sessions.call("access.session", question)) as Json);
            reported.wakes.forEach((id) => this.#wakes.get(id)?.());
            return reported;
        } catch (error) {
            // The module failed, and the session is lost.
            this.#callers.forEach((answer) => answer(Promise.reject(error)));
            this.#callers.clear();
            this.#wakes.forEach((wake) => wake());
            this.#wakes.clear();
            throw error;
        }
    }
}
