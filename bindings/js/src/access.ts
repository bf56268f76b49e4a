/**
 * Fetches robots.txt and applies an access profile, which defines what a missing, redirected or unreachable file means,
 * and for how long.
 *
 * ```js
 * import * as undici from "undici";
 * import { RobotsClient, undiciTransport } from "verger/access";
 *
 * const transport = undiciTransport(undici);
 * const userAgent = "ExampleBot/1.0 (+https://example.com/bot)";
 * const client = new RobotsClient({ agent: "ExampleBot", userAgent, transport });
 * const { allowed, stance, line } = await client.decide("https://example.com/a");
 * ```
 *
 * Browsers hide redirect targets and block most requests to other sites. There, a redirected robots.txt throws a
 * `RedirectHiddenError`.
 *
 * @module
 */

export type * from "./access-answers.js";
export * from "./access-client.js";
export * from "./access-guard.js";
export { authority, profiles } from "./access-machine.js";
export * from "./access-transports.js";
export { RedirectHiddenError } from "./platform.js";
