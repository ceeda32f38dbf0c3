# Where the program is and how it is run. Everything happens in a folder of its own below tempdir(), which is removed.

# The words that start scrim, or an error that says what is missing.
scrim_words <- function() {
  given <- getOption("scrim.command", Sys.getenv("SCRIM_COMMAND", ""))
  if (length(given) > 1) return(given)
  if (nzchar(given)) return(if (grepl("\\.m?js$", given)) c(node(), given) else given)
  own <- system.file("scrim", "bin", "scrim.js", package = "scrim")
  if (nzchar(own)) return(c(node(), own))
  installed <- Sys.which("scrim")
  if (nzchar(installed)) return(unname(installed))
  stop("there is no scrim to run: this copy of the package was built without it. Build the repository with ",
       "'npm run build' before 'R CMD INSTALL r', put 'scrim' on the PATH, or name it with options(scrim.command = )",
       call. = FALSE)
}

OLDEST_NODE <- 20

node <- function() {
  found <- Sys.which("node")
  if (!nzchar(found))
    stop("scrim needs Node.js ", OLDEST_NODE, " or newer, and there is no 'node' on the PATH: https://nodejs.org",
         call. = FALSE)
  version <- suppressWarnings(tryCatch(system2(found, "--version", stdout = TRUE, stderr = FALSE),
                                       error = function(e) ""))
  major <- suppressWarnings(as.integer(sub("^v([0-9]+).*", "\\1", version[1])))
  if (is.na(major) || major < OLDEST_NODE)
    stop("scrim needs Node.js ", OLDEST_NODE, " or newer, and 'node' on the PATH is ", version[1], call. = FALSE)
  unname(found)
}

scrim_available <- function() {
  tryCatch({
    scrim_words()
    TRUE
  }, error = function(e) FALSE)
}

# Runs scrim and gives what it printed, in which arguments of R stand for flags (SCRIM_FACE). A mistake (code 2), a failure (1) or anything unforeseen is an error with its own words. Where there
# is a result it is never lost: code 2 then means that nothing could be assessed, which is an answer too.
run_scrim <- function(arguments, folder, fine = 0L, result = "") {
  words <- scrim_words()
  old <- Sys.getenv(c("COLUMNS", "SCRIM_CACHE", "SCRIM_FACE", "NO_COLOR"), NA, names = TRUE)
  on.exit(for (name in names(old)) {
    if (is.na(old[[name]])) Sys.unsetenv(name) else do.call(Sys.setenv, as.list(old[name]))
  })
  Sys.setenv(COLUMNS = getOption("width"), SCRIM_CACHE = file.path(folder, "cache"), SCRIM_FACE = "r", NO_COLOR = "1")
  printed <- file.path(folder, "stdout")
  said <- file.path(folder, "stderr")
  code <- system2(words[1], shQuote(c(words[-1], arguments)), stdout = printed, stderr = said)
  text <- lines_of(printed)
  if (code == 1 && file.exists(result)) warning("a measure failed; the others are in the result", call. = FALSE)
  if (!(code %in% fine) && !(code %in% 1:2 && file.exists(result))) {
    message <- gsub(paste0(folder, "/"), "", sub("^scrim: ", "", lines_of(said)), fixed = TRUE)
    message <- message[!grepl("^ *(at |[0-9]+ of )", message)]
    stop(if (length(message) == 0) paste("scrim ended with code", code) else paste(message, collapse = "\n"), call. = FALSE)
  }
  structure(text, code = code)
}

lines_of <- function(file) {
  if (!file.exists(file)) return(character())
  readLines(file, warn = FALSE, encoding = "UTF-8")
}

# Evaluates with a folder that is removed afterwards, whatever happens.
with_folder <- function(code) {
  folder <- tempfile("scrim-")
  dir.create(folder, mode = "0700")
  on.exit(unlink(folder, recursive = TRUE, force = TRUE))
  code(normalizePath(folder))
}

read_json <- function(file) jsonlite::fromJSON(file, simplifyVector = FALSE)

write_json <- function(value, file) {
  connection <- file(file, open = "wb", encoding = "UTF-8")
  on.exit(close(connection))
  writeLines(enc2utf8(as.character(jsonlite::toJSON(value, auto_unbox = TRUE, digits = NA, null = "null"))), connection,
             useBytes = TRUE)
}
