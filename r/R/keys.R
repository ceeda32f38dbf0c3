scrim_keys <- function(data, single_out = 0.5, largest = NULL) {
  tables <- named_tables(data, name_of(substitute(data), "data"))
  if (length(tables) != 1) stop("'data' must be one data frame", call. = FALSE)
  with_folder(function(folder) {
    written <- written_inputs(list(original = tables, released = list(), case = list()), folder)
    flags <- c("--single-out", single_out, if (!is.null(largest)) c("--largest", largest))
    document <- read_json(paste(run_scrim(c("keys", written$arguments, flags, "--json"), folder), collapse = "\n"))
    guesses <- function(role, given) lapply(given, function(guess) list(role = role, column = guess$column, reason = guess$reason))
    all <- c(guesses("identifier", document$identifiers), guesses("key", document$keys), guesses("target", document$targets),
             if (!is.null(document$weight)) guesses("weight", list(document$weight)),
             if (!is.null(document$household)) guesses("household", list(document$household)))
    sets <- function(given) rows(given, function(set) {
      list(columns = paste(unlist(set$columns), collapse = " + "), size = length(set$columns), unique = set$unique,
           distinction = set$distinction, separation = set$separation)
    })
    columns <- rows(document$columns, function(column) column[c("column", "added", "unique", "distinction", "separation")])
    structure(list(roles = rows(all, identity), keys = chosen(document$keys), target = chosen(document$targets), columns = columns,
                   sets = sets(document$best), minimal = sets(document$minimal), document = document),
              class = "scrim_keys")
  })
}

chosen <- function(guesses) vapply(guesses, function(guess) guess$column, "")

print.scrim_keys <- function(x, ...) {
  width <- getOption("width")
  cat("Everything below is a guess, to be confirmed by somebody who knows the data.\n\n")
  starts <- format(paste0(format(paste0(x$roles$role, "?")), "  ", format(x$roles$column), "  "))
  for (k in seq_along(starts)) {
    lines <- strwrap(x$roles$reason[k], width = max(20, width - nchar(starts[k])))
    writeLines(paste0(c(starts[k], rep(strrep(" ", nchar(starts[k])), length(lines) - 1)), lines))
  }
  if (length(x$keys) > 0) {
    together <- x$document$together
    writeLines(c("", strwrap(sprintf("These keys together: %.1f %% of the people are unique.", 100 * together$unique), width = width), ""))
  }
  if (nrow(x$sets) > 0) {
    shown <- do.call(rbind, lapply(split(x$sets, x$sets$size), utils::head, 2))
    shown$unique <- sprintf("%.1f %%", 100 * shown$unique)
    cat("Sets of columns that single out most people\n")
    print(shown[c("size", "columns", "unique")], row.names = FALSE)
  }
  invisible(x)
}

as.data.frame.scrim_keys <- function(x, row.names = NULL, optional = FALSE, ...) x$roles
