// The arguments and answers of the access machine.

import type { BodyLimit, BodyWarning, CommandAnswer, CrawlerTokens, DialectVerdict, StatedPreferences } from "./answers.js";

/** An access profile, described in docs/profiles.md. */
export type Profile = "rfc9309" | "google" | "google-2023" | "draft2019" | "koster1996" | "cautious";

/** How an authority is treated: by its rules, fully allowed or disallowed, by an older copy, or not for now. */
export type Stance = "rules" | "open" | "closed" | "copy" | "defer";

/** Why a response is missing or incomplete. */
export type TransportFailure =
    | "address-refused"
    | "chunking"
    | "connect"
    | "content-encoding"
    | "dns"
    | "protocol"
    | "reset"
    | "timeout"
    | "tls"
    | "truncated";

/** Names and values of headers as received. Each character of a value is one byte. */
export type Fields = readonly (readonly [string, string])[];

/** A response, of which a transport has read as much of the body as matters. */
export interface ResponseArrival {
    /** The status code. */
    status: number;
    /** The headers. */
    headers: Fields;
    /** The decoded body. */
    body: Uint8Array;
    /** Whether the rest of the body was not read. */
    isCut: boolean;
}

/** A response that is missing or incomplete. */
export interface FailureArrival {
    /** Why it is missing. */
    failure: TransportFailure;
    /** A sentence for readers. */
    detail: string;
}

/** A file that was read over FTP. */
export interface FtpFileArrival {
    /** The file. */
    ftpFile: Uint8Array;
    /** Whether the rest of the file was not read. */
    isCut: boolean;
}

/** A reply of an FTP server that ends a request. */
export interface FtpReplyArrival {
    /** The reply code. */
    ftpReply: number;
}

/** The outcome of a request. */
export type Arrival = ResponseArrival | FailureArrival | FtpFileArrival | FtpReplyArrival;

/** What happened to a robots.txt. */
export interface AccessResult {
    /** The kind of result, by RFC 9309. */
    result: "successful" | "unavailable" | "unreachable";
    /** A sentence that says what happened. */
    what: string;
    /** The id of the clause that defines the result. */
    clause: string;
}

/** The state of an authority. */
export interface AccessState {
    /** The access profile. */
    profile: Profile;
    /** How the authority is treated, or null if nothing is known. */
    stance: Stance | null;
    /** The result of the last fetch, or null. */
    accessResult: AccessResult | null;
    /** The id of the clause that defines this stance. */
    clause: string | null;
    /** Whether an override answers in place of the site. Always false here. */
    overridden: boolean;
    /** Names the missing facts, if too little is known. */
    missing: string | null;
    /** The first second in which the answer may change, in RFC 3339. */
    freshUntil: string | null;
    /** When to fetch the robots.txt again, in RFC 3339. */
    askAgainAt: string | null;
    /** When the last fetch ended, in RFC 3339. */
    seenAt: string | null;
    /** When the last good body was last confirmed, in RFC 3339. */
    bodySeenAt: string | null;
    /** Always null, because stores of this package do not number snapshots. */
    snapshot: number | null;
    /** Why the result was not stored. */
    notKept: string | null;
    /** The SHA-256 of the body whose rules decide. */
    bodySha256: string | null;
}

/** The state of an authority under a profile. */
export interface Answer extends AccessState {
    /** The scheme, host and port. */
    authority: string;
    /** The URL of the robots.txt. */
    robotsUrl: string;
    /** The dialect of the profile. */
    dialect: DialectVerdict["dialect"];
    /** When to fetch the robots.txt again, in milliseconds since 1970. */
    dueAt: number;
    /** When the answer may change, in milliseconds since 1970. */
    holdsUntil: number;
    /** Whether the rules of a body decide. */
    hasBody: boolean;
}

/** An answer about a URL. Its JSON is `verger.check/1`, as the command prints it for an authority. */
export interface Check extends Omit<DialectVerdict, "reason">, AccessState, CommandAnswer {
    /** The crawler as given. */
    agent: string;
    /** The crawler as it was looked up. */
    crawler: CrawlerTokens;
    /** The URL as given. */
    url: string;
    /** The reason of the verdict. `stance` if no rules decide, `unknown` if nothing is known. */
    reason: DialectVerdict["reason"] | "stance" | "unknown";
    /** The path and query that a client sends, if they differ from the URL. */
    sentAs: string | null;
    /** The line of the `*` group that the crawler ignores, or null. */
    ignoredStar: number | null;
    /** The size limit, if the answer depends on it. */
    bodyLimit: BodyLimit | null;
    /** Warnings about the body. */
    warnings: BodyWarning[];
    /** The preferences that the file states about the uses of the content, if any. */
    preferences?: StatedPreferences;
}

/** The authority of a URL. */
export interface Located {
    /** The scheme, host and port. */
    authority: string;
    /** The URL of its robots.txt. */
    robotsUrl: string;
    /** The scheme. */
    scheme: string;
}

/** A request of a fetch. */
export interface Hop {
    /** The URL. */
    url: string;
    /** The reply, such as `http 301` or `ftp 226`, or null without one. */
    reply: string | null;
    /** The status or reply code, or null without one. */
    status: number | null;
    /** Details of a failure, or null. */
    detail: string | null;
}

/** Something unusual about a fetch. */
export interface Warning {
    /** The kind of warning, such as `not-text-plain`. */
    kind: string;
    /** A sentence for readers. */
    message: string;
    /** The id of the clause that applies. */
    clause: string;
}

/** A choice of a profile in one situation. */
export interface ProfileChoice {
    /** The situation. */
    what: string;
    /** The choice of the profile. */
    chosen: string;
    /** The id of the clause, or null. */
    clause: string | null;
}

/** An access profile and its choices. Its JSON is a line of `verger.profile/1`. */
export interface ProfileLine extends CommandAnswer {
    /** The name of the profile. */
    name: Profile;
    /** The dialect in which it reads. */
    dialect: DialectVerdict["dialect"];
    /** Its choices. */
    choices: ProfileChoice[];
}
