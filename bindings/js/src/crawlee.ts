/**
 * Crawlee's `respectRobotsTxtFile` by an access profile: a robots.txt that cannot be fetched closes its site where the
 * profile says so, each is fetched once for all tasks, and it is fetched again when its time is over.
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
 * The crawler is that of the client, unless `respectRobotsTxtFile: { userAgent }` names another one than `*`.
 *
 * @module
 */

import type { RobotsClient } from "./access-client.js";
import type { Answer } from "./access-machine.js";
import { allowed } from "./index.js";
import { textOf } from "./instance.js";

/** A robots.txt as Crawlee has it. */
interface CrawleeFile {
    isAllowed(url: string, userAgent?: string): boolean;
}

/** Crawlee's `RobotsTxtFile`. */
export interface CrawleeRobotsTxtFile<F extends CrawleeFile> {
    from(url: string, content: string, proxyUrl?: string): F;
}

// The base of a mixin takes whatever its own constructor does.
type Constructor = new (...given: any[]) => object;

/** What a site is that is closed or deferred, or whose robots.txt could not be asked for. */
const CLOSED = "User-agent: *\nDisallow: /\n";

const FILES_MAX = 100;

/** A crawler class of Crawlee that takes its answers from `client`. Its calls about sitemaps are Crawlee's.
 *
 * Crawlee asks about requests before they are sent, and not about redirects of pages: `verger/gate` does. */
export function withVerger<C extends Constructor, F extends CrawleeFile>(
    Crawler: C,
    RobotsTxtFile: CrawleeRobotsTxtFile<F>,
    client: RobotsClient,
): C {
    const files = new Map<string, F>();

    async function fileFor(url: string): Promise<F> {
        let found;
        try {
            found = await client.file(url);
        } catch {
            // What cannot be asked for is not fetched.
            const closed = RobotsTxtFile.from(url, CLOSED);
            Object.defineProperty(closed, "isAllowed", { value: () => false });
            return closed;
        }
        const { answer, body } = found;
        const key = JSON.stringify([answer.authority, answer.stance, answer.seen_at, answer.fresh_until]);
        const kept = files.get(key);
        if (kept !== undefined) {
            return kept;
        }
        const content = answer.stance === "open" ? "" : body === undefined ? CLOSED : textOf(body);
        const file = RobotsTxtFile.from(answer.robots_url, content);
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

/** Makes a file answer as the client does. Of another site it says what Crawlee's own says: that is asked about when
 * the request is sent. */
function decideBy(file: CrawleeFile, client: RobotsClient, answer: Answer, content: string): void {
    const site = new URL(answer.robots_url).origin;
    const isAllowed = (url: string, userAgent = "*"): boolean => {
        if (originOf(url) !== site) {
            return true;
        }
        // Crawlee asks for `*` where it is given no crawler.
        const agents = userAgent === "*" ? client.agents : [userAgent];
        const decision = client.decideFromMemory(url, agents);
        return decision?.allowed ?? allowed(content, agents.length === 0 ? "*" : agents, url, { dialect: answer.dialect });
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
