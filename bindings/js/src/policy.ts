/// <reference lib="esnext.disposable" preserve="true" />
// `Policy`: the rules of one body for one crawler.

import { engine } from "#engine";
import { type Bytes, bytesOf, Resource } from "./instance.js";
import { type Agent, named, type Reading, readingWord } from "./question.js";
import { type Verdict, verdictOf } from "./verdict.js";

/** The rules of one robots.txt for one crawler: read once, ask as often as you like. It never changes.
 *
 * Its memory is freed by `dispose`, by `using`, or some time after nothing refers to it any more. */
export class Policy {
    readonly #resource: Resource;

    /** `policy` and `RobotsTxt.policy` make one. The body must not change. */
    constructor(body: Bytes, agent: Agent, reading: Reading) {
        const { names, word } = named(agent);
        const asked = word | readingWord(reading);
        const make = (): number => engine.ask("policy_read", [], [names, body], [asked]);
        this.#resource = new Resource(engine, make, "policy_free");
        this.#resource.pointer();
    }

    /** Whether the crawler may fetch the URL, which is absolute or starts with `/`. */
    allowed(url: Bytes): boolean {
        return engine.askAbout("policy_allowed", this.#resource.pointer(), url) === 1;
    }

    /** Whether the crawler may fetch the URL, and why. */
    verdict(url: Bytes): Verdict {
        engine.askAbout("policy_verdict", this.#resource.pointer(), url);
        return verdictOf(engine);
    }

    /** Frees its memory. */
    dispose(): void {
        this.#resource.dispose();
    }

    [Symbol.dispose](): void {
        this.dispose();
    }
}

/** The rules of a body for one crawler. */
export function policy(body: Bytes, agent: Agent, reading: Reading = {}): Policy {
    return new Policy(typeof body === "string" ? body : bytesOf(body), agent, reading);
}
