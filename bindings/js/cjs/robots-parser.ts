// `require("verger/robots-parser")` returns the function itself, like robots-parser.

import { type Robot as RobotOf, robotsParser as parser } from "../src/robots-parser.js";

const robotsParser = Object.assign(parser, { default: parser, robotsParser: parser });

declare namespace robotsParser {
    export type Robot = RobotOf;
}

export = robotsParser;
