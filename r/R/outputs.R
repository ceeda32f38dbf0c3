scrim_outputs_check <- function(request, data, holdout = NULL, history = NULL, preset = NULL, limits = NULL, rules_only = FALSE,
                                seconds = NULL, settings = NULL, ...) {
  tables <- named_tables(data, name_of(substitute(data), "data"))
  if (length(tables) != 1) stop("'data' must be one data frame", call. = FALSE)
  with_folder(function(folder) {
    written <- written_inputs(list(original = tables, released = list(), case = case_of(holdout = holdout, ...)), folder)
    json <- file.path(folder, "outputs.json")
    html <- file.path(folder, "outputs.html")
    values <- function(flag, given) unlist(lapply(names(given), function(name) {
      c(flag, paste0(name, "=", jsonlite::toJSON(given[[name]], auto_unbox = TRUE, null = "null", digits = NA)))
    }))
    flags <- c("--data", written$original, written$arguments[-1], "--json", json, "--html", html,
               if (!is.null(holdout)) c("--holdout", file.path(folder, read_json(file.path(folder, "scrim.json"))$holdout)),
               if (!is.null(history)) c("--history", history_folder(history, folder)),
               flag("--preset", preset), flag("--seconds", seconds), values("--limit", limits), values("--set", settings),
               if (rules_only) "--rules-only")
    asked <- if (is.character(request) && dir.exists(request)) normalizePath(request) else document_file(request, folder, "request.json")
    printed <- run_scrim(c("outputs", "check", asked, flags), folder, fine = c(0L, 3L))
    document <- read_json(json)
    structure(list(text = as.character(printed), verdict = document$verdict, outputs = output_table(document),
                   html = paste(lines_of(html), collapse = "\n"), document = document),
              class = "scrim_outputs")
  })
}

output_table <- function(document) {
  rows(document$outputs, function(output) {
    list(id = output$id, verdict = text(output$verdict), alone = text(output$alone), why = text(output$why))
  })
}

# A folder of earlier results, or these results themselves.
history_folder <- function(history, folder) {
  if (is.character(history)) return(normalizePath(history, mustWork = TRUE))
  if (inherits(history, "scrim_outputs")) history <- list(history)
  place <- file.path(folder, "history")
  dir.create(place)
  for (k in seq_along(history)) write_json(history[[k]]$document, file.path(place, sprintf("%06d.json", k)))
  place
}

print.scrim_outputs <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

as.data.frame.scrim_outputs <- function(x, row.names = NULL, optional = FALSE, ...) x$outputs
