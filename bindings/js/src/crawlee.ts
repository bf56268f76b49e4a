/**
 * Makes Crawlee's `respectRobotsTxtFile` follow an access profile. A site whose robots.txt cannot be fetched is closed
 * if the profile says so. Each file is fetched once for all tasks, and again when it expires.
 *
 * ```js
 * import { CheerioCrawler, RobotsTxtFile } from "crawlee";
 * import { RobotsClient } from "verger/access";
 * import { withVerger } from "verger/crawlee";
 *
 * const client = new RobotsClient({ agent: "ExampleBot" });
 * const Crawler = withVerger(CheerioCrawler, RobotsTxtFile, client);
 * const crawler = new Crawler({ respectRobotsTxtFile: true, requestHandler });
 * ```
 *
 * The crawler is the client's, unless `respectRobotsTxtFile: { userAgent }` names one other than `*`.
 *
 * @module
 */

import type { Answer } from "./access-answers.js";
import type { RobotsClient } from "./access-client.js";
import { CALL, required, withMethods } from "./argument.js";
import { allowed } from "./index.js";
import { decoded } from "./bytes.js";
import { withToken } from "./question.js";

/** The part of an instance of Crawlee's `RobotsTxtFile` that `withVerger` replaces. */
export interface CrawleeFile {
    /** Returns whether the crawler may fetch the URL. */
    isAllowed(url: string, userAgent?: string): boolean;
}

/** The part of Crawlee's `RobotsTxtFile` that `withVerger` uses. */
export interface CrawleeRobotsTxtFile<F extends CrawleeFile> {
    /** Makes a file from its text. */
    from(url: string, content: string, proxyUrl?: string): F;
}

/** A class with any constructor arguments, as a mixin needs. */
export type Constructor = new (...given: any[]) => object;

/** The file of a site that is closed or deferred, or whose URL cannot be requested. */
const CLOSED = "User-agent: *\nDisallow: /\n";

const FILES_MAX = 100;

/**
 * Returns a subclass of a Crawlee crawler that takes its answers from `client`. Sitemap calls remain Crawlee's.
 *
 * Crawlee checks requests, but not redirects of pages. Use `verger/gate` for those.
 *
 * @param Crawler A class of Crawlee, such as `CheerioCrawler`.
 * @param RobotsTxtFile Crawlee's class of that name.
 * @param client The client that decides.
 * @throws {ArgumentError} if an argument has the wrong type.
 */
export function withVerger<C extends Constructor, F extends CrawleeFile>(
    Crawler: C,
    RobotsTxtFile: CrawleeRobotsTxtFile<F>,
    client: RobotsClient,
): C {
    required("Crawler", Crawler, CALL, "withVerger");
    required("RobotsTxtFile", RobotsTxtFile, CALL, "withVerger");
    required("client", client, withMethods("file", "decideFromMemory"), "withVerger");
    const files = new Map<string, F>();

    async function fileFor(url: string): Promise<F> {
        let found;
        try {
            found = await client.file(url);
        } catch {
            const closed = RobotsTxtFile.from(url, CLOSED);
            Object.defineProperty(closed, "isAllowed", { value: () => false });
            return closed;
        }
        const { answer, body } = found;
        const key = JSON.stringify([answer.authority, answer.stance, answer.seenAt, answer.freshUntil]);
        const kept = files.get(key);
        if (kept !== undefined) {
            return kept;
        }
        const content = answer.stance === "open" ? "" : body === undefined ? CLOSED : decoded(body);
        const file = RobotsTxtFile.from(answer.robotsUrl, content);
        decideBy(file, client, answer, content);
        files.set(key, file);
        for (const oldest of files.keys()) {
            if (files.size <= FILES_MAX) {
                break;
            }
            files.delete(oldest);
        }
        return file;
    }

    return class extends Crawler {
        protected async getRobotsTxtFileForUrl(url: string): Promise<F | undefined> {
            const { respectRobotsTxtFile } = this as { respectRobotsTxtFile?: unknown };
            return respectRobotsTxtFile ? fileFor(url) : undefined;
        }
    };
}

/**
 * Makes `file` answer like the client. It allows URLs of other sites, as Crawlee's own class does, because Crawlee
 * checks those when it sends the request.
 */
function decideBy(file: CrawleeFile, client: RobotsClient, answer: Answer, content: string): void {
    const site = new URL(answer.robotsUrl).origin;
    const isAllowed = (url: string, userAgent = "*"): boolean => {
        if (originOf(url) !== site) {
            return true;
        }
        // Crawlee passes `*` if no crawler is configured.
        const ask = (agents: readonly string[]): boolean =>
            client.decideFromMemory(url, agents)?.allowed
            ?? allowed(content, url, agents.length === 0 ? "*" : agents, { dialect: answer.dialect });
        return userAgent === "*" ? ask(client.agents) : withToken(userAgent, (token) => ask([token]));
    };
    Object.defineProperty(file, "isAllowed", { value: isAllowed, configurable: true });
}

function originOf(url: string): string | undefined {
    try {
        return new URL(url).origin;
    } catch {
        return undefined;
    }
}
