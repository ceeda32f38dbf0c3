everything <- data.frame(
  whole = c(1L, NA, 3L),
  real = c(1 / 3, 1e-300, NA),
  text = c("a,\"b\"", "", NA),
  na_text = c("NA", NA, "x"),
  level = factor(c("high", "low", NA), levels = c("low", "mid", "high")),
  rank = factor(c("b", "a", "b"), levels = c("b", "a"), ordered = TRUE),
  yes = c(TRUE, NA, FALSE),
  day = as.Date(c("2024-02-29", NA, "1969-12-31")),
  "name, of \u00fc" = c("\u00e4", "\u4e2d", "c"),
  check.names = FALSE
)

test_that("a schema says what columns are, with levels in their order", {
  schema <- schema_of(list(everything))
  expect_equal(unname(vapply(schema, function(type) type$kind, "")),
               c("numeric", "numeric", "categorical", "categorical", "categorical", "ordered", "categorical", "date", "categorical"))
  expect_equal(unlist(schema$level$levels), c("low", "mid", "high"))
  expect_equal(unlist(schema$rank$levels), c("b", "a"))
})

test_that("levels that only a release has come last", {
  schema <- schema_of(list(data.frame(a = factor("x")), data.frame(a = factor(c("w", "x")))))
  expect_equal(unlist(schema$a$levels), c("x", "w"))
})

test_that("columns that a release lacks are no obstacle", {
  skip_without_scrim()
  wide <- data.frame(people, more = letters[1:8])
  found <- scrim_measure("k-anonymity", wide, released, keys = c("sex", "age"), type = "synthetic", options = list(k = 2))
  expect_equal(found$table$value, c(4 / 8, 3 / 8))
})

test_that("numbers keep all digits, in as few as will do", {
  expect_equal(number_text(c(0.1, 1 / 3, NA, 5), "x"), c("0.1", "0.33333333333333331", NA, "5"))
  expect_error(number_text(c(1, Inf), "x"), "column \"x\" has infinite values")
})

test_that("times keep their milliseconds", {
  start <- as.POSIXct("2020-01-01", tz = "UTC")
  expect_equal(time_text(start + c(0.123, 59.999, NA)), c("2020-01-01T00:00:00.123Z", "2020-01-01T00:00:59.999Z", NA))
})

test_that("the word for missing is no value", {
  expect_equal(missing_token(list(everything)), "NA_")
  expect_equal(missing_token(list(people)), "NA")
})

test_that("a table comes back as it went", {
  file <- tempfile()
  on.exit(unlink(file))
  plain <- everything[setdiff(names(everything), c("text", "na_text"))]
  write_csv(plain, file, "")
  expect_equal(read_like(file, plain), plain)
})

test_that("Arrow says what CSV says", {
  skip_without_scrim()
  skip_if_not_installed("nanoarrow", "0.7")
  answer <- function(arrow) {
    old <- options(scrim.arrow = arrow)
    on.exit(options(old))
    document <- scrim_measure("k-anonymity", everything, everything, keys = names(everything), options = list(k = 2))$document
    made <- scrim_synthesize(everything[rep(1:3, 20), ], method = "independent", seed = 1)
    list(document[setdiff(names(document), "files")], made)
  }
  expect_true(has_arrow())
  expect_identical(answer(TRUE), answer(FALSE))
  expect_error(write_arrow(data.frame(x = Inf), tempfile()), "column \"x\" has infinite values")
})

test_that("columns that are no columns are refused", {
  nested <- data.frame(a = 1:2)
  nested$b <- list(1, 2)
  expect_error(schema_of(list(nested)), "column \"b\" is a list or a matrix")
  expect_error(schema_of(list(data.frame(z = complex(2)))), "column \"z\" is of class complex")
})

test_that("labelled numbers are levels where every value has a label", {
  labelled <- structure(c(1, 2, NA), labels = c(no = 1, yes = 2), class = "haven_labelled")
  expect_equal(unlabelled(labelled), factor(c("no", "yes", NA), levels = c("no", "yes")))
  expect_equal(unlabelled(structure(c(1, 7), labels = c(no = 1), class = "haven_labelled")), c(1, 7))
})

test_that("scrim reads every kind of column as it is", {
  skip_without_scrim()
  found <- scrim_measure("k-anonymity", everything, everything, keys = names(everything), type = "synthetic", options = list(k = 2))
  expect_equal(as.data.frame(found)$value, c(1, 1))
  empty <- data.frame(a = c("", "x", NA, NA), b = 1:4)
  expect_equal(scrim_measure("k-anonymity", empty, empty, keys = "a", type = "synthetic", options = list(k = 2))$table$value[1], 0.5)
})

test_that("values that a type cannot hold stay as they are written", {
  expect_equal(typed_like(c("1", NA), 1L), c(1L, NA))
  expect_equal(typed_like(c("1.5", "2"), 1L), c(1.5, 2))
  expect_equal(typed_like(c("20 to 29", NA), 1L), c("20 to 29", NA))
  expect_equal(typed_like(c("a", NA), factor(c("a", "b"))), factor(c("a", NA), levels = c("a", "b")))
  expect_equal(typed_like(c("a or b", "c"), factor(c("a", "b"))), factor(c("a or b", "c")))
  expect_equal(typed_like(c("2020", NA), as.Date("2020-01-02")), c("2020", NA))
  expect_equal(typed_like(c("2020-01-02T03:04:05Z", "2020-01-03", NA), Sys.time()),
               as.POSIXct(c("2020-01-02 03:04:05", "2020-01-03 00:00:00", NA), tz = "UTC"))
  expect_equal(typed_like(c("TRUE", NA), FALSE), c(TRUE, NA))
})
