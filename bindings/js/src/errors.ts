// The errors, with the engine's messages.

/** The base class of all errors of this package. */
export class VergerError extends Error {
    override name = "VergerError";
}

/** A string is not a product token. */
export class ProductTokenError extends VergerError {
    override name = "ProductTokenError";
    /** The token that was probably meant, such as `Googlebot` for `Googlebot/2.1`. */
    readonly likely: string | undefined;

    constructor(message: string, likely?: string) {
        super(message);
        this.likely = likely;
    }
}

/** A string is neither an absolute URL nor a path that starts with `/`, or the host of the URL cannot be queried. */
export class TargetError extends VergerError {
    override name = "TargetError";
}

/** The registry has no crawler, purpose or operator with that name. */
export class UnknownCrawlerError extends VergerError {
    override name = "UnknownCrawlerError";
}

/** An argument is invalid. */
export class ArgumentError extends VergerError {
    override name = "ArgumentError";
}

/** An object was used after `dispose`. */
export class DisposedError extends VergerError {
    override name = "DisposedError";
}

/** A defect of this package. Later calls work again. */
export class InternalError extends VergerError {
    override name = "InternalError";
}

/** The module needs the ASCII form of hosts, one per line of the message. Never reaches a caller. */
export class HostsWanted extends VergerError {}

/** Returns the error for a module's JSON: `kind`, `message`, and `likely` for a product token. */
export function failureOf(json: string): VergerError {
    const { kind, message, likely } = JSON.parse(json) as { kind: string; message: string; likely?: string };
    switch (kind) {
        case "product-token":
            return new ProductTokenError(message, likely);
        case "target":
            return new TargetError(message);
        case "unknown-crawler":
            return new UnknownCrawlerError(message);
        case "hosts":
            return new HostsWanted(message);
        case "argument":
            return new ArgumentError(message);
        default:
            return new InternalError(message);
    }
}
