# Prints figures of utility by synthpop and riskutility, as black boxes: "name<TAB>value", one per line; packages that are not there are
# left out.
# Rscript utility.R ORIGINAL RELEASED
args <- commandArgs(trailingOnly = TRUE)
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = "")
original <- read(args[1])
released <- read(args[2])
for (name in names(original)) if (is.factor(original[[name]])) {
  levels <- sort(union(levels(original[[name]]), levels(released[[name]])))
  original[[name]] <- factor(original[[name]], levels = levels)
  released[[name]] <- factor(released[[name]], levels = levels)
}
tell <- function(name, value) if (length(value) == 1 && is.finite(value)) cat(name, "\t", format(value, digits = 15), "\n", sep = "")
try_telling <- function(name, compute) tryCatch(tell(name, compute()), error = function(e) invisible())
silently <- function(code) suppressWarnings(suppressMessages({ utils::capture.output(result <- code); result }))

categorical <- names(original)[sapply(original, is.factor)]
numeric_columns <- names(original)[sapply(original, is.numeric)]

if (requireNamespace("synthpop", quietly = TRUE)) {
  suppressMessages(library(synthpop))
  for (order in 0:1) {
    # synthpop counts interactions, scrim orders: 0 is main effects.
    fit <- tryCatch(
      silently(utility.gen(released, original, method = "logit", maxorder = order, print.stats = "all", print.flag = FALSE)),
      error = function(e) NULL)
    if (is.null(fit)) next
    for (figure in c("pMSE", "S_pMSE", "SPECKS", "PO50", "U", "df")) {
      try_telling(paste("synthpop logit", order + 1, figure), function() as.numeric(fit[[figure]]))
    }
  }
  tables <- silently(utility.tables(released, original, tables = "twoway", tab.stats = "all", plot = FALSE))
  for (row in rownames(tables$tabs)) {
    pair <- paste(sub("^[0-9]+\\.", "", strsplit(row, ":")[[1]]), collapse = ":")
    for (figure in c("VW", "FT", "JSD", "SPECKS", "WMabsDD", "U", "G", "pMSE", "dBhatt", "S_pMSE", "df")) {
      try_telling(paste("synthpop table", pair, figure), function() tables$tabs[row, figure])
    }
  }
}

if (requireNamespace("riskutility", quietly = TRUE)) {
  suppressMessages(library(riskutility))
  complete <- function(data) data[complete.cases(data[categorical]), ]
  if (length(categorical) > 0) {
    found <- tryCatch(silently(hellinger(original, released, vars = categorical)), error = function(e) NULL)
    try_telling("riskutility hellinger mean", function() mean(unlist(found$distances)))
    if (length(categorical) > 1) {
      found <- tryCatch(silently(contingency_fidelity(original, released, vars = categorical)), error = function(e) NULL)
      try_telling("riskutility contingency mean", function() found$mean_tv)
      found <- tryCatch(silently(chisq_utility(original, released, vars = categorical[1:2])), error = function(e) NULL)
      for (figure in c("chi2", "df", "VW", "FT", "G")) try_telling(paste("riskutility chisq", figure), function() found[[figure]])
    }
  }
}
