// The cases in Node.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { run } from "./cases.js";

test("every case is answered as stated", () => {
    const counts = run(readFileSync(new URL("../tmp/cases.jsonl", import.meta.url), "utf8"));
    assert.ok(counts.case > 200 && counts.answer > 5, JSON.stringify(counts));
});
