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

export {
    type Agents,
    type DecideOptions,
    type Decision,
    type FetchedFile,
    type FetchReport,
    type Hop,
    RobotsClient,
    type RobotsClientOptions,
    type SnapshotStore,
} from "./access-client.js";
export {
    AddressGuard,
    AddressRefusedError,
    type Connect,
    connector,
    type Lookup,
    type LookupAddress,
    type LookupDone,
    type LookupOptions,
    type Networks,
    type UndiciConnector,
} from "./access-guard.js";
export {
    type AccessResult,
    type AccessState,
    type Answer,
    type Arrival,
    authority,
    type Check,
    type FailureArrival,
    type Fields,
    type FtpFileArrival,
    type FtpReplyArrival,
    type Located,
    type Profile,
    type ProfileChoice,
    type ProfileLine,
    profiles,
    type ResponseArrival,
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
    type UndiciResponse,
    undiciTransport,
    type UndiciTransportOptions,
} from "./access-transports.js";
