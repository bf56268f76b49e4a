-- A file as the third version of the form had it.
CREATE TABLE authority (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE            -- https://example.com
, snapshots INTEGER NOT NULL DEFAULT 0, octets INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE body (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,           -- SHA-256, 32 octets
    octets BLOB NOT NULL
) STRICT;
CREATE TABLE snapshot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    authority INTEGER NOT NULL REFERENCES authority (id),
    profile TEXT NOT NULL,               -- rfc9309: what counts as copy, streak and fresh
    ended_at INTEGER NOT NULL,           -- all times in Unix seconds, all lengths in seconds
    outcome TEXT NOT NULL,               -- successful http 200
    stated_lifetime INTEGER,
    retry_after INTEGER,
    hops TEXT NOT NULL,                  -- http 200 https://example.com/robots.txt, a line a hop
    headers BLOB NOT NULL,               -- name: value, a line a field
    warnings TEXT NOT NULL,              -- not-text-plain text/html, a line a warning
    peer TEXT,
    fresh_until INTEGER NOT NULL,
    body INTEGER REFERENCES body (id),
    copy_body INTEGER REFERENCES body (id), -- the last good copy as it was known then
    copy_url TEXT,
    copy_entity_tag BLOB,
    copy_last_modified BLOB,
    copy_validated_at INTEGER,
    copy_stated_lifetime INTEGER,
    streak_first_at INTEGER,             -- the failures in a row as they were counted then
    streak_failures INTEGER,
    streak_jitter INTEGER                -- thousandths
) STRICT;
CREATE INDEX snapshot_with_body ON snapshot (body);
CREATE INDEX snapshot_with_copy ON snapshot (copy_body);
CREATE TABLE lease (
    token INTEGER PRIMARY KEY AUTOINCREMENT,
    authority TEXT NOT NULL UNIQUE,
    holder TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    until INTEGER NOT NULL
) STRICT;
CREATE TABLE total (                     -- one row
    authorities INTEGER NOT NULL,
    snapshots INTEGER NOT NULL,
    bodies INTEGER NOT NULL,
    body_octets INTEGER NOT NULL,
    swept_to INTEGER,                    -- the authority up to which a sweep in pieces has come
    sweep_began_at INTEGER               -- the last sweep in pieces
) STRICT;
CREATE INDEX snapshot_of_authority ON snapshot (authority, id, ended_at);
CREATE TABLE delivery (
    authority TEXT NOT NULL,
    receiver TEXT NOT NULL,
    event TEXT NOT NULL,                 -- the id of the event that it took
    delivered_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    body BLOB,
    PRIMARY KEY (authority, receiver)
) STRICT;
INSERT INTO authority VALUES (1, 'https://h.example', 2, 1152921504606846976);
INSERT INTO body VALUES (1, x'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', x'61');
INSERT INTO body VALUES (2, x'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603', x'6162');
INSERT INTO snapshot VALUES (1, 1, 'rfc9309', 1800000000, 'successful http 200', NULL, NULL, 'http 200 https://h.example/robots.txt', x'', '', NULL, 1800000000, 1, 1, 'https://h.example/robots.txt', NULL, NULL, 1800000000, NULL, NULL, NULL, NULL);
INSERT INTO snapshot VALUES (2, 1, 'rfc9309', 1800000060, 'successful http 200', NULL, NULL, 'http 200 https://h.example/robots.txt', x'', '', NULL, 1800000060, 2, 2, 'https://h.example/robots.txt', NULL, NULL, 1800000060, NULL, NULL, NULL, NULL);
INSERT INTO total VALUES (1, 2, 2, 3, NULL, NULL);
CREATE TRIGGER authority_comes AFTER INSERT ON authority BEGIN
    UPDATE total SET authorities = authorities + 1; END;
CREATE TRIGGER authority_goes AFTER DELETE ON authority BEGIN
    UPDATE total SET authorities = authorities - 1; END;
CREATE TRIGGER snapshot_comes AFTER INSERT ON snapshot BEGIN
    UPDATE total SET snapshots = snapshots + 1; END;
CREATE TRIGGER snapshot_goes AFTER DELETE ON snapshot BEGIN
    UPDATE total SET snapshots = snapshots - 1; END;
CREATE TRIGGER body_comes AFTER INSERT ON body BEGIN
    UPDATE total SET bodies = bodies + 1, body_octets = body_octets + length(new.octets); END;
CREATE TRIGGER body_goes AFTER DELETE ON body BEGIN
    UPDATE total SET bodies = bodies - 1, body_octets = body_octets - length(old.octets); END;
CREATE TRIGGER body_heals AFTER UPDATE OF octets ON body BEGIN
    UPDATE total SET body_octets = body_octets - length(old.octets) + length(new.octets); END;
PRAGMA application_id = 1448232786;
PRAGMA user_version = 3;
PRAGMA journal_mode = WAL;
