// The cases in workerd, the runtime of Cloudflare Workers.

import cases from "cases.jsonl";
import { run } from "./cases.js";

export default {
    test() {
        console.log(`workerd: ${JSON.stringify(run(cases))}`);
    },
};
