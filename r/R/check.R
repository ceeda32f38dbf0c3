scrim_check <- function(original, released = NULL, policy, ..., baseline = NULL) {
  if (missing(policy)) stop("no policy given: a list such as list(overall = \"MODERATE\"), or the name of a JSON file", call. = FALSE)
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  given <- list(...)
  roles <- given[intersect(names(given), c("keys", "target", "holdout", "weight", "household", "population", "type"))]
  if (!is.null(given$numeric_keys)) roles$numericKeys <- given$numeric_keys
  if (!is.null(given$group)) roles$group <- as_object(given$group)
  how <- given[intersect(names(given), c("profile", "measures", "synthesizer", "seed", "threads"))]
  if (!is.null(given$options)) how$options <- as_options(given$options)
  unknown <- setdiff(names(given), c(names(roles), names(how), "numeric_keys"))
  if (length(unknown) > 0 || length(given) != length(names(given)))
    stop("scrim_check() does not know the argument ", if (length(unknown) > 0) unknown[1] else "without a name", call. = FALSE)
  inputs <- inputs_of(original, released, roles, names)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder, how)
    json <- file.path(folder, "gate.json")
    flags <- c("--policy", document_file(policy, folder, "policy.json"), "--json", json,
               if (!is.null(baseline)) c("--baseline", document_file(baseline, folder, "baseline.json")))
    printed <- run_scrim(c("check", written$arguments, flags), folder, fine = c(0L, 3L))
    gate <- read_json(json)
    outcomes <- rows(gate$outcomes, function(outcome) {
      list(status = outcome$status, rule = outcome$rule, release = outcome$release, target = text(outcome$target),
           found = text(outcome$foundText), allowed = text(outcome$limitText), says = text(outcome$sentence))
    })
    structure(list(text = as.character(printed), passed = attr(printed, "code") == 0L, outcomes = outcomes, document = gate),
              class = "scrim_check")
  })
}

# A list as a JSON file, or the file that a text names.
document_file <- function(given, folder, name) {
  if (is.character(given) && length(given) == 1) {
    if (!file.exists(given)) stop("there is no file ", given, call. = FALSE)
    return(normalizePath(given))
  }
  if (inherits(given, "scrim_assessment")) given <- given$document
  file <- file.path(folder, name)
  write_json(given, file)
  file
}

print.scrim_check <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

as.data.frame.scrim_check <- function(x, row.names = NULL, optional = FALSE, ...) x$outcomes
