scrim_measure <- function(measure, original, released = NULL, keys = NULL, target = NULL, holdout = NULL, weight = NULL,
                          household = NULL, numeric_keys = NULL, population = NULL, group = NULL, type = NULL,
                          options = NULL, synthesizer = NULL, seed = NULL, threads = NULL, records = FALSE, ...) {
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  said <- as.list(options)
  typed <- if (is.null(names(said))) rep(TRUE, length(said)) else !nzchar(names(said))
  own <- if (all(typed)) NULL else stats::setNames(list(said[!typed]), measure)
  case <- case_of(keys = keys, target = target, holdout = holdout, weight = weight, household = household,
                  numeric_keys = numeric_keys, population = population, group = group, type = type, options = own,
                  synthesizer = synthesizer, seed = seed, threads = threads, ...)
  inputs <- inputs_of(original, released, case, names)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder)
    scores <- file.path(folder, "records.csv")
    flags <- c("--json", if (records) c("--records", scores), if (any(typed)) rbind("--set", as.character(unlist(said[typed]))))
    document <- read_json(paste(run_scrim(c("measure", measure, written$arguments, flags), folder), collapse = "\n"))
    structure(list(measure = measure, title = document$title, orientation = document$orientation, table = finding_table(list(document)),
                   tables = measure_tables(document$tables), warnings = unlist(document$warnings),
                   records = if (records) score_tables(document, scores), document = document),
              class = "scrim_measure")
  })
}

# One data frame per release, one row per record; lines that begin in # are for people.
score_tables <- function(document, file) {
  releases <- vapply(document$releases, function(release) release$name, "")
  files <- if (length(releases) == 1) file else paste0(sub("\\.csv$", "", file), "-", seq_along(releases), ".csv")
  tables <- lapply(files, function(each) if (file.exists(each)) read.csv(each, comment.char = "#", check.names = FALSE))
  Filter(Negate(is.null), stats::setNames(tables, releases))
}

print.scrim_measure <- function(x, ...) {
  width <- getOption("width")
  cat(x$title, " (", x$measure, ")\n\n", sep = "")
  shown <- x$table[c("release", "target", "value", "lower", "upper", "fair", "everything")]
  shown <- shown[vapply(shown, function(column) !all(is.na(column)), NA)]
  print(shown, row.names = FALSE, digits = 4)
  cat("\n")
  for (name in names(x$tables)) {
    cat(attr(x$tables[[name]], "title"), "\n\n", sep = "")
    print(in_percent(x$tables[[name]]), row.names = FALSE)
    cat("\n")
  }
  for (k in seq_len(nrow(x$table)))
    writeLines(strwrap(paste0(x$table$release[k], ": ", x$table$says[k]), width = width, exdent = 2))
  for (warning in x$warnings) writeLines(strwrap(paste("note:", warning), width = width, exdent = 2))
  invisible(x)
}

# The tables of a measure as data frames by their names; shares are fractions, as everywhere in R.
measure_tables <- function(tables) {
  made <- lapply(tables, function(table) {
    columns <- lapply(seq_along(table$columns), function(j) {
      cells <- lapply(table$rows, function(row) if (is.null(row[[j]])) NA else row[[j]])
      if (table$columns[[j]]$format$kind %in% c("text", "option")) as.character(unlist(cells)) else as.double(unlist(cells))
    })
    names(columns) <- vapply(table$columns, function(column) column$name, "")
    structure(as.data.frame(columns, check.names = FALSE, stringsAsFactors = FALSE), title = table$title,
              shares = names(columns)[vapply(table$columns, function(column) column$format$kind == "share", NA)])
  })
  stats::setNames(made, vapply(tables, function(table) table$name, ""))
}

# As print shows it: shares in percent with two decimals.
in_percent <- function(table) {
  for (name in attr(table, "shares")) table[[name]] <- ifelse(is.na(table[[name]]), NA, sprintf("%.2f%%", 100 * table[[name]]))
  table
}

as.data.frame.scrim_measure <- function(x, row.names = NULL, optional = FALSE, ...) x$table

scrim_measures <- function() {
  with_folder(function(folder) {
    listed <- read_json(paste(run_scrim(c("measures", "--json"), folder), collapse = "\n"))
    rows(listed, function(measure) {
      list(measure = measure$id, title = measure$title, family = measure$family, threat = text(measure$threat), role = measure$role,
           needs = paste(unlist(measure$needs), collapse = ", "), says = measure$summary)
    })
  })
}
