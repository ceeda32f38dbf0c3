# Writes SPSS and Stata files by haven and foreign, and beside each a JSON file with what R reads from it.
# Rscript labelled-files.R FOLDER [ROWS]: ROWS more records than the few written out, for a larger test.
# Rscript labelled-files.R FOLDER tell: only the JSON files, for the SPSS and Stata files that are there.
args <- commandArgs(trailingOnly = TRUE)
folder <- args[1]
only_tell <- length(args) > 1 && args[2] == "tell"
more <- if (length(args) > 1 && !only_tell) as.integer(args[2]) else 0
suppressMessages({ library(haven); library(jsonlite) })
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
set.seed(1)

labelled_by <- function(x, label) { attr(x, "label") <- label; x }
text <- function(n, letter = "x") strrep(letter, n)
grow <- function(x) if (more == 0) x else { y <- c(x, sample(x, more, replace = TRUE)); attributes(y) <- attributes(x); y }

people <- function(names_in_unicode = TRUE) {
  data <- list(
    id = c(1, 2, 3, 4, 5, 6),
    sex = labelled_spss(c(1, 2, 2, 9, NA, 1), c(male = 1, female = 2, "no answer" = 9), na_values = 9, label = "Sex of the person"),
    age = labelled_spss(c(31, -1, 98, -9, 44, 52), c("98 or older" = 98, refused = -1), na_range = c(-9, -1)),
    income = labelled_spss(c(1200.5, 0.1, -8, NA, 1e10, -99999.25), c("don't know" = -8), na_values = c(-8, -7)),
    grade = factor(c("low", "mid", NA, "high", "low", "mid"), levels = c("low", "mid", "high"), ordered = TRUE),
    region = labelled(c("N", "S", "", "N", "X", "S"), c(North = "N", South = "S")),
    place = c("Zürich", "Łódź", "Москва", "", "São Paulo", "a b"),
    remark = c(text(20), text(8), text(9), "", " leading blank", text(7)),
    story = c(text(300, "y"), text(255, "z"), text(256, "w"), "", text(504, "v"), text(600, "u")),
    member = c(TRUE, FALSE, NA, TRUE, TRUE, FALSE),
    whole = c(1L, -100L, NA, 2147483647L, 0L, 151L),
    born = as.Date(c("1980-02-29", "1582-10-15", NA, "1970-01-01", "2024-12-31", "1899-12-31")),
    seen = as.POSIXct(c("2020-01-02 03:04:05", "1959-12-31 23:59:59", NA, "2020-01-02 00:00:00", "1970-01-01 00:00:01", "2038-01-19 03:14:08"), tz = "UTC"),
    wait = hms::as_hms(c(0, 3661, NA, 86399, 90000, 1.5)),
    nothing = rep(NA_real_, 6),
    a_long_name_of_a_variable_1 = 1:6 + 0.5,
    a_long_name_of_a_variable_2 = labelled(c(1, 2, 1, 2, 1, 2), c("ein sehr langes Etikett mit Ümläuten, das mehr als sechzig Zeichen hat, und noch mehr" = 1, same = 2)),
    twins = labelled(c(1, 2, 3, 1, 2, 3), c(other = 1, other = 2, third = 3)),
    code = labelled_spss(c("a text of 21 letters.", "short", "none", "short", "", "x"), c("labelled long text" = "a text of 21 letters."), na_values = "none")
  )
  data$place <- labelled_by(data$place, "Ort, место, 場所")
  if (names_in_unicode) names(data)[names(data) == "whole"] <- "größe"
  data <- lapply(data, grow)
  structure(data, class = c("tbl_df", "data.frame"), row.names = seq_len(6 + more))
}

tagged <- function(strl, unicode) {
  data <- list(
    id = 1:6,
    sex = labelled(c(1L, 2L, 2L, NA, 1L, 2L), c(male = 1L, female = 2L), label = "Sex of the person"),
    answer = labelled(c(1, 2, tagged_na("a"), tagged_na("z"), NA, tagged_na("b")), c(yes = 1, no = 2, refused = tagged_na("a"), "not asked" = tagged_na("z"))),
    income = labelled(c(1200.5, 0.1, tagged_na("a"), NA, 1e10, -99999.25), c(refused = tagged_na("a"))),
    grade = factor(c("low", "mid", NA, "high", "low", "mid"), levels = c("low", "mid", "high")),
    place = if (unicode) c("Zürich", "Łódź", "Москва", "", "São Paulo", "a b") else c("Zurich", "Lodz", "Moskva", "", "Sao Paulo", "a b"),
    remark = c(text(20), text(8), text(9), "", " leading blank", text(244)),
    whole = c(1L, -100L, NA, 2147483620L, 0L, 151L),
    born = as.Date(c("1980-02-29", "1582-10-15", NA, "1970-01-01", "2024-12-31", "1959-12-31")),
    seen = as.POSIXct(c("2020-01-02 03:04:05", "1959-12-31 23:59:59", NA, "2020-01-02 00:00:00", "1970-01-01 00:00:01", "2038-01-19 03:14:08"), tz = "UTC"),
    nothing = rep(NA_real_, 6),
    twins = labelled(c(1L, 2L, 3L, 1L, 2L, 3L), c(other = 1L, other = 2L, third = 3L))
  )
  if (strl) data$story <- c(text(3000, "y"), text(2045, "z"), text(2046, "w"), "", text(10, "v"), text(3000, "y"))
  if (unicode) names(data)[names(data) == "whole"] <- "größe"
  data <- lapply(data, grow)
  structure(data, class = c("tbl_df", "data.frame"), row.names = seq_len(6 + more))
}

# What R sees of a column: numbers or texts as they are stored, kinds of missing, labels, and the levels of as_factor.
seen_by_r <- function(x) {
  labels <- attr(x, "labels", exact = TRUE)
  kind <- if (inherits(x, "Date")) "date" else if (inherits(x, "POSIXct")) "time" else if (is.character(x)) "text" else "number"
  cells <- switch(kind,
    date = format(x, "%Y-%m-%d"),
    time = format(x, "%Y-%m-%dT%H:%M:%S", tz = "UTC"),
    text = as.vector(unclass(x)),
    number = as.double(unclass(x)))
  tags <- if (is.double(x)) na_tag(unclass(x)) else rep(NA_character_, length(x))
  list(
    kind = kind,
    label = attr(x, "label", exact = TRUE),
    cells = I(cells),
    tags = if (all(is.na(tags))) NULL else I(tags),
    labels = if (is.null(labels)) NULL else data.frame(
      value = as.vector(unclass(labels)), tag = if (is.double(labels)) na_tag(unclass(labels)) else NA_character_, label = names(labels)),
    levels = if (is.null(labels)) NULL else I(levels(as_factor(x))))
}

tell <- function(file, data, kept = NULL) {
  columns <- function(data) lapply(seq_along(data), function(k) c(list(name = names(data)[k]), seen_by_r(data[[k]])))
  seen <- list(rows = nrow(data), columns = columns(data))
  if (!is.null(kept)) seen$kept <- columns(kept)
  writeLines(toJSON(seen, auto_unbox = TRUE, na = "null", null = "null", digits = I(17)), paste0(file, ".json"))
}

if (only_tell) {
  for (name in list.files(folder, pattern = "(sav|dta)$")) {
    file <- file.path(folder, name)
    if (grepl("sav$", name)) tell(file, read_sav(file), read_sav(file, user_na = TRUE)) else tell(file, read_dta(file))
  }
  quit(save = "no")
}

spss <- function(name, data, compress) {
  file <- file.path(folder, name)
  write_sav(data, file, compress = compress)
  tell(file, read_sav(file), read_sav(file, user_na = TRUE))
}

stata <- function(name, data, version) {
  file <- file.path(folder, name)
  write_dta(data, file, version = version)
  tell(file, read_dta(file))
}

old_stata <- function(name, data, version) {
  file <- file.path(folder, name)
  foreign::write.dta(data, file, version = version)
  tell(file, read_dta(file))
}

spss("people.sav", people(), "byte")
spss("people-plain.sav", people(), "none")
spss("people.zsav", people(), "zsav")
spss("empty.sav", people()[0, ], "byte")
spss("empty.zsav", people()[0, ], "zsav")
stata("release113.dta", tagged(FALSE, FALSE), 8)
stata("release114.dta", tagged(FALSE, FALSE), 10)
stata("release115.dta", tagged(FALSE, FALSE), 12)
stata("release117.dta", tagged(TRUE, FALSE), 13)
stata("release118.dta", tagged(TRUE, TRUE), 14)
stata("release119.dta", tagged(TRUE, TRUE), 15)
stata("empty.dta", tagged(TRUE, TRUE)[0, ], 14)
plain <- data.frame(
  n = c(1.5, NA, -3), i = c(1L, NA, 3L), f = factor(c("b", NA, "a")), t = c("x", "y", "long text here"),
  d = as.Date(c("2001-02-03", NA, "1960-01-01")), b = c(TRUE, NA, FALSE))
for (version in c(8, 10, 12)) old_stata(paste0("foreign", version, ".dta"), plain, version)
wide <- as.data.frame(setNames(lapply(1:150, function(k) c(k, NA)), paste0("variable_number_", 1:150)))
spss("wide.sav", wide, "byte")
