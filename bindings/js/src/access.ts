/**
 * The access method: what a robots.txt that was fetched, missing, redirected or out of reach means, and for how long.
 *
 * ```js
 * import * as undici from "undici";
 * import { RobotsClient, undiciTransport } from "verger/access";
 *
 * const transport = undiciTransport(undici, { userAgent: "ExampleBot/1.0 (+https://example.com/bot)" });
 * const client = new RobotsClient({ agent: "ExampleBot", transport });
 * const { allowed, stance, line } = await client.decide("https://example.com/a");
 * ```
 *
 * Browsers hide where a redirect leads, and let a page read few files of other sites: there, a robots.txt that
 * redirects is a `RedirectHiddenError`. Node, Deno, Bun and Cloudflare's Workers tell it.
 *
 * @module
 */

export {
    type Agents,
    type DecideOptions,
    type Decision,
    type FetchReport,
    RobotsClient,
    type RobotsClientOptions,
    type SnapshotStore,
} from "./access-client.js";
export { AddressGuard, AddressRefusedError, connector, type Networks, type UndiciConnector } from "./access-guard.js";
export {
    type AccessKeys,
    type Answer,
    type Arrival,
    authority,
    type CheckKeys,
    type Fields,
    type Located,
    type Profile,
    profiles,
    type Stance,
    type TransportFailure,
    type Warning,
} from "./access-machine.js";
export {
    fetchTransport,
    type FetchTransportOptions,
    RedirectHiddenError,
    type Transport,
    type TransportRequest,
    type Undici,
    undiciTransport,
    type UndiciTransportOptions,
} from "./access-transports.js";
