// The errors. Messages about tokens, URLs and crawlers are those of the engine.

/**
 * The code of an error, which never changes. Messages may. Each class has one code.
 *
 * | code | class |
 * |---|---|
 * | `VERGER_ADDRESS_REFUSED` | `AddressRefusedError` |
 * | `VERGER_ARGUMENT` | `ArgumentError` |
 * | `VERGER_DENIED` | `DeniedError` |
 * | `VERGER_DISPOSED` | `DisposedError` |
 * | `VERGER_INTERNAL` | `InternalError` |
 * | `VERGER_MODULE` | `ModuleError` |
 * | `VERGER_PRODUCT_TOKEN` | `ProductTokenError` |
 * | `VERGER_REDIRECT` | `RedirectError` |
 * | `VERGER_REDIRECT_HIDDEN` | `RedirectHiddenError` |
 * | `VERGER_TARGET` | `TargetError` |
 * | `VERGER_UNKNOWN_CRAWLER` | `UnknownCrawlerError` |
 */
export type ErrorCode =
    | "VERGER_ADDRESS_REFUSED"
    | "VERGER_ARGUMENT"
    | "VERGER_DENIED"
    | "VERGER_DISPOSED"
    | "VERGER_INTERNAL"
    | "VERGER_MODULE"
    | "VERGER_PRODUCT_TOKEN"
    | "VERGER_REDIRECT"
    | "VERGER_REDIRECT_HIDDEN"
    | "VERGER_TARGET"
    | "VERGER_UNKNOWN_CRAWLER";

/** The base class of all errors that this package throws. */
export abstract class VergerError extends Error {
    /** Identifies the kind of error, also across copies of this package. */
    abstract readonly code: ErrorCode;
}

/** The error if a string is not a product token. */
export class ProductTokenError extends VergerError {
    /** Always `ProductTokenError`. */
    override readonly name = "ProductTokenError";
    /** Always `VERGER_PRODUCT_TOKEN`. */
    override readonly code = "VERGER_PRODUCT_TOKEN";
    /** The token that was probably meant, such as `Googlebot` for `Googlebot/2.1`. */
    readonly likely: string | undefined;

    /**
     * Makes an error with the token that was probably meant.
     *
     * @param message What is wrong with the string.
     * @param likely The token that was probably meant.
     */
    constructor(message: string, likely?: string) {
        super(message);
        this.likely = likely;
    }
}

/** The error if a string is neither an absolute URL nor a path that starts with `/`, or if its host cannot be queried. */
export class TargetError extends VergerError {
    /** Always `TargetError`. */
    override readonly name = "TargetError";
    /** Always `VERGER_TARGET`. */
    override readonly code = "VERGER_TARGET";
}

/** The error if the registry has no crawler, purpose or operator with a name. */
export class UnknownCrawlerError extends VergerError {
    /** Always `UnknownCrawlerError`. */
    override readonly name = "UnknownCrawlerError";
    /** Always `VERGER_UNKNOWN_CRAWLER`. */
    override readonly code = "VERGER_UNKNOWN_CRAWLER";
}

/** The error if an argument has the wrong type or value, an option does not exist, or arguments are swapped. */
export class ArgumentError extends VergerError {
    /** Always `ArgumentError`. */
    override readonly name = "ArgumentError";
    /** Always `VERGER_ARGUMENT`. */
    override readonly code = "VERGER_ARGUMENT";
    /** The name of the argument or option, if it is known. */
    readonly argument: string | undefined;

    /**
     * Makes an error with the name of the argument.
     *
     * @param message What is wrong with the argument.
     * @param argument The name of the argument or option.
     * @param options The cause.
     */
    constructor(message: string, argument?: string, options?: ErrorOptions) {
        super(message, options);
        this.argument = argument;
    }
}

/** The error if an object is used after `dispose`. */
export class DisposedError extends VergerError {
    /** Always `DisposedError`. */
    override readonly name = "DisposedError";
    /** Always `VERGER_DISPOSED`. */
    override readonly code = "VERGER_DISPOSED";
}

/** The error if a WebAssembly module of this package cannot be read, or has not been imported yet. */
export class ModuleError extends VergerError {
    /** Always `ModuleError`. */
    override readonly name = "ModuleError";
    /** Always `VERGER_MODULE`. */
    override readonly code = "VERGER_MODULE";
}

/** The error if this package has a defect. Later calls work again. */
export class InternalError extends VergerError {
    /** Always `InternalError`. */
    override readonly name = "InternalError";
    /** Always `VERGER_INTERNAL`. */
    override readonly code = "VERGER_INTERNAL";
}
