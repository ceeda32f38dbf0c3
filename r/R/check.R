scrim_check <- function(original, released = NULL, policy, ..., baseline = NULL) {
  if (missing(policy)) stop("no policy given: a list such as list(overall = \"MODERATE\"), or the name of a JSON file", call. = FALSE)
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  case <- case_of(...)
  case$options <- as_options(case$options)
  inputs <- inputs_of(original, released, case, names)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder)
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
