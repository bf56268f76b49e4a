// Queries a worker, so the page stays responsive.

import type { Questions } from "./questions.js";
import type { FromWorker, ToWorker } from "./worker.js";
import PageWorker from "./worker.ts?worker&inline";

declare const vergerModules: string[];

type Name = keyof Questions;
type Asked<N extends Name> = Parameters<Questions[N]> extends [infer A, ...unknown[]] ? A : undefined;
type Answer<N extends Name> = ReturnType<Questions[N]>;

interface Waiting {
    resolve: (answer: unknown) => void;
    reject: (error: Error) => void;
    report: ((share: number) => void) | undefined;
}

let modules: Uint8Array<ArrayBuffer>[] | undefined;

/** Decodes the modules, which `modules.js` contains as text. */
function moduleBytes(): Uint8Array<ArrayBuffer>[] {
    modules ??= vergerModules.map((text) => {
        const bytes = new Uint8Array(text.length);
        for (let at = 0; at < text.length; at += 1) {
            bytes[at] = text.charCodeAt(at);
        }
        return bytes;
    });
    return modules;
}

export class Asker {
    #worker: Worker | undefined;
    #waiting = new Map<number, Waiting>();
    #pending = new Map<Name, () => void>();
    #inFlight = new Set<Name>();
    #count = 0;

    ask<N extends Name>(name: N, asked: Asked<N>, report?: (share: number) => void): Promise<Answer<N>> {
        this.#count += 1;
        const id = this.#count;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject, report });
            this.#post({ id, name, asked });
        });
    }

    /** Queries once the previous query of that name is answered. If several wait, only the last one is sent. */
    latest<N extends Name>(name: N, asked: Asked<N>, show: (answer: Answer<N>) => void, fail: (error: Error) => void): void {
        if (this.#inFlight.has(name)) {
            this.#pending.set(name, () => this.latest(name, asked, show, fail));
            return;
        }
        this.#inFlight.add(name);
        void this.ask(name, asked)
            .then(show, fail)
            .finally(() => {
                this.#inFlight.delete(name);
                const next = this.#pending.get(name);
                this.#pending.delete(name);
                next?.();
            });
    }

    /** Cancels everything in flight. The next query starts a new worker. */
    stop(why = "stopped"): void {
        this.#worker?.terminate();
        this.#worker = undefined;
        for (const { reject } of this.#waiting.values()) {
            reject(new Error(why));
        }
        this.#waiting.clear();
    }

    #post(message: ToWorker): void {
        if (this.#worker === undefined) {
            this.#worker = new PageWorker();
            this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#answered(data);
            this.#worker.onerror = ({ message }) => this.stop(message);
            this.#worker.postMessage({ modules: moduleBytes() } satisfies ToWorker);
        }
        this.#worker.postMessage(message);
    }

    #answered(message: FromWorker): void {
        const waiting = this.#waiting.get(message.id);
        if (waiting === undefined) {
            return;
        }
        if ("share" in message) {
            waiting.report?.(message.share);
            return;
        }
        this.#waiting.delete(message.id);
        if ("error" in message) {
            waiting.reject(new Error(message.error));
        } else {
            waiting.resolve(message.answer);
        }
    }
}
