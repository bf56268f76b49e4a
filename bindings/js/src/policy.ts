/// <reference lib="esnext.disposable" preserve="true" />
// `Policy`: the rules of one body for one crawler.

import { engine } from "#engine";
import { type Bytes, bytesOf, Resource } from "./instance.js";
import { type Agent, named, type Reading, readingWord } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

/**
 * The rules of one robots.txt for one crawler. Immutable. Read the body once, and query it often.
 *
 * `dispose`, `using` or garbage collection frees its memory.
 */
export class Policy {
    readonly #resource: Resource;

    /** Use `policy` or `RobotsTxt.policy` instead. The body must not change. */
    constructor(body: Bytes, agent: Agent, reading: Reading) {
        const { names, word } = named(agent);
        const asked = word | readingWord(reading);
        const make = (): number => engine.ask("policy_read", [], [names, body], [asked]);
        this.#resource = new Resource(engine, make, "policy_free");
        this.#resource.pointer();
    }

    /**
     * Returns whether the crawler may fetch `url`, which is absolute or starts with `/`.
     *
     * @throws {TargetError} if it is neither.
     */
    allowed(url: Bytes): boolean {
        return engine.askAbout("policy_allowed", this.#resource.pointer(), url) === 1;
    }

    /** Like `allowed`, and returns the deciding rule and group. */
    verdict(url: Bytes): Verdict {
        engine.askAbout("policy_verdict", this.#resource.pointer(), url);
        return verdictOf(engine);
    }

    dispose(): void {
        this.#resource.dispose();
    }

    [Symbol.dispose](): void {
        this.dispose();
    }
}

/** Reads the rules of a body for one crawler. */
export function policy(body: Bytes, agent: Agent, reading: Reading = {}): Policy {
    return new Policy(typeof body === "string" ? body : bytesOf(body), agent, reading);
}
