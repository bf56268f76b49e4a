// Deadlines on a clock that never goes back.

import type { FailureArrival } from "./access-answers.js";
import { TIMER_MAX } from "./platform.js";

export type Limit = ReturnType<typeof limitOf>;

/** Returns milliseconds since a moment in the past. */
export function clock(): number {
    return Math.floor(performance.now());
}

/** Starts the timer of a deadline, a time of `clock`. `signal` and `late` tell when it is reached, and `end` stops it. */
export function limitOf(endsAt: number, detail = "") {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<FailureArrival>((resolve) => {
        const check = (): void => {
            const left = endsAt - performance.now();
            // A timer may end too early, or support no such delay.
            if (left > 0) {
                timer = setTimeout(check, Math.min(TIMER_MAX, left));
                return;
            }
            resolve({ failure: "timeout", detail });
            controller.abort();
        };
        check();
    });
    return { signal: controller.signal, late, endsAt, end: () => clearTimeout(timer) };
}

/** Awaits a call, but not forever. */
export async function inTime<T>(milliseconds: number, call: Promise<T> | undefined): Promise<T | undefined> {
    const { late, end } = limitOf(clock() + milliseconds);
    const failure = late.then(() => Promise.reject(new Error(`no answer within ${milliseconds} ms`)));
    return Promise.race([call, failure]).finally(end);
}
