scrim_compare <- function(original, released, keys = NULL, target = NULL, holdout = NULL, draws = NULL, measures = NULL,
                          audience = c("publishable", "internal"), ...) {
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  audience <- match.arg(audience)
  case <- case_of(keys = keys, target = target, holdout = holdout, ...)
  case$options <- as_options(case$options)
  inputs <- inputs_of(original, released, case, names)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder)
    json <- file.path(folder, "result.json")
    html <- file.path(folder, "report.html")
    flags <- c(flag("--draws", draws), flag("--measures", if (!is.null(measures)) paste(measures, collapse = ",")),
               if (audience == "internal") c("--audience", audience))
    text <- run_scrim(c("compare", written$arguments, "--json", json, "--html", html, flags), folder, result = json)
    document <- read_json(json)
    structure(list(text = as.character(text), candidates = candidate_table(document),
                   html = paste(lines_of(html), collapse = "\n"), document = document),
              class = "scrim_comparison")
  })
}

candidate_table <- function(document) {
  rows(document$candidates, function(candidate) {
    list(release = candidate$name, level = text(candidate$level),
         leakage = number(candidate$risk$value), leakage_lower = number(candidate$risk$lower), leakage_upper = number(candidate$risk$upper),
         utility = number(candidate$utility$value), utility_lower = number(candidate$utility$lower),
         utility_upper = number(candidate$utility$upper), front = text(candidate$front$label),
         front_probability = number(candidate$front$probability))
  })
}

# A flag and its value, or nothing where nothing is said.
flag <- function(name, value) if (!is.null(value)) c(name, as.character(value))

print.scrim_comparison <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

as.data.frame.scrim_comparison <- function(x, row.names = NULL, optional = FALSE, ...) x$candidates
