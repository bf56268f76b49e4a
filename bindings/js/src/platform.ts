// Differences between platforms.

import { VergerError } from "./errors.js";

/**
 * The error if the platform hides redirect targets, as browsers do, so RFC 9309 cannot be followed. This is not a fact
 * about the site, so nothing is cached.
 */
export class RedirectHiddenError extends VergerError {
    /** Always `RedirectHiddenError`. */
    override readonly name = "RedirectHiddenError";
    /** Always `VERGER_REDIRECT_HIDDEN`. */
    override readonly code = "VERGER_REDIRECT_HIDDEN";
}

/** Throws if the platform hides the target of a redirect. */
export function refuseHidden(url: string, { type }: Response): void {
    if (type === "opaqueredirect") {
        throw new RedirectHiddenError(`${url} redirects, but this platform hides the target. Query from a server instead`);
    }
}

/** The longest delay that `setTimeout` supports. A longer one fires immediately. */
export const TIMER_MAX = 2 ** 31 - 1;

const isWorker = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Browsers and Cloudflare Workers set `Accept-Encoding` themselves. */
export function encodingCanBeRefused(): boolean {
    return !isWorker() && !isBrowser();
}

/** Whether the platform forbids some headers, as browsers do. There, `User-Agent` would cause a preflight request. */
export function isBrowser(): boolean {
    if (typeof Request === "undefined" || isWorker()) {
        return false;
    }
    return !new Request("https://example.com/", { headers: { "accept-encoding": "identity" } }).headers.has("accept-encoding");
}
