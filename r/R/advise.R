scrim_advise <- function(original, released = NULL, keys = NULL, target = NULL, holdout = NULL, synthesizer = NULL, budget = NULL,
                         trials = NULL, release_seed = NULL, ...) {
  names <- list(original = name_of(substitute(original), "original"), released = name_of(substitute(released), "released"))
  case <- case_of(keys = keys, target = target, holdout = holdout, synthesizer = synthesizer, ...)
  case$options <- as_options(case$options)
  inputs <- inputs_of(original, released, case, names)
  if (length(inputs$released) != 1) stop("advice is given on one release at a time", call. = FALSE)
  with_folder(function(folder) {
    written <- written_inputs(inputs, folder)
    json <- file.path(folder, "advice.json")
    out <- file.path(folder, "advised.csv")
    flags <- c(flag("--budget", budget), flag("--trials", trials), flag("--release-seed", release_seed))
    printed <- run_scrim(c("advise", written$arguments, "--json", json, "-o", out, flags), folder)
    document <- read_json(json)
    structure(list(text = as.character(printed), trials = trial_table(document),
                   recommended = if (file.exists(out)) read_like(out, inputs$released[[1]]), document = document),
              class = "scrim_advice")
  })
}

# The release as it is, then every change that was tried.
trial_table <- function(document) {
  rows(c(list(document$release), document$tried), function(trial) {
    list(change = trial$change, verdict = text(trial$verdict), threat = text(trial$worst$threat), leakage = number(trial$worst$leakage),
         utility = number(trial$utility$score), on_front = isTRUE(trial$onFront))
  })
}

print.scrim_advice <- function(x, ...) {
  cat(x$text, sep = "\n")
  invisible(x)
}

as.data.frame.scrim_advice <- function(x, row.names = NULL, optional = FALSE, ...) x$trials
