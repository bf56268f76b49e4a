// Decides which addresses may be connected to, with the rules of the command.

import { refusalOf } from "./access-machine.js";
import { optionsOf, required, STRING, STRINGS, withMethods } from "./argument.js";
import { VergerError } from "./errors.js";

/** The error if the guard refuses to connect to an address. */
export class AddressRefusedError extends VergerError {
    /** Always `AddressRefusedError`. */
    override readonly name = "AddressRefusedError";
    /** Always `VERGER_ADDRESS_REFUSED`. */
    override readonly code = "VERGER_ADDRESS_REFUSED";
}

/** Exceptions of an `AddressGuard`: networks such as `127.0.0.0/8`. */
export interface Networks {
    /**
     * Networks that may be connected to although they are not public.
     *
     * @default []
     */
    allow?: readonly string[];
    /**
     * Networks that may not be connected to. Takes precedence over `allow`.
     *
     * @default []
     */
    refuse?: readonly string[];
}

// Like the types of `node:dns`. The package does not require the types of Node.

/** An address that `dns.lookup` found. */
export interface LookupAddress {
    /** The address. */
    address: string;
    /** The version of IP, 4 or 6. */
    family: number;
}

/** Options of `dns.lookup`. */
export interface LookupOptions {
    /** Whether all addresses are wanted. */
    all?: boolean | undefined;
}

/** The callback of `dns.lookup`. */
export type LookupDone = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** A function like `dns.lookup`. */
export type Lookup = (host: string, options: LookupOptions, done: LookupDone) => void;

/**
 * Refuses addresses outside the public network: loopback, private, link-local and similar. Without it, a host name or a
 * redirect can lead into the crawler's own network.
 */
export class AddressGuard {
    readonly #allow: readonly string[];
    readonly #refuse: readonly string[];

    /**
     * Makes a guard.
     *
     * @param networks Exceptions.
     * @throws {ArgumentError} if a network is invalid or an option does not exist.
     */
    constructor(networks?: Networks) {
        const { allow = [], refuse = [] } = optionsOf<Networks>("AddressGuard", networks, { allow: STRINGS, refuse: STRINGS });
        this.#allow = [...allow];
        this.#refuse = [...refuse];
        // Fail here, not at the first connection, if a network is invalid.
        this.refusal("192.0.2.1");
    }

    /**
     * Returns why an address must not be connected to, or `undefined` if it may.
     *
     * @param address An IP address.
     * @throws {ArgumentError} if it is not an IP address.
     */
    refusal(address: string): string | undefined {
        required("address", address, STRING, "refusal");
        return refusalOf(address, this.#allow, this.#refuse) ?? undefined;
    }

    /**
     * Like `refusal`, for a host that may be an address literal, which is never looked up.
     *
     * @param host The host of a URL.
     */
    refusalOfHost(host: string): string | undefined {
        const address = host.startsWith("[") ? host.slice(1, -1) : host;
        return isAddress(address) ? this.refusal(address) : undefined;
    }

    /**
     * Looks up a name like `dns.lookup`, and returns the permitted addresses. Pass it to the `connect` options of
     * undici or `node:net`. They do not call it for address literals; see `connector`.
     */
    readonly lookup: Lookup = (host: string, options, found) => {
        import("node:dns").then(
            ({ lookup }) => lookup(host, { ...options, all: true }, (error, addresses) => {
                if (error !== null) {
                    found(error);
                    return;
                }
                this.#admit(host, addresses, options.all === true, found);
            }),
            found,
        );
    };

    #admit(host: string, addresses: LookupAddress[], all: boolean, found: LookupDone): void {
        const refusals = addresses.map(({ address }) => this.refusal(address));
        const admitted = addresses.filter((_, at) => refusals[at] === undefined);
        const [first] = admitted;
        if (first === undefined) {
            found(new AddressRefusedError(`${host}: ${refusals[0] ?? "no address found"}`));
        } else if (all) {
            found(null, admitted);
        } else {
            found(null, first.address, first.family);
        }
    }
}

function isAddress(host: string): boolean {
    return host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** A `connect` option of undici. */
export type Connect = (options: { hostname: string }, connected: (error: Error | null, socket: null) => void) => void;

/** The part of undici that `connector` uses. */
export interface UndiciConnector {
    /** Builds a connector, as in undici. */
    buildConnector(options: object): any;
}

/**
 * Returns the `connect` option of a guarded undici `Agent`, which also checks address literals: `new undici.Agent({
 * connect: connector(undici, guard) })`.
 *
 * @param undici The module `undici`.
 * @param guard Decides which addresses may be connected to.
 * @param options Options of undici's connector, such as `ca`.
 */
export function connector(undici: UndiciConnector, guard: AddressGuard, options: object = {}): Connect {
    required("undici", undici, withMethods("buildConnector"), "connector");
    required("guard", guard, withMethods("refusalOfHost"), "connector");
    const connect = undici.buildConnector({ ...options, lookup: guard.lookup }) as Connect;
    return (host, connected) => {
        const refused = guard.refusalOfHost(host.hostname);
        if (refused === undefined) {
            connect(host, connected);
        } else {
            connected(new AddressRefusedError(refused), null);
        }
    };
}
