// An instance of one of the modules: texts go into its memory, and one call answers.
//
// A trap ends an instance, and the next call has a new one. What lives in a module is a `Resource`, which
// can be made anew, so that objects outlive the instance that they were made in.

import { DisposedError, failureOf, HostsWanted, InternalError, VergerError } from "./errors.js";

/** Bytes: a string stands for its UTF-8, in which a lone surrogate is U+FFFD. */
export type Bytes = string | Uint8Array;

/** Memory from which on an instance is replaced once no resource lives in it. */
const MEMORY_BYTES_MAX = 64 << 20;

/** A scratch buffer has at least so many bytes, and is not kept where it has more than these. */
const SCRATCH_BYTES_MIN = 64 << 10;
const SCRATCH_BYTES_KEPT = 4 << 20;

/** A text of so many characters is written faster one by one than by the platform's encoder. */
const SHORT = 128;

/** What a function returns that failed: the words of the answer name a failure. */
const FAILED = 2;

/** The separator of texts that go in as one: no text in UTF-8 has it. */
const SEPARATOR = 0xff;

type Exports = Record<string, (...numbers: number[]) => number> & { memory: WebAssembly.Memory };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of bytes, in which U+FFFD stands for what is not UTF-8. */
export function textOf(bytes: Uint8Array): string {
    return decoder.decode(bytes);
}

/** An argument as JSON; its texts are well-formed as all others: a lone surrogate is U+FFFD. */
function jsonOf(argument: object): string {
    return JSON.stringify(argument, (_, value: unknown) =>
        typeof value === "string" ? textOf(encoder.encode(value)) : value,
    );
}

/** What was given, where it is text or bytes. What it is not, such as an `ArrayBuffer` or a promise, has no length,
 * and would be an empty text, by which everything is allowed. */
function bytesOnly<T extends Bytes>(given: T): T {
    const isBytes = ArrayBuffer.isView(given) && given[Symbol.toStringTag] === "Uint8Array";
    if (typeof given !== "string" && !isBytes) {
        throw new TypeError("a text or a Uint8Array is needed");
    }
    return given;
}

/** The bytes of a text; of bytes a copy, which no other code changes. */
export function bytesOf(given: Bytes): Uint8Array {
    bytesOnly(given);
    return typeof given === "string" ? encoder.encode(given) : given.slice();
}

/** Several names as one text. */
export function joined(names: readonly string[]): Bytes {
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

    /** An instance of the `WebAssembly.Module`, made at the first call. The types of the package do not need that of
     * the DOM. */
    constructor(module: () => object) {
        this.#module = module;
    }

    /** Counts instances: a pointer is good in the one in which it was made. */
    get generation(): number {
        return this.#generation;
    }

    /** Bytes of memory that the instance takes; 0 where there is none. */
    get memoryBytes(): number {
        return this.#exports?.memory.buffer.byteLength ?? 0;
    }

    /** Asks a question by its name: what is asked goes in as JSON, and bytes beside it. Returns JSON, or
     * JSON Lines. A failure is thrown. */
    call(name: string, argument: object, ...bytes: Bytes[]): string {
        return textOf(this.callForBytes(name, argument, ...bytes));
    }

    /** As `call`, for an answer that is not text: bytes of the module's memory, as they are until the next call. */
    callForBytes(name: string, argument: object, ...bytes: Bytes[]): Uint8Array {
        const texts = bytes.map((one) => (typeof one === "string" ? encoder.encode(one) : bytesOnly(one)));
        const lengths = new Uint8Array(Uint32Array.from(texts, (text) => text.length).buffer);
        const hosts: Record<string, string | null> = {};
        for (;;) {
            try {
                this.ask("call", [], [lengths, name, jsonOf({ ...argument, hosts }), concatenated(texts)], []);
                return this.#answered();
            } catch (error) {
                if (!(error instanceof HostsWanted)) {
                    throw error;
                }
                for (const host of error.message.split("\n")) {
                    hosts[host] = inAscii(host);
                }
            }
        }
    }

    /** Calls a function, which takes the numbers `before`, the lengths of the texts, and the numbers `after`.
     * Returns its number; a failure is thrown. */
    ask(name: string, before: number[], texts: readonly Bytes[], after: number[]): number {
        texts.forEach(bytesOnly);
        let result;
        try {
            if (this.#resources === 0 && this.memoryBytes > MEMORY_BYTES_MAX) {
                this.#end();
            }
            const exports = this.#started();
            result = exports[name]!(...before, ...this.#written(exports, texts), ...after);
        } catch (error) {
            return this.#failed(name, error);
        }
        if (result !== FAILED) {
            return result;
        }
        const failure = failureOf(textOf(this.#answered()));
        if (failure instanceof HostsWanted && name !== "call") {
            this.ask("host_known", [], [failure.message, inAscii(failure.message) ?? ""], []);
            return this.ask(name, before, texts, after);
        }
        throw failure;
    }

    /** As `ask` with a pointer and a short text: what is asked most often makes no arrays. */
    askAbout(name: string, pointer: number, text: Bytes): number {
        const isShort = typeof text === "string" && text.length <= Math.min(SHORT, this.#capacity);
        if (!isShort || this.#capacity > SCRATCH_BYTES_KEPT || this.#exports === undefined) {
            return this.ask(name, [pointer], [text], []);
        }
        this.#seeMemory(this.#exports);
        const [memory, scratch, length] = [this.#memory, this.#scratch, text.length];
        for (let at = 0; at < length; at += 1) {
            const unit = text.charCodeAt(at);
            if (unit > 0x7f) {
                return this.ask(name, [pointer], [text], []);
            }
            memory[scratch + at] = unit;
        }
        let result;
        try {
            result = this.#exports[name]!(pointer, length);
        } catch (error) {
            return this.#failed(name, error);
        }
        return result === FAILED ? this.ask(name, [pointer], [text], []) : result;
    }

    /** The first words of the answer to the last call. */
    words(count: number): Uint32Array {
        return new Uint32Array(this.#started().memory.buffer, this.#answer, count);
    }

    /** Bytes of the module's memory, as they are until the next call. */
    bytes(place: number, length: number): Uint8Array {
        return new Uint8Array(this.#started().memory.buffer, place, length);
    }

    /** Counts a resource that now lives in the instance. */
    hold(): void {
        this.#resources += 1;
    }

    /** Frees a resource of that generation by that function. */
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

    /** A trap ends the instance. */
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

    /** The next call has a new instance, in which resources are made anew. */
    #end(): void {
        this.#exports = undefined;
        this.#memory = new Uint8Array();
        this.#capacity = -1;
        this.#resources = 0;
        this.#generation += 1;
    }

    /** Writes the texts one after the other, and returns their lengths. */
    #written(exports: Exports, texts: readonly Bytes[]): number[] {
        let needed = 0;
        for (const text of texts) {
            needed += typeof text === "string" ? text.length * 3 : text.length;
        }
        const isSpare = this.#capacity > SCRATCH_BYTES_KEPT && needed <= SCRATCH_BYTES_KEPT;
        if (needed > this.#capacity || isSpare) {
            this.#capacity = Math.max(needed, SCRATCH_BYTES_MIN);
            // As a number without a sign: from 2 GiB on, one with a sign is negative.
            this.#scratch = exports["scratch"]!(this.#capacity) >>> 0;
        }
        this.#seeMemory(exports);
        let at = this.#scratch;
        return texts.map((text) => {
            const length = this.#write(text, at);
            at += length;
            return length;
        });
    }

    /** The memory is another object once it has grown. */
    #seeMemory({ memory: { buffer } }: Exports): void {
        if (this.#memory.buffer !== buffer) {
            this.#memory = new Uint8Array(buffer);
        }
    }

    #write(text: Bytes, at: number): number {
        if (typeof text === "string") {
            // Into a view of 2 GiB and more, Node 20 writes nothing.
            const { read, written } = encoder.encodeInto(text, this.#memory.subarray(at, at + text.length * 3));
            if (read !== text.length) {
                throw new Error("a text was not written");
            }
            return written;
        }
        this.#memory.set(text, at);
        return text.length;
    }
}

/** What lives in an instance, apart from the object that it belongs to, so that that one can be collected. */
interface Held {
    pointer: number;
    generation: number;
}

/** Something that lives in an instance, as long as its owner does or until `dispose`. */
export class Resource {
    readonly #instance: Instance;
    readonly #make: () => number;
    readonly #free: string;
    readonly #held: Held = { pointer: 0, generation: -1 };
    #isDisposed = false;

    /** `make` makes it, at the first need and again in an instance that takes the place of another; `free` is
     * the function that frees it. */
    constructor(instance: Instance, make: () => number, free: string) {
        this.#instance = instance;
        this.#make = make;
        this.#free = free;
    }

    /** Its pointer in the instance of now. */
    pointer(): number {
        if (this.#held.generation === this.#instance.generation) {
            return this.#held.pointer;
        }
        if (this.#isDisposed) {
            throw new DisposedError("this object was disposed of");
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

/** Frees what was not disposed of, once its object is collected; absent where the platform has none. */
const finalisers =
    typeof FinalizationRegistry === "undefined"
        ? undefined
        : new FinalizationRegistry(({ instance, free, held }: { instance: Instance; free: string; held: Held }) =>
              instance.release(free, held.pointer, held.generation),
          );

/** A host as the platform writes it in ASCII; null where it is none. The modules have no tables of Unicode. */
function inAscii(host: string): string | null {
    try {
        return new URL(`http://${host}/`).hostname;
    } catch {
        return null;
    }
}

function concatenated(texts: readonly Uint8Array[]): Uint8Array {
    const whole = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
    let at = 0;
    for (const text of texts) {
        whole.set(text, at);
        at += text.length;
    }
    return whole;
}
