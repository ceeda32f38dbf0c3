draw <- function(seed) {
  set.seed(seed)
  data <- data.frame(sex = sample(c("f", "m"), 120, TRUE), age = sample(20:69, 120, TRUE), income = sample(c("low", "mid", "high"), 120, TRUE))
  data$hours <- data$age + sample(0:9, 120, TRUE)
  data
}
many <- draw(1)
anew <- draw(2)

# Draws every picture of an object by both engines, where both are here.
drawn <- function(object, which) {
  pdf(NULL)
  on.exit(dev.off())
  engines <- c("base", if (requireNamespace("ggplot2", quietly = TRUE)) "ggplot2")
  for (picture in which) for (engine in engines) expect_no_error(print(plot(object, which = picture, engine = engine)))
}

test_that("scores of records come with a measure", {
  skip_without_scrim()
  found <- scrim_measure("k-anonymity", people, list(a = released, b = people), keys = c("sex", "age"), options = list(k = 2), records = TRUE)
  expect_named(found$records, c("a", "b"))
  expect_equal(found$records$b[[2]], c(2, 2, 1, 1, 2, 2, 1, 1))
  expect_equal(summary(found)$release, rep(c("a", "b"), each = ncol(found$records$a) - 1))
  expect_equal(summary(found)$max[summary(found)$release == "b"][1], 2)
  expect_null(scrim_measure("ks", people, released)$records)
  drawn(found, c("value", "records"))
  expect_error(scrim_measure("ks", people, released, kyes = "sex"), "^scrim.json: unknown field \"kyes\"; did you mean \"keys\"")
  expect_error(plot(scrim_measure("ks", people, released), which = "records"), "records = TRUE", fixed = TRUE)
})

test_that("candidates are compared", {
  skip_without_scrim()
  found <- scrim_compare(many, list(copy = many, anew = anew), keys = c("sex", "age"), target = "income", type = "synthetic", draws = 20)
  expect_equal(as.data.frame(found)$release, c("copy", "anew"))
  expect_equal(summary(found)$level[1], "HIGH")
  expect_output(print(found), "Anchors")
  expect_no_match(paste(found$text, collapse = "\n"), " --[a-z]")
  expect_match(found$html, "Which of them may be released")
  drawn(found, c("map", "leakage"))
})

test_that("advice tries changes on the data", {
  skip_without_scrim()
  found <- scrim_advise(many, many, keys = c("sex", "age"), target = "income", type = "perturbed", trials = 3, release_seed = 1)
  expect_equal(as.data.frame(found)$change[1], "as it is")
  expect_equal(nrow(found$trials), 4)
  expect_true("as it is" %in% summary(found)$change)
  if (!is.null(found$recommended)) expect_named(found$recommended, names(many))
  drawn(found, c("map", "leakage"))
  expect_error(scrim_advise(many, list(many, anew)), "one release at a time")
})

test_that("outputs are checked, also against what was released before", {
  skip_without_scrim()
  request <- list(title = "counts", outputs = list(list(id = "counts", kind = "table", by = list("sex"))))
  found <- scrim_outputs_check(request, many, rules_only = TRUE, limits = list(threshold = 5))
  expect_equal(found$verdict, "release")
  expect_equal(found$document$appetite$threshold, 5)
  expect_equal(summary(found), data.frame(verdict = "release", count = 1L))
  again <- scrim_outputs_check(request, many, rules_only = TRUE, limits = list(threshold = 5), history = found)
  expect_length(again$document$earlier, 1)
  expect_match(found$html, "They may be released.", fixed = TRUE)
  drawn(found, "verdicts")
})

test_that("every class has a summary and its pictures", {
  skip_without_scrim()
  answer <- scrim_assess(many, anew, keys = c("sex", "age"), target = "income", type = "synthetic", profile = "quick", why = TRUE)
  expect_named(summary(answer), c("release", "level", "threat", "recommendation", "utility"))
  drawn(answer, "leakage")
  expect_error(plot(answer, which = "utility"), "utility was not scored")
  guess <- scrim_keys(people)
  expect_equal(summary(guess)$role, c("key", "target"))
  drawn(guess, c("columns", "sets"))
  gate <- scrim_check(many, anew, policy = list(overall = "HIGH"), keys = c("sex", "age"), target = "income", type = "synthetic", profile = "quick")
  expect_equal(summary(gate)$status, "pass")
  drawn(gate, "outcomes")
})

test_that("a simPopObj is its sample and its population", {
  setClass("simPopObjFake", representation(sample = "ANY", pop = "ANY"), where = globalenv())
  setClass("dataObjFake", representation(data = "ANY", weight = "ANY", hhid = "ANY"), where = globalenv())
  setClass("simPopObj", contains = "simPopObjFake", where = globalenv())
  on.exit(for (class in c("simPopObj", "dataObjFake", "simPopObjFake")) removeClass(class, where = globalenv()))
  described <- function(data) new("dataObjFake", data = data, weight = "w", hhid = "hh")
  sample <- data.frame(people, w = 2, hh = c(1, 1, 2, 2, 3, 3, 4, 4))
  object <- new("simPopObj", sample = described(sample), pop = described(data.frame(released, extra = 1)))
  expect_equal(from_simPop(object), list(original = sample, released = released, type = "synthetic", weight = "w", household = "hh"))
  expect_error(from_simPop(people), "takes a simPopObj")
  expect_error(from_simPop(new("simPopObj", sample = described(sample), pop = NULL)), "holds no population yet")
  skip_without_scrim()
  found <- scrim_measure("k-anonymity", object, keys = c("sex", "age"), options = list(k = 2))
  expect_equal(found$table$release, c("sample", "object"))
})
