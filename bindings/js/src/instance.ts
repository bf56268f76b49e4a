// An instance of one of the WebAssembly modules. Texts are written to its memory, and one call returns the answer.
//
// A trap ends an instance, and the next call starts a new one. Objects survive that, because a `Resource` can be
// rebuilt.

import type { Text } from "./argument.js";
import { concatenated, decoded, encoder } from "./bytes.js";
import { ArgumentError, DisposedError, InternalError, ProductTokenError, TargetError, UnknownCrawlerError, VergerError } from "./errors.js";

/** Memory size above which an instance without resources is replaced. */
const MEMORY_BYTES_MAX = 64 << 20;

/** Smallest size of the scratch buffer, and the largest that is kept between calls. */
const SCRATCH_BYTES_MIN = 64 << 10;
const SCRATCH_BYTES_KEPT = 4 << 20;

/** Strings up to this length are written faster one by one than by `TextEncoder`. */
const SHORT = 128;

/** The result of a failed call. The answer's words then point to the failure. */
const FAILED = 2;

/** Separates texts in a list. UTF-8 never contains it. */
const SEPARATOR = 0xff;

type Exports = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory };

/** The module needs the ASCII form of hosts, one per line of the message. Never reaches a caller. */
class HostsWanted extends InternalError {}

const ERRORS: Readonly<Record<string, new (message: string) => VergerError>> = {
    "target": TargetError,
    "unknown-crawler": UnknownCrawlerError,
    "hosts": HostsWanted,
    "argument": ArgumentError,
};

/** Returns the error for a module's JSON: `kind`, `message`, and `likely` for a product token. */
function failureOf(json: string): VergerError {
    const { kind, message, likely } = JSON.parse(json) as { kind: string; message: string; likely?: string };
    return kind === "product-token" ? new ProductTokenError(message, likely) : new (ERRORS[kind] ?? InternalError)(message);
}

/** Encodes an argument as JSON. Lone surrogates become U+FFFD. */
function jsonOf(argument: object): string {
    return JSON.stringify(argument, (_, value: unknown) =>
        typeof value === "string" ? decoded(encoder.encode(value)) : value,
    );
}

/** Returns names as one text. */
export function joined(names: readonly string[]): Text {
    if (names.length === 1) {
        return names[0]!;
    }
    const between = Uint8Array.of(SEPARATOR);
    return concatenated(names.flatMap((name, at) => (at === 0 ? [encoder.encode(name)] : [between, encoder.encode(name)])));
}

export class Instance {
    readonly #module: () => object;
    #exports: Exports | undefined;
    #memory = new Uint8Array();
    #answer = 0;
    #scratch = 0;
    #capacity = -1;
    #resources = 0;
    #generation = 0;

    /**
     * `module` returns a `WebAssembly.Module`, and is called at the first use. Its type is `object` because the package
     * does not require the DOM types.
     */
    constructor(module: () => object) {
        this.#module = module;
    }

    /** Returns another instance of the module. */
    another(): Instance {
        return new Instance(this.#module);
    }

    /** Number of the current instance. A pointer is valid only in the instance that made it. */
    get generation(): number {
        return this.#generation;
    }

    /** Memory size of the instance in bytes, 0 before the first call. */
    get memoryBytes(): number {
        return this.#exports?.memory.buffer.byteLength ?? 0;
    }

    /**
     * Calls a named function with a JSON argument and bytes. Returns JSON or JSON Lines.
     *
     * @throws {VergerError} if the call fails.
     */
    call(name: string, argument: object, ...bytes: Text[]): string {
        return decoded(this.callForBytes(name, argument, ...bytes));
    }

    /** Like `call`, but returns bytes. They are a view that the next call invalidates. */
    callForBytes(name: string, argument: object, ...bytes: Text[]): Uint8Array {
        const texts = bytes.map((one) => (typeof one === "string" ? encoder.encode(one) : one));
        const lengths = new Uint8Array(Uint32Array.from(texts, (text) => text.length).buffer);
        this.ask("call", [], [lengths, name, jsonOf(argument), concatenated(texts)], []);
        return this.#answered();
    }

    /**
     * Calls an exported function with the numbers `before`, the lengths of the texts, and the numbers `after`. A call
     * that lacked `hosts` is repeated in the same instance.
     *
     * @throws {VergerError} if the call fails.
     */
    ask(name: string, before: number[], texts: readonly Text[], after: number[], hosts?: readonly string[]): number {
        let result;
        try {
            const exports = hosts === undefined ? this.#ready() : this.#started();
            result = exports[name]!(...before, ...this.#written(exports, texts), ...after);
        } catch (error) {
            return this.#failed(name, error);
        }
        return result === FAILED ? this.#refused(name, before, texts, after, hosts) : result;
    }

    /** Like `ask` with three texts and a number, but allocates no arrays. */
    askOnce(name: string, first: Text, second: Text, third: Text, after: number): number {
        let result;
        try {
            const exports = this.#ready();
            this.#reserve(exports, roomFor(first) + roomFor(second) + roomFor(third));
            const place = this.#scratch;
            const one = this.#write(first, place);
            const two = this.#write(second, place + one);
            const three = this.#write(third, place + one + two);
            result = exports[name]!(one, two, three, after);
        } catch (error) {
            return this.#failed(name, error);
        }
        return result === FAILED ? this.#refused(name, [], [first, second, third], [after]) : result;
    }

    /** Throws the failure of the last call, or asks again with the hosts that it lacked. */
    #refused(name: string, before: number[], texts: readonly Text[], after: number[], known: readonly string[] = []): number {
        const failure = failureOf(decoded(this.#answered()));
        if (failure instanceof HostsWanted) {
            const hosts = [...known, ...failure.message.split("\n")];
            this.ask("hosts_known", [], [hosts, hosts.map(inAscii)].map((lines) => lines.join("\n")), [], []);
            return this.ask(name, before, texts, after, hosts);
        }
        throw failure;
    }

    #ready(): Exports {
        if (this.#resources === 0 && this.memoryBytes > MEMORY_BYTES_MAX) {
            this.#end();
        }
        return this.#started();
    }

    /** Like `ask` with a pointer and one short text, but allocates no arrays. */
    askAbout(name: string, pointer: number, text: Text): number {
        const isShort = typeof text === "string" && text.length <= Math.min(SHORT, this.#capacity);
        if (!isShort || this.#capacity > SCRATCH_BYTES_KEPT || this.#exports === undefined) {
            return this.ask(name, [pointer], [text], []);
        }
        this.#seeMemory(this.#exports);
        if (!this.#wroteAscii(text, this.#scratch)) {
            return this.ask(name, [pointer], [text], []);
        }
        let result;
        try {
            result = this.#exports[name]!(pointer, text.length);
        } catch (error) {
            return this.#failed(name, error);
        }
        return result === FAILED ? this.ask(name, [pointer], [text], []) : result;
    }

    /** Returns the first words of the last answer. */
    words(count: number): Uint32Array {
        return new Uint32Array(this.#started().memory.buffer, this.#answer, count);
    }

    /** Returns a view of the module's memory that the next call invalidates. */
    bytes(place: number, length: number): Uint8Array {
        return new Uint8Array(this.#started().memory.buffer, place, length);
    }

    /** Records that a resource lives in this instance. */
    hold(): void {
        this.#resources += 1;
    }

    /** Frees a resource of the given generation. */
    release(free: string, pointer: number, generation: number): void {
        if (generation !== this.#generation) {
            return;
        }
        this.#resources -= 1;
        try {
            this.#exports?.[free]?.(pointer);
        } catch {
            this.#end();
        }
    }

    #failed(name: string, error: unknown): never {
        this.#end();
        if (error instanceof VergerError) {
            throw error;
        }
        throw new InternalError(`the module failed in ${name}: ${String(error)}`, { cause: error });
    }

    #answered(): Uint8Array {
        const [place = 0, length = 0] = this.words(2);
        return this.bytes(place, length);
    }

    #started(): Exports {
        if (this.#exports === undefined) {
            this.#exports = new WebAssembly.Instance(this.#module() as WebAssembly.Module, {}).exports as Exports;
            this.#answer = this.#exports["answer"]!();
        }
        return this.#exports;
    }

    /** Makes the next call start a new instance. */
    #end(): void {
        this.#exports = undefined;
        this.#memory = new Uint8Array();
        this.#capacity = -1;
        this.#resources = 0;
        this.#generation += 1;
    }

    /** Writes the texts consecutively, and returns their lengths. */
    #written(exports: Exports, texts: readonly Text[]): number[] {
        this.#reserve(exports, texts.reduce((sum, text) => sum + roomFor(text), 0));
        let at = this.#scratch;
        return texts.map((text) => {
            const length = this.#write(text, at);
            at += length;
            return length;
        });
    }

    /** Makes room for texts in the scratch buffer. */
    #reserve(exports: Exports, needed: number): void {
        const isSpare = this.#capacity > SCRATCH_BYTES_KEPT && needed <= SCRATCH_BYTES_KEPT;
        if (needed > this.#capacity || isSpare) {
            this.#capacity = Math.max(needed, SCRATCH_BYTES_MIN);
            // Unsigned, because addresses above 2 GiB arrive as negative numbers.
            this.#scratch = exports["scratch"]!(this.#capacity) >>> 0;
        }
        this.#seeMemory(exports);
    }

    /** Memory that grew is a new object. */
    #seeMemory({ memory: { buffer } }: Exports): void {
        if (this.#memory.buffer !== buffer) {
            this.#memory = new Uint8Array(buffer);
        }
    }

    #write(text: Text, at: number): number {
        if (typeof text !== "string") {
            this.#memory.set(text, at);
            return text.length;
        }
        if (text.length <= SHORT && this.#wroteAscii(text, at)) {
            return text.length;
        }
        // Node 20 writes nothing into a view of 2 GiB or more.
        const { read, written } = encoder.encodeInto(text, this.#memory.subarray(at, at + text.length * 3));
        if (read !== text.length) {
            throw new Error("cannot encode a string into the module's memory");
        }
        return written;
    }

    /** Writes a string, or returns false if it is not ASCII. */
    #wroteAscii(text: string, at: number): boolean {
        const [memory, length] = [this.#memory, text.length];
        for (let index = 0; index < length; index += 1) {
            const unit = text.charCodeAt(index);
            if (unit > 0x7f) {
                return false;
            }
            memory[at + index] = unit;
        }
        return true;
    }
}

/** Returns an upper bound of the size of a text in bytes. */
function roomFor(text: Text): number {
    return typeof text === "string" ? text.length * 3 : text.length;
}

/** Location of a resource. It is separate from the `Resource`, so the finalizer does not keep that alive. */
interface Held {
    pointer: number;
    generation: number;
}

/** Something that lives in an instance until `dispose` or garbage collection. */
export class Resource {
    readonly #instance: Instance;
    readonly #make: () => number;
    readonly #free: string;
    readonly #held: Held = { pointer: 0, generation: -1 };
    #isDisposed = false;

    /**
     * `make` builds it at the first use, and again after the instance was replaced. `free` names the function that
     * frees it.
     */
    constructor(instance: Instance, make: () => number, free: string) {
        this.#instance = instance;
        this.#make = make;
        this.#free = free;
    }

    /**
     * Returns the pointer in the current instance.
     *
     * @throws {DisposedError} after `dispose`.
     */
    pointer(): number {
        if (this.#held.generation === this.#instance.generation) {
            return this.#held.pointer;
        }
        if (this.#isDisposed) {
            throw new DisposedError("the object was used after dispose()");
        }
        const held = this.#held;
        const isNew = held.generation === -1;
        held.pointer = this.#make();
        held.generation = this.#instance.generation;
        this.#instance.hold();
        if (isNew) {
            const [instance, free] = [this.#instance, this.#free];
            finalisers?.register(this, { instance, free, held }, this);
        }
        return held.pointer;
    }

    dispose(): void {
        if (this.#isDisposed) {
            return;
        }
        this.#isDisposed = true;
        finalisers?.unregister(this);
        this.#instance.release(this.#free, this.#held.pointer, this.#held.generation);
        this.#held.generation = -2;
    }
}

/** Frees resources that were not disposed of when they are collected. Undefined if the platform has no finalizers. */
const finalisers =
    typeof FinalizationRegistry === "undefined"
        ? undefined
        : new FinalizationRegistry(({ instance, free, held }: { instance: Instance; free: string; held: Held }) =>
              instance.release(free, held.pointer, held.generation),
          );

/**
 * Converts a host to ASCII with the platform's `URL`, because the modules contain no Unicode tables. Returns an empty
 * string for an invalid host.
 */
function inAscii(host: string): string {
    try {
        return new URL(`http://${host}/`).hostname;
    } catch {
        return "";
    }
}
