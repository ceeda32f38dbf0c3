# Writes the small R, SAS and Excel files that the readers are tested with, and beside each what R sees in it, as JSON.
# Rscript scripts/validation/fixtures-r.R [FOLDER [ROWS]]; needs haven, tibble, data.table, bit64, openxlsx, synthpop, sdcMicro, jsonlite.
suppressMessages({library(haven); library(tibble); library(data.table); library(jsonlite)})
arguments <- commandArgs(trailingOnly = TRUE)
folder <- if (length(arguments) > 0) arguments[1] else "packages/core/src/testing/files"
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
more <- if (length(arguments) > 1) as.integer(arguments[2]) else NULL
# The same records again and again, where larger files are wanted.
repeated <- function(frame) if (is.null(more)) frame else frame[rep(seq_len(nrow(frame)), length.out = more), , drop = FALSE]
file <- function(name) file.path(folder, name)

# All digits of a double, as text.
exact <- function(x) ifelse(is.na(x), NA, sprintf("%.17g", as.numeric(x)))
# A column as texts and numbers that JSON can hold: factors as labels, dates as days, times as seconds.
seen <- function(x) {
  if (is.factor(x)) list(kind = "factor", levels = I(levels(x)), ordered = is.ordered(x), values = as.character(x))
  else if (inherits(x, "haven_labelled")) {
    f <- as_factor(x)
    list(kind = "labelled", levels = I(levels(f)), values = as.character(f), label = attr(x, "label"))
  }
  else if (inherits(x, "Date")) list(kind = "date", values = exact(x))
  else if (inherits(x, "POSIXct")) list(kind = "time", values = exact(x))
  else if (inherits(x, "integer64")) list(kind = "number", values = exact(x))
  else if (is.logical(x)) list(kind = "logical", values = x)
  else if (is.character(x)) list(kind = "text", values = enc2utf8(unclass(x)))
  else list(kind = "number", values = exact(x))
}
expectation <- function(name, frame) {
  columns <- lapply(frame, seen)
  json <- toJSON(list(rows = nrow(frame), names = I(names(frame)), columns = unname(columns)),
                 digits = NA, na = "null", null = "null", auto_unbox = TRUE)
  # One value is a list of one too.
  writeLines(json, file(paste0(name, ".json")), useBytes = TRUE)
}

n <- 12
people <- data.frame(
  id = 1:n,
  sex = factor(rep(c("m", "f", NA), length.out = n), levels = c("m", "f", "x")),
  grade = factor(rep(c("mid", "low", "high"), length.out = n), levels = c("low", "mid", "high"), ordered = TRUE),
  income = c(1.5, NA, -2, 1e6, 0.1, 1 / 3, 7, 8, 9, 10, 11, 12),
  count = c(NA, 2:n),
  alone = rep(c(TRUE, FALSE, NA), length.out = n),
  town = c("Wien", "Z\u00fcrich", NA, "", "\u6771\u4eac", "NA", "a,b", "say \"hi\"", " x ", "back\\slash", "line\nfeed", "tab\t"),
  born = as.Date("1970-01-01") + c(0, 1, -1, NA, 19000, 5:11),
  seen = as.POSIXct("2020-02-29 12:34:56", tz = "UTC") + c(NA, (2:n) * 3600),
  stay = as.difftime(c(1:11, NA), units = "hours"),
  stringsAsFactors = FALSE
)
people <- repeated(people)
rownames(people) <- NULL
names(people)[2] <- "G\u00e9schl\u00e9cht"
expectation("people", people)
saveRDS(people, file("people.rds"))
saveRDS(people, file("people-v2.rds"), version = 2)
saveRDS(people, file("people-ascii.rds"), ascii = TRUE, compress = FALSE)
saveRDS(people, file("people-hex.rds"), ascii = NA, compress = FALSE)
saveRDS(people, file("people-bzip2.rds"), compress = "bzip2")
saveRDS(people, file("people-xz.rds"), compress = "xz")
saveRDS(people, file("people-plain.rds"), compress = FALSE)
con <- base::file(file("people-native.rds"), "wb"); serialize(people, con, xdr = FALSE); close(con)
save(people, file = file("people.rda"))
save(people, file = file("people-ascii.RData"), ascii = TRUE)
saveRDS(as_tibble(people), file("people-tibble.rds"))
saveRDS(as.data.table(people), file("people-table.rds"))

# Vectors that R keeps in a short form.
short <- data.frame(a = 1:n)
short$b <- as.character(short$a)
short$c <- seq_len(n) + 0
short$d <- structure(rev(short$a), names = NULL)
short$e <- sort(c(3.25, 1, 2, NA, 5:12), na.last = TRUE)
short$f <- as.character(short$a + 0.5)
expectation("short", short)
saveRDS(short, file("short.rds"))

# Labels, kinds of missing, long integers, latin1.
latin <- "caf\xe9"; Encoding(latin) <- "latin1"
labelled_people <- tibble(
  q1 = labelled(c(1, 2, 2, NA), c(yes = 1, no = 2, never = 3), label = "Does it work?"),
  q2 = labelled_spss(c(1, 2, 9, 1), c(low = 1, high = 2, refused = 9), na_values = 9),
  q3 = labelled(c("a", "b", NA, "a"), c(first = "a", second = "b")),
  q4 = labelled(c(1, tagged_na("a"), tagged_na("z"), 2), c(one = 1, two = 2, refused = tagged_na("a"))),
  big = bit64::as.integer64(c("1", NA, "9007199254740993", "-5")),
  text = c(latin, "x", "y", NA),
  note = structure(c(1.5, 2, 3, 4), label = "A number with a label")
)
saveRDS(labelled_people, file("labelled.rds"))
empty <- people[0, ]
expectation("empty", empty)
saveRDS(empty, file("empty.rds"))
wide <- as.data.frame(setNames(lapply(1:300, function(k) k + 0:1), paste0("v", 1:300)))
wide$long <- c(strrep("x", 4000), strrep("\u00e9", 2000))
expectation("wide", wide)
saveRDS(wide, file("wide.rds"), compress = "xz")

# What packages for disclosure control leave.
suppressMessages({library(synthpop); library(sdcMicro)})
set.seed(1)
observed <- SD2011[1:60, c("sex", "age", "edu", "income", "smoke")]
one <- syn(observed, m = 1, seed = 1, print.flag = FALSE, models = TRUE)
two <- syn(observed, m = 2, seed = 1, print.flag = FALSE)
expectation("observed", observed)
expectation("syn", one$syn)
expectation("syn-2", two$syn[[2]])
write.csv(observed, file("observed.csv"), row.names = FALSE)
for (k in 1:2) write.csv(two$syn[[k]], file(paste0("syn-", k, ".csv")), row.names = FALSE)
saveRDS(one, file("syn.rds"), compress = "xz")
saveRDS(two, file("syn2.rds"), compress = "xz")
saveRDS(two$syn, file("syn-list.rds"))
save(observed, two, file = file("observed-and-syn.rda"))
saveRDS(list(original = observed, syn = one), file("observed-and-syn.rds"))
a <- observed; b <- one$syn; f <- function(x) x + 1
save(a, b, f, file = file("several.rda"))
saveRDS(list(1, mean, quote(x + y), new.env()), file("no-frame.rds"))
data(testdata2, package = "sdcMicro")
kept <- testdata2[1:40, c("urbrur", "roof", "water", "sex", "age", "expend", "income", "savings", "ori_hid", "sampling_weight", "relat")]
sdc <- createSdcObj(kept, keyVars = c("urbrur", "roof", "sex", "age"), numVars = c("expend", "income"),
  weightVar = "sampling_weight", hhId = "ori_hid", sensibleVar = "savings")
sdc <- microaggregation(localSuppression(sdc, k = 2))
expectation("sdc-original", kept)
expectation("sdc-released", extractManipData(sdc))
saveRDS(sdc, file("sdc.rds"), compress = "xz")

# simPop, by the classes that its manual describes: it is not needed to make these.
setClassUnion("characterOrNULL", c("character", "NULL"))
setClass("dataObj", representation(data = "ANY", hhid = "characterOrNULL", hhsize = "characterOrNULL", pid = "characterOrNULL",
  weight = "characterOrNULL", strata = "characterOrNULL", ispopulation = "logical"))
setClass("simPopObj", representation(sample = "dataObj", table = "ANY", pop = "dataObj", basicHHvars = "characterOrNULL"))
household <- data.table(db030 = c(1L, 1L, 2L), age = c(30, 31, 70), rb050 = c(10.5, 10.5, 20), db040 = factor(c("a", "a", "b")))
simulated <- household[c(1, 3), 1:2]
saveRDS(new("simPopObj", table = NULL, basicHHvars = "age",
  sample = new("dataObj", data = household, hhid = "db030", hhsize = NULL, pid = NULL, weight = "rb050", strata = "db040", ispopulation = FALSE),
  pop = new("dataObj", data = simulated, hhid = "db030", hhsize = NULL, pid = NULL, weight = NULL, strata = NULL, ispopulation = TRUE)),
  file("simpop.rds"))

# SAS: R writes transport files, and data sets of one kind. Blank texts are missing in SAS.
for_sas <- data.frame(
  id = as.numeric(1:5),
  income_of_last_year = structure(c(1.5, NA, -2e-10, 123456789.123, 1 / 3), label = "Income, in euro"),
  town = c("Wien", "Z\u00fcrich", NA, "a b", "\u6771\u4eac"),
  born = as.Date(c("2020-02-29", NA, "1950-05-05", "1960-01-01", "1582-10-15")),
  seen = as.POSIXct(c("2020-02-29 12:34:56", NA, "1950-05-05 00:00:01", "1960-01-01 00:00:00", "2000-01-01 23:59:59"), tz = "UTC")
)
for_sas <- repeated(for_sas)
attr(for_sas$income_of_last_year, "label") <- "Income, in euro"
if (!is.null(more)) for_sas$id <- as.numeric(seq_len(more))
write_xpt(for_sas, file("sas-v8.xpt"), version = 8, name = "PEOPLE")
suppressWarnings(write_sas(for_sas, file("sas.sas7bdat")))
expectation("sas", for_sas)
short_names <- setNames(for_sas, c("ID", "INCOME", "TOWN", "BORN", "SEEN"))
write_xpt(short_names, file("sas-v5.xpt"), version = 5, name = "PEOPLE")
expectation("sas-v5", as.data.frame(lapply(read_xpt(file("sas-v5.xpt")), function(x) { if (is.character(x)) x[x == ""] <- NA; x })))
write_xpt(for_sas[0, ], file("sas-empty.xpt"), version = 8, name = "PEOPLE")
write_xpt(data.frame(x = c(1, NA, tagged_na("A"), tagged_na("Z"))), file("sas-tagged.xpt"), version = 5, name = "PEOPLE")

# Excel: texts, numbers, dates, times, true and false, empty cells; two sheets.
library(openxlsx)
for_excel <- data.frame(
  id = 1:5,
  income = c(1.5, NA, -2e-10, 123456789.123, 0.25),
  town = c("Wien", "Z\u00fcrich", NA, "a & <b>", " x "),
  born = as.Date(c("2020-02-29", NA, "1950-05-05", "1900-03-01", "1999-12-31")),
  seen = as.POSIXct(c("2020-02-29 12:34:56", NA, "1950-05-05 00:00:01", "1960-01-01 00:00:00", "2000-01-01 23:59:59"), tz = "UTC"),
  alone = c(TRUE, FALSE, NA, TRUE, TRUE)
)
for_excel <- repeated(for_excel)
names(for_excel)[3] <- "St\u00e4dte"
book <- createWorkbook()
addWorksheet(book, "people"); writeData(book, "people", for_excel)
addWorksheet(book, "released"); writeData(book, "released", for_excel[c(2, 1), ], startCol = 2, startRow = 4)
saveWorkbook(book, file("excel.xlsx"), overwrite = TRUE)
expectation("excel", for_excel)
expectation("excel-released", for_excel[c(2, 1), ])

# Models, for requests of outputs: an interaction with a factor, a computed variable, a link that scrim does not fit.
births <- data.frame(low = rep(0:1, 12), age = c(19, 33, 20, 21, 18, 21, 22, 17, 29, 26, 19, 19), race = rep(1:3, each = 8))
saveRDS(glm(low ~ age * factor(race), data = births, family = binomial), file("model-logistic.rds"), version = 2)
saveRDS(lm(log(age) ~ race, data = births), file("model-computed.rds"), version = 2)
saveRDS(glm(low ~ age, data = births, family = binomial("probit")), file("model-probit.rds"), version = 2)
