// Which addresses may be connected to, by the rules of the command; the module decides about each.

import { refusalOf } from "./access-machine.js";
import { VergerError } from "./errors.js";

/** An address must not be connected to. */
export class AddressRefusedError extends VergerError {
    override name = "AddressRefusedError";
    readonly code = "VERGER_ADDRESS_REFUSED";
}

/** Networks such as `127.0.0.0/8`. */
export interface Networks {
    /** Their addresses may be connected to, though they are not public. */
    allow?: readonly string[];
    /** Their addresses may not; this takes precedence. */
    refuse?: readonly string[];
}

// As `node:dns` has them; the types of Node are not needed to use the package.

/** An address that was looked up. */
export interface LookupAddress {
    address: string;
    family: number;
}

/** How a name is looked up; other options are those of `dns.lookup`. */
export interface LookupOptions {
    all?: boolean | undefined;
}

type Found = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** Refuses addresses that are not of the public network: loopback, private, link-local and the like. A name or a
 * redirect may lead anywhere, also into the crawler's own network. */
export class AddressGuard {
    readonly #allow: readonly string[];
    readonly #refuse: readonly string[];

    constructor({ allow = [], refuse = [] }: Networks = {}) {
        this.#allow = [...allow];
        this.#refuse = [...refuse];
        // A text that is no network is an error here, not at the first connection.
        this.refusal("192.0.2.1");
    }

    /** Why an address must not be connected to; `undefined` where it may. */
    refusal(address: string): string | undefined {
        return refusalOf(address, this.#allow, this.#refuse) ?? undefined;
    }

    /** The same of a host that is an address, which is never looked up. */
    refusalOfHost(host: string): string | undefined {
        const address = host.startsWith("[") ? host.slice(1, -1) : host;
        return isAddress(address) ? this.refusal(address) : undefined;
    }

    /** Looks a name up, as `dns.lookup` does, and gives the addresses that may be connected to. It is for the
     * `connect` options of undici and `node:net`, which call it for names only: see `connector`. */
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
            found(new AddressRefusedError(`${host}: ${refusals[0] ?? "it has no address"}`));
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

/** The part of undici that makes guarded connections. */
export interface UndiciConnector {
    buildConnector(options: object): any;
}

/** The `connect` of an undici `Agent` that refuses addresses, also those that are hosts of URLs:
 * `new undici.Agent({ connect: connector(undici, guard) })`. `options` are those of undici's connector. */
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
