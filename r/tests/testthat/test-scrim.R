test_that("a measure gives the number that a count gives, and leaves nothing behind", {
  skip_without_scrim()
  before <- list.files(tempdir())
  found <- scrim_measure("k-anonymity", people, released, keys = c("sex", "age"), type = "synthetic", options = list(k = 2))
  expect_s3_class(found, "scrim_measure")
  expect_equal(as.data.frame(found)$release, c("people", "released"))
  expect_equal(as.data.frame(found)$value, c(4 / 8, 3 / 8))
  expect_output(print(found), "k-anonymity")
  expect_equal(list.files(tempdir()), before)
})

test_that("the tables of a measure are data frames, printed in percent", {
  skip_without_scrim()
  found <- scrim_measure("disclosure", people, released, keys = c("sex", "age"), target = "income", type = "synthetic")
  expect_equal(names(found$tables$ident), c("UiO", "UiS", "UiOiS", "repU"))
  expect_equal(found$tables$ident$UiO, 4 / 8)
  expect_equal(found$tables$attrib$max_denom, 2)
  expect_output(print(found), "Attribute disclosure (attrib)", fixed = TRUE)
  expect_output(print(found), "50.00%", fixed = TRUE)
})

test_that("pairs that a check names are left out by the options in the table, beside options of R", {
  skip_without_scrim()
  ask <- function(...) scrim_measure("disclosure", people, released, keys = c("sex", "age"), target = "income", type = "synthetic",
                                     options = c(list(twoWay = list(records = 0, percent = 10)), ...))
  found <- ask()
  flags <- found$tables$exclude
  expect_gt(nrow(flags), 1)
  expect_output(print(found), flags$option[1], fixed = TRUE)
  expect_false(flags[[1]][1] %in% ask(flags$option[1])$tables$check_2way$target_key_levs)
  expect_null(ask(flags$option)$tables$check_2way)
})

test_that("an assessment is tidy, prints the answer and has a report", {
  skip_without_scrim()
  many <- people[rep(1:8, 10), ]
  answer <- scrim_assess(many, many[80:1, ], keys = c("sex", "age"), target = "income", type = "synthetic",
                         measures = "attribution")
  expect_output(print(answer), "attribute inference")
  expect_setequal(names(answer$threats), c("release", "threat", "target", "level", "leakage", "lower", "upper", "exposure",
                                           "people", "decided_by", "reason"))
  expect_equal(as.data.frame(answer), answer$threats)
  expect_true("attribution" %in% answer$measures$measure)
  file <- browse(answer, open = FALSE)
  on.exit(unlink(file))
  expect_match(paste(readLines(file, warn = FALSE), collapse = ""), "<!doctype html>", ignore.case = TRUE)
})

test_that("what is printed is in the words of R", {
  skip_without_scrim()
  many <- people[rep(1:8, 10), ]
  answer <- scrim_assess(many, many[80:1, ], type = "synthetic", profile = "quick")
  printed <- paste(capture.output(print(answer)), collapse = "\n")
  expect_match(printed, "- keys =: what an attacker may know", fixed = TRUE)
  expect_match(printed, "keys = c(\"sex\", \"age\"), target = \"income\": a guess; scrim_keys()", fixed = TRUE)
  expect_match(printed, "- holdout =: people who were not used", fixed = TRUE)
  expect_no_match(printed, " --[a-z]|scrim advise|scrim help")
  expect_equal(printed, paste(answer$text, collapse = "\n"))
  expect_match(answer$threats$reason[answer$threats$threat == "membership"], "^needs a holdout")
  expect_error(scrim_measure("disco", people, released), "needs key variables (keys =) and a target (target =)", fixed = TRUE)
})

test_that("a synthesis has the columns of the data", {
  skip_without_scrim()
  data <- data.frame(id = 1:60, group = factor(rep(c("b", "a"), 30), levels = c("b", "a")), day = as.Date("2024-01-01") + 0:59, yes = rep(c(TRUE, FALSE), 30))
  made <- scrim_synthesize(data, method = "independent", n = 20, seed = 1)
  expect_equal(dim(made), c(20L, 4L))
  expect_equal(lapply(made, class), lapply(data, class))
  expect_equal(levels(made$group), c("b", "a"))
  both <- scrim_synthesize(data, method = "independent", m = 2, n = 20, seed = 1)
  expect_length(both, 2)
  expect_equal(both[[1]], made, ignore_attr = "scrim")
})

test_that("a gate passes or fails", {
  skip_without_scrim()
  check <- function(limit) {
    scrim_check(people, released, policy = list(measures = list(`k-anonymity` = list(max = limit))), keys = c("sex", "age"),
                type = "synthetic", measures = "k-anonymity", options = list(`k-anonymity` = list(k = 2)))
  }
  failed <- check(0.3)
  expect_false(failed$passed)
  expect_equal(as.data.frame(failed)$status, "fail")
  expect_output(print(failed), "1 of 1 rules? fails?")
  expect_true(check(0.5)$passed)
  expect_error(scrim_check(people, released, policy = list(), kees = "sex"), 'unknown field "kees"; did you mean "keys"')
})

test_that("keys are suggested", {
  skip_without_scrim()
  found <- scrim_keys(people)
  expect_equal(found$keys, c("sex", "age"))
  expect_equal(found$target, "income")
  expect_equal(found$document$together$unique, 0.5)
  expect_output(print(found), "50.0 % of the people are unique")
})

test_that("mistakes are told in a sentence", {
  skip_without_scrim()
  expect_error(scrim_measure("k-anonymity", people, released, keys = "sexx"), "did you mean \"sex\"")
  expect_error(scrim_measure("k-anonymty", people, released, keys = "sex"), "did you mean \"k-anonymity\"")
  expect_error(scrim_measure("disco", people, released), "needs key variables")
  expect_error(scrim_assess(people), "no released data given")
  expect_error(scrim_assess(1:3, people), "scrim takes data frames")
  expect_error(scrim_assess(people, released, options = list(k = 3)), "list of lists by measure")
})

test_that("where there is no Node that is said", {
  old <- Sys.getenv("PATH")
  on.exit(Sys.setenv(PATH = old))
  Sys.setenv(PATH = tempdir())
  expect_error(node(), "scrim needs Node.js 20 or newer, and there is no 'node' on the PATH")
})

test_that("pictures are drawn with and without ggplot2", {
  skip_without_scrim()
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  found <- scrim_keys(people)
  expect_identical(plot(found, engine = "base"), found)
  measured <- scrim_measure("k-anonymity", people, released, keys = "sex", type = "synthetic")
  expect_identical(plot(measured, engine = "base"), measured)
  skip_if_not_installed("ggplot2")
  expect_s3_class(plot(found), "ggplot")
  expect_s3_class(plot(measured), "ggplot")
})

test_that("what only a person can answer is asked, and answered by a field of the Case", {
  skip_without_scrim()
  many <- people[rep(1:8, 10), ]
  upper <- many
  levels(upper$sex) <- toupper(levels(upper$sex))
  ask <- function(...) scrim_assess(many, upper, keys = c("sex", "age"), target = "income", type = "synthetic", measures = "attribution", ...)
  expect_error(ask(), "match_levels = TRUE says yes", fixed = TRUE)
  for (answer in list(ask(match_levels = TRUE), ask(answers = c("upper:sex" = "same"))))
    expect_match(paste(unlist(answer$document$notes), collapse = "\n"), "taken for the same")
})
