# What a user holds, as plain tables and a Case: data frames, syntheses of synthpop, objects of sdcMicro.

# What arguments say, as the fields of a Case (docs/schema/case.schema.json): numeric_keys is numericKeys, named vectors are objects.
# An argument that is NULL says nothing; the command line checks the names.
case_of <- function(...) {
  said <- Filter(Negate(is.null), list(...))
  if (length(said) > 0 && (is.null(names(said)) || !all(nzchar(names(said)))))
    stop("what is said about an assessment needs a name, as in match_levels = TRUE", call. = FALSE)
  names(said) <- gsub("_([a-z])", "\\U\\1", names(said), perl = TRUE)
  lapply(said, function(field) if (is.data.frame(field) || is.null(names(field))) field else as.list(field))
}

# Tables and the Case of a call. `original` may be an sdcMicroObj that holds both.
inputs_of <- function(original, released, case, names) {
  if (is(original, "sdcMicroObj")) {
    if (!is.null(released)) stop("an sdcMicroObj holds the original and the release: leave 'released' out, or give data frames", call. = FALSE)
    held <- of_sdcmicro(original)
    names <- list(original = "original", released = names$original)
    original <- held$original
    released <- held$released
    case <- utils::modifyList(held$case, case)
  }
  if (is(original, "simPopObj")) {
    if (!is.null(released)) stop("a simPopObj holds the sample and the population: leave 'released' out, or give data frames", call. = FALSE)
    held <- from_simPop(original)
    names <- list(original = "sample", released = names$original)
    original <- held$original
    released <- held$released
    case <- utils::modifyList(held[setdiff(names(held), c("original", "released"))], case)
  }
  if (is(released, "sdcMicroObj")) {
    held <- of_sdcmicro(released)
    released <- held$released
    case <- utils::modifyList(held$case, case)
  }
  if (inherits(released, "synds") && is.null(case$type)) case$type <- "synthetic"
  originals <- named_tables(original, names$original)
  if (length(originals) != 1) stop("'original' must be one data frame", call. = FALSE)
  list(original = originals, released = named_tables(released, names$released), case = case)
}

# Data frames by name.
named_tables <- function(given, name) {
  if (is.null(given)) stop("no released data given: 'released' is a data frame, a list of them, a synds or an sdcMicroObj", call. = FALSE)
  if (inherits(given, "synds")) given <- if (is.data.frame(given$syn)) list(given$syn) else given$syn
  if (is.data.frame(given) || is.matrix(given)) given <- list(given)
  if (!is.list(given) || length(given) == 0) stop("'", name, "' is of class ", class(given)[1], "; scrim takes data frames", call. = FALSE)
  given <- lapply(given, plain_frame)
  if (is.null(names(given))) names(given) <- if (length(given) == 1) name else paste0(name, "-", seq_along(given))
  names(given) <- make.unique(gsub("[^[:alnum:]_-]+", "_", names(given)))
  given
}

plain_frame <- function(given) {
  if (is.matrix(given)) given <- as.data.frame(given)
  if (!is.data.frame(given)) stop("a released table is of class ", class(given)[1], "; scrim takes data frames", call. = FALSE)
  if (anyDuplicated(names(given))) stop("the column name \"", names(given)[anyDuplicated(names(given))], "\" occurs more than once", call. = FALSE)
  given[] <- lapply(given, unlabelled)
  given
}

# Labelled numbers (SPSS, Stata) are levels where every value has a label, and numbers otherwise.
unlabelled <- function(x) {
  if (!inherits(x, "haven_labelled")) return(x)
  labels <- attr(x, "labels", exact = TRUE)
  values <- unclass(x)
  attributes(values) <- NULL
  if (is.null(labels) || !all(values[!is.na(values)] %in% labels)) return(values)
  factor(values, levels = unname(labels), labels = names(labels))
}

# Original, release and Case of an sdcMicroObj; its keys are numbers of columns.
of_sdcmicro <- function(object) {
  if (!requireNamespace("sdcMicro", quietly = TRUE)) stop("to read an sdcMicroObj the package sdcMicro is needed", call. = FALSE)
  original <- as.data.frame(slot(object, "origData"))
  named <- function(where) {
    at <- slot(object, where)
    if (length(at) == 0) NULL else names(original)[at]
  }
  released <- as.data.frame(sdcMicro::extractManipData(object))
  released <- released[intersect(names(original), names(released))]
  case <- case_of(keys = named("keyVars"), target = named("sensibleVar"), numeric_keys = named("numVars"), weight = named("weightVar"),
                  household = named("hhId"), type = "perturbed")
  list(original = original, released = released, case = case)
}

# The sample and the population that simPop simulated from it, as arguments: do.call(scrim_assess, from_simPop(object)).
from_simPop <- function(object) {
  if (!is(object, "simPopObj")) stop("'object' is of class ", class(object)[1], "; from_simPop takes a simPopObj of simPop", call. = FALSE)
  sample <- slot(object, "sample")
  population <- slot(object, "pop")
  if (is.null(sample)) stop("the simPopObj holds no sample", call. = FALSE)
  if (is.null(population)) stop("the simPopObj holds no population yet: simulate one first, for example with simStructure and simCategorical", call. = FALSE)
  original <- as.data.frame(slot(sample, "data"))
  released <- as.data.frame(slot(population, "data"))
  role <- function(name) {
    column <- slot(sample, name)
    if (length(column) == 1) column
  }
  c(list(original = original, released = released[intersect(names(original), names(released))], type = "synthetic"),
    Filter(Negate(is.null), list(weight = role("weight"), household = role("hhid"))))
}

# How an argument is called, where it has a name.
name_of <- function(expression, otherwise) {
  if (is.symbol(expression)) as.character(expression) else otherwise
}

# An empty list is an object in JSON too.
as_map <- function(list) if (length(list) == 0) stats::setNames(list(), character()) else list

# Writes the files and the Case; gives the arguments that every command takes.
written_inputs <- function(inputs, folder) {
  others <- lapply(inputs$case[intersect(c("holdout", "population", "attacker"), names(inputs$case))], plain_frame)
  tables <- c(inputs$original, inputs$released, others)
  case <- inputs$case[setdiff(names(inputs$case), names(others))]
  if (!is.null(case$rules)) case$rules <- normalizePath(case$rules)
  token <- missing_token(tables)
  case$types <- as_map(schema_of(c(inputs$original, inputs$released, others[intersect("holdout", names(others))])))
  case$missingTokens <- list(token)
  case$delimiter <- ","
  # Without an ending, so that the answer calls the tables as R does.
  dir.create(file.path(folder, "data"))
  write_all <- function(tables, prefix) {
    files <- file.path(folder, "data", paste0(rep(prefix, length(tables)), names(tables)))
    for (k in seq_along(tables)) write_table(tables[[k]], files[k], token)
    files
  }
  same <- intersect(names(inputs$original), names(inputs$released))
  original <- write_all(inputs$original, if (length(same) > 0) "original-" else "")
  released <- write_all(inputs$released, "")
  taken <- c(basename(original), basename(released))
  for (role in names(others)) case[[role]] <- file.path("data", basename(write_all(others[role], if (role %in% taken) "role-" else "")))
  for (role in c("keys", "target", "numericKeys")) if (!is.null(case[[role]])) case[[role]] <- I(as.list(case[[role]]))
  file <- file.path(folder, "scrim.json")
  write_json(case, file)
  list(original = original, released = released, arguments = c(original, released, "--config", file, "--allow-commands"))
}
