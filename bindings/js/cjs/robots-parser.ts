// `require("verger/robots-parser")`: the function itself, as robots-parser exports it.

import { robotsParser } from "../src/robots-parser.js";

export = Object.assign(robotsParser, { default: robotsParser, robotsParser });
