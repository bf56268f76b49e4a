// The worker, which answers queries in order.

import { provide } from "./modules.js";
import { questions } from "./questions.js";

export type ToWorker = { modules: Uint8Array<ArrayBuffer>[] } | { id: number; name: keyof typeof questions; asked: unknown };
export type FromWorker = { id: number } & ({ answer: unknown } | { error: string } | { share: number });

const post = (message: FromWorker): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>): void => {
    if ("modules" in data) {
        provide(data.modules);
        return;
    }
    const { id, name, asked } = data;
    try {
        const ask = questions[name] as (asked: unknown, report: (share: number) => void) => unknown;
        post({ id, answer: ask(asked, (share) => post({ id, share })) });
    } catch (error) {
        post({ id, error: error instanceof Error ? error.message : String(error) });
    }
};
