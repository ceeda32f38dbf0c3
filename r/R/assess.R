scrim_assess <- function(original, released = NULL, keys = NULL, target = NULL, holdout = NULL, weight = NULL,
                         household = NULL, numeric_keys = NULL, population = NULL, group = NULL, type = NULL,
                         profile = NULL, measures = NULL, options = NULL, synthesizer = NULL, seed = NULL, threads = NULL,
                         audience = c("publishable", "internal"), why = FALSE, ...) {
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  audience <- match.arg(audience)
  case <- case_of(keys = keys, target = target, holdout = holdout, weight = weight, household = household,
                  numeric_keys = numeric_keys, population = population, group = group, type = type, profile = profile,
                  measures = measures, options = as_options(options), synthesizer = synthesizer, seed = seed, threads = threads, ...)
  inputs <- inputs_of(original, released, case, names)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder)
    json <- file.path(folder, "result.json")
    html <- file.path(folder, "report.html")
    # The JSON is read here and exact; only a report for readers inside has to be asked for.
    inside <- c(if (audience == "internal") c("--audience", audience), if (why) "--why")
    text <- run_scrim(c("assess", written$arguments, "--json", json, "--html", html, inside), folder, result = json)
    document <- read_json(json)
    structure(list(text = as.character(text), verdicts = verdict_table(document), threats = threat_table(document),
                   measures = finding_table(document$results), utility = utility_table(document),
                   html = paste(lines_of(html), collapse = "\n"), document = document),
              class = "scrim_assessment")
  })
}

# Options of measures by their id: list(`k-anonymity` = list(k = 3)).
as_options <- function(options) {
  if (is.null(options)) return(NULL)
  if (!is.list(options) || is.null(names(options)) || !all(vapply(options, is.list, NA)))
    stop("'options' is a list of lists by measure: list(`k-anonymity` = list(k = 3))", call. = FALSE)
  options
}

print.scrim_assessment <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

as.data.frame.scrim_assessment <- function(x, row.names = NULL, optional = FALSE, ...) x$threats

# One value or NA, so that a JSON null keeps its place in a column.
one <- function(x, none = NA) if (is.null(x)) none else x
number <- function(x) if (is.null(x)) NA_real_ else as.numeric(x)
text <- function(x) if (is.null(x)) NA_character_ else as.character(x)

rows <- function(list, row) {
  made <- lapply(list, function(each) as.data.frame(row(each), stringsAsFactors = FALSE))
  if (length(made) == 0) data.frame() else do.call(rbind, made)
}

verdict_table <- function(document) {
  rows(document$releases, function(release) {
    list(release = release$name, level = text(release$verdict$level), threat = text(release$verdict$threat),
         target = text(release$verdict$target), recommendation = text(release$verdict$recommendation),
         sentence = text(release$verdict$sentence))
  })
}

threat_table <- function(document) {
  each <- unlist(lapply(document$releases, function(release) {
    lapply(release$threats, function(threat) c(list(release = release$name), threat))
  }), recursive = FALSE)
  rows(each, function(threat) {
    list(release = threat$release, threat = text(threat$threat), target = text(threat$target), level = text(threat$level),
         leakage = number(threat$leakage), lower = number(threat$interval$lower), upper = number(threat$interval$upper),
         exposure = number(threat$exposure), people = number(threat$people), decided_by = text(threat$decidedBy),
         reason = text(threat$reason$text))
  })
}

# One row per measure, release and target.
finding_table <- function(results) {
  each <- unlist(lapply(results, function(result) {
    findings <- c(if (!is.null(result$original)) list(result$original), result$releases)
    if (length(findings) == 0) return(list(list(measure = result$measure, status = result$status, reason = result$reason)))
    targets <- unlist(lapply(findings, function(finding) if (is.null(finding$targets)) list(finding) else finding$targets), recursive = FALSE)
    lapply(targets, function(finding) c(list(measure = result$measure), finding))
  }), recursive = FALSE)
  rows(each, function(finding) {
    list(measure = finding$measure, release = text(finding$name), target = text(finding$target), status = text(finding$status),
         value = number(finding$value), lower = number(finding$interval$lower), upper = number(finding$interval$upper),
         nothing = number(finding$controls$nothing$value), fair = number(finding$controls$fair$value),
         everything = number(finding$controls$everything$value), leakage = number(finding$leakage$value),
         exposure = number(finding$exposure), says = text(one(finding$sentence, finding$reason$text)))
  })
}

utility_table <- function(document) {
  rows(Filter(function(release) !is.null(release$utility), document$releases), function(release) {
    list(release = release$name, level = text(release$utility$level), score = number(release$utility$score),
         sentence = text(release$utility$sentence))
  })
}
