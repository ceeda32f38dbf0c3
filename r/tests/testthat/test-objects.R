test_that("a synds is taken as it is", {
  skip_without_scrim()
  one <- structure(list(m = 1, syn = released), class = "synds")
  two <- structure(list(m = 2, syn = list(released, people)), class = "synds")
  measure <- function(object) scrim_measure("k-anonymity", people, object, keys = c("sex", "age"), options = list(k = 2))$table
  expect_equal(measure(one)$value, c(4 / 8, 3 / 8))
  expect_equal(measure(two)$release, c("people", "object-1", "object-2"))
})

test_that("an sdcMicroObj brings its keys, weights and release along", {
  skip_without_scrim()
  skip_if_not_installed("sdcMicro")
  data <- data.frame(people, weight = 2)
  object <- sdcMicro::createSdcObj(data, keyVars = c("sex", "age"), weightVar = "weight")
  object <- sdcMicro::localSuppression(object, k = 2)
  held <- of_sdcmicro(object)
  expect_equal(held$roles, list(keys = c("sex", "age"), weight = "weight", type = "perturbed"))
  expect_equal(held$original, data)
  found <- scrim_measure("k-anonymity", object, options = list(k = 2))
  expect_equal(found$document$releases[[1]]$name, "object")
  expect_equal(found$table$value[1], 4 / 8)
  expect_lt(found$table$value[2], 4 / 8)
})

test_that("an object that holds both takes no release", {
  skip_if_not_installed("sdcMicro")
  object <- sdcMicro::createSdcObj(people, keyVars = c("sex", "age"))
  expect_error(scrim_assess(object, released), "holds the original and the release")
})
