// The errors. Their texts are those of the engine, as in every interface of Verger.

/** What all errors of this package are. */
export class VergerError extends Error {
    override name = "VergerError";
}

/** A text is not a product token. */
export class ProductTokenError extends VergerError {
    override name = "ProductTokenError";
    /** The token that was probably meant, such as `Googlebot` for `Googlebot/2.1`. */
    readonly likely: string | undefined;

    constructor(message: string, likely?: string) {
        super(message);
        this.likely = likely;
    }
}

/** A text is neither an absolute URL nor a path that starts with `/`, or the host of the URL cannot be asked. */
export class TargetError extends VergerError {
    override name = "TargetError";
}

/** The registry has no crawler, purpose or operator of that name. */
export class UnknownCrawlerError extends VergerError {
    override name = "UnknownCrawlerError";
}

/** An argument is none that the question takes. */
export class ArgumentError extends VergerError {
    override name = "ArgumentError";
}

/** An object was asked after its `dispose`. */
export class DisposedError extends VergerError {
    override name = "DisposedError";
}

/** A defect of this package. The next question has an answer again. */
export class InternalError extends VergerError {
    override name = "InternalError";
}

/** A question is about hosts of which the module does not know the ASCII; each line is one. No caller sees it. */
export class HostsWanted extends VergerError {}

/** The error that a module names as JSON: `kind`, `message`, and `likely` of a product token. */
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
