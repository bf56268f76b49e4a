export { default } from "verger/robots-parser";
