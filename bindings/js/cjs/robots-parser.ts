// `require("verger/robots-parser")`: the function itself, as robots-parser exports it.

import { type Robot as RobotOf, robotsParser as parser } from "../src/robots-parser.js";

const robotsParser = Object.assign(parser, { default: parser, robotsParser: parser });

declare namespace robotsParser {
    export type Robot = RobotOf;
}

export = robotsParser;
