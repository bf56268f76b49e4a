/// <reference lib="esnext.disposable" preserve="true" />
// `Policy`: the rules of one body for one crawler.

import { engine } from "#engine";
import { owner } from "#listing";
import type { ParsedFile } from "./answers.js";
import { type Bytes, type Target, targetOf, type Text, textOf } from "./argument.js";
import { bytesOf } from "./bytes.js";
import { Resource } from "./instance.js";
import { INSPECT, type Inspect, shown, written } from "./inspect.js";
import { type Agent, type AgentQuestion, type AskedCrawler, crawlerOf, type Dialect, type Reading, type ReadingOption } from "./question.js";
import { typedLine } from "./typed.js";
import { type Rule, type Verdict, verdictOf } from "./verdict.js";

/** The contents of a policy. */
export interface PolicyJson {
    /** The crawler, as given. */
    agent: Agent;
    /** The document by which the body was read. */
    dialect: Dialect;
    /** The deviations from the dialect. */
    options: readonly ReadingOption[];
    /** The rules of the groups that apply, in file order. */
    rules: readonly Rule[];
}

/**
 * The rules of one robots.txt for one crawler. Immutable. Read the body once, and query it often.
 *
 * `dispose`, `using` or garbage collection frees its memory.
 */
export class Policy {
    readonly #resource: Resource;
    readonly #body: Text;
    readonly #asked: AskedCrawler;

    /** Use `policy` or `RobotsTxt.policy` instead. The body must not change. */
    private constructor(body: Text, asked: AskedCrawler) {
        this.#body = body;
        this.#asked = asked;
        const make = (): number => engine.ask("policy_read", [], [asked.names, body], [asked.word]);
        this.#resource = new Resource(engine, make, "policy_free");
        this.#resource.pointer();
    }

    /** @internal */
    static of(body: Text, asked: AskedCrawler): Policy {
        return new Policy(body, asked);
    }

    /**
     * Returns whether the crawler may fetch a URL. It is bound, so `urls.filter(policy.allowed)` works.
     *
     * @param url The URL, absolute or as a path that starts with `/`.
     * @throws {TargetError} if it is neither.
     * @throws {DisposedError} after `dispose`.
     */
    readonly allowed = (url: Target): boolean =>
        engine.askAbout("policy_allowed", this.#resource.pointer(), typeof url === "string" ? url : targetOf(url)) === 1;

    /**
     * Like `allowed`, and returns the deciding rule and group.
     *
     * @param url The URL, absolute or as a path that starts with `/`.
     * @throws As `allowed`.
     */
    readonly verdict = (url: Target): Verdict => {
        engine.askAbout("policy_verdict", this.#resource.pointer(), targetOf(url));
        return verdictOf(engine);
    };

    /** Frees the memory of the policy. Queries throw from then on. */
    dispose(): void {
        this.#resource.dispose();
    }

    /** Calls `dispose`, for `using`. */
    [Symbol.dispose](): void {
        this.dispose();
    }

    /**
     * Returns the crawler, the reading and the rules. They are in the owner's module, like the contents of `RobotsTxt`.
     *
     * @throws {ModuleError} in browsers, if `verger/owner` was not imported.
     */
    toJSON(): PolicyJson {
        const { agent, reading, word, names } = this.#asked;
        const { dialect = "rfc9309", options = [] } = reading;
        const file = typedLine<ParsedFile>(owner.call("parse", { asked: word }, names, this.#body));
        return { agent, dialect, options, rules: file.mergedGroup?.rules ?? [] };
    }

    /**
     * Shows the crawler, the dialect and the rules, in `console.log` of Node, Deno and Bun.
     *
     * @internal
     */
    [INSPECT](depth: number, options: object, inspect: Inspect): string {
        const { agent, dialect, rules } = this.toJSON();
        return shown("Policy", { agent, dialect, rules: written(rules) }, depth, options, inspect);
    }
}

/**
 * Reads the rules of a body for one crawler, to query several URLs.
 *
 * @param body The robots.txt.
 * @param question The crawler and the reading.
 * @throws {ProductTokenError} if the crawler is not a product token.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function policy(body: Bytes, question: AgentQuestion): Policy;
/**
 * Reads the rules of a body for one crawler, to query several URLs.
 *
 * @param body The robots.txt.
 * @param agent The crawler.
 * @param options How the body is read.
 * @throws {ProductTokenError} if `agent` is not a product token.
 * @throws {ArgumentError} if an argument has the wrong type or an option does not exist.
 */
export function policy(body: Bytes, agent: Agent, options?: Reading): Policy;
export function policy(body: Bytes, agent: Agent | AgentQuestion, options?: Reading): Policy {
    const text = textOf(body, "body");
    return Policy.of(typeof text === "string" ? text : bytesOf(text), crawlerOf("policy", agent, options));
}
