/**
 * Fetches robots.txt and applies an access profile, which defines what a missing, redirected or unreachable file means,
 * and for how long.
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
 * Browsers hide redirect targets and block most requests to other sites. There, a redirected robots.txt throws a
 * `RedirectHiddenError`.
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
