// Decides which addresses may be connected to, with the rules of the command.

import { refusalOf } from "./access-machine.js";
import { VergerError } from "./errors.js";

/** The guard refused to connect to an address. */
export class AddressRefusedError extends VergerError {
    override name = "AddressRefusedError";
    readonly code = "VERGER_ADDRESS_REFUSED";
}

/** Networks such as `127.0.0.0/8`. */
export interface Networks {
    /** Networks that may be connected to although they are not public. */
    allow?: readonly string[];
    /** Networks that may not be connected to. Takes precedence over `allow`. */
    refuse?: readonly string[];
}

// Like the types of `node:dns`. The package does not require the types of Node.

export interface LookupAddress {
    address: string;
    family: number;
}

/** Options of `dns.lookup`. */
export interface LookupOptions {
    all?: boolean | undefined;
}

type Found = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * Refuses addresses outside the public network: loopback, private, link-local and similar. Without it, a host name or a
 * redirect can lead into the crawler's own network.
 */
export class AddressGuard {
    readonly #allow: readonly string[];
    readonly #refuse: readonly string[];

    constructor({ allow = [], refuse = [] }: Networks = {}) {
        this.#allow = [...allow];
        this.#refuse = [...refuse];
        // Fail here, not at the first connection, if a network is invalid.
        this.refusal("192.0.2.1");
    }

    /** Returns why `address` must not be connected to, or `undefined` if it may. */
    refusal(address: string): string | undefined {
        return refusalOf(address, this.#allow, this.#refuse) ?? undefined;
    }

    /** Like `refusal`, for a host that is an address literal and so is never looked up. */
    refusalOfHost(host: string): string | undefined {
        const address = host.startsWith("[") ? host.slice(1, -1) : host;
        return isAddress(address) ? this.refusal(address) : undefined;
    }

    /**
     * Looks up a name like `dns.lookup`, and returns the permitted addresses. Pass it to the `connect` options of
     * undici or `node:net`. They do not call it for address literals; see `connector`.
     */
    readonly lookup = (host: string, options: LookupOptions, found: Found): void => {
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

    #admit(host: string, addresses: LookupAddress[], all: boolean, found: Found): void {
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

type Connect = (options: { hostname: string }, connected: (error: Error | null, socket: null) => void) => void;

/** The part of undici that `connector` uses. */
export interface UndiciConnector {
    buildConnector(options: object): any;
}

/**
 * Returns the `connect` option of a guarded undici `Agent`, which also checks address literals: `new undici.Agent({
 * connect: connector(undici, guard) })`. `options` are passed to undici's connector.
 */
export function connector(undici: UndiciConnector, guard: AddressGuard, options: object = {}): Connect {
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
