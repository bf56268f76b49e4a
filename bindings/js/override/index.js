module.exports = require("verger/robots-parser");
