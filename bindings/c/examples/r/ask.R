# Queries a robots.txt through .Call.
dyn.load(file.path(Sys.getenv("VERGER_R", "."), paste0("verger", .Platform$dynlib.ext)))

body <- "User-agent: *\nDisallow: /private/\nAllow: /private/press/\n"
policy <- .Call("verger_parse_r", charToRaw(body), "ExampleBot")
urls <- c("/", "/private/x", "/private/press/1", "no URL", NA)
print(.Call("verger_decide_r", policy, urls))

message <- tryCatch(.Call("verger_parse_r", charToRaw(body), "Example Bot"),
                    error = function(e) conditionMessage(e))
cat(message, "\n", sep = "")
rm(policy)
invisible(gc())
