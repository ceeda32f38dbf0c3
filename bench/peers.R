# Runs one job of a peer as a black box and prints the median seconds and processor seconds of its runs, loading not counted; then
# what it measured.
# Rscript peers.R disclosure ORIGINAL SYNTHETIC | frequency FILE | suda FILE | forest FILE TREES THREADS | cart FILE RESPONSE | synthesis FILE SETS | utility ORIGINAL SYNTHETIC | tables ORIGINAL SYNTHETIC | energy ORIGINAL SYNTHETIC | mmd ORIGINAL SYNTHETIC | dcr TRAINING SYNTHETIC HOLDOUT
args <- commandArgs(trailingOnly = TRUE)
job <- args[1]
median_of <- function(runs, run) {
  spent <- sapply(seq_len(runs), function(k) {
    time <- system.time(invisible(capture.output(run())))
    c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
  })
  apply(spent, 1, median)
}
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = "")

if (job == "disclosure") {
  suppressMessages(library(synthpop))
  original <- read(args[2])
  synthetic <- read(args[3])
  keys <- c("sex", "age", "region", "placesize")
  targets <- c("depress", "income", "ls", "marital", "workab")
  cat(median_of(3, function() suppressMessages(suppressWarnings(
    multi.disclosure(synthetic, original, keys = keys, targets = targets, plot = FALSE, print.flag = FALSE)))), "\n")
} else if (job == "frequency" || job == "suda") {
  suppressMessages(library(sdcMicro))
  data <- read(args[2])
  keys <- paste0("k", 1:6)
  if (job == "frequency") cat(median_of(3, function() freqCalc(data, keyVars = match(keys, names(data)))), "\n")
  if (job == "suda") cat(median_of(1, function() suda2(data, variables = keys)), "\n")
} else if (job == "forest") {
  library(ranger)
  data <- read(args[2])
  fit <- NULL
  seconds <- median_of(1, function() fit <<- ranger(income ~ ., data, probability = TRUE,
    num.trees = as.integer(args[3]), num.threads = as.integer(args[4]), seed = 1))
  cat(seconds, fit$prediction.error, "\n")
} else if (job == "cart") {
  library(rpart)
  data <- read(args[2])
  control <- rpart.control(minbucket = 5, minsplit = 15, cp = 1e-8, xval = 0, maxsurrogate = 0, maxcompete = 0)
  formula <- as.formula(paste(args[3], "~ ."))
  fit <- NULL
  seconds <- median_of(3, function() fit <<- rpart(formula, data, control = control))
  cat(seconds, sum(fit$frame$var == "<leaf>"), "\n")
} else if (job == "synthesis") {
  suppressMessages(library(synthpop))
  data <- read(args[2])
  cat(median_of(3, function() suppressWarnings(syn(data, m = as.integer(args[3]), seed = 1, print.flag = FALSE))), "\n")
} else if (job == "utility") {
  suppressMessages(library(synthpop))
  original <- read(args[2])
  synthetic <- read(args[3])
  cat(median_of(1, function() utility.gen(synthetic, original, method = "cart", nperms = 50, print.flag = FALSE)), "\n")
} else if (job == "tables") {
  suppressMessages(library(synthpop))
  original <- read(args[2])
  synthetic <- read(args[3])
  cat(median_of(1, function() suppressMessages(
    utility.tables(synthetic, original, tables = "twoway", print.tabs = FALSE, plot = FALSE, print.flag = FALSE))), "\n")
} else if (job == "energy" || job == "mmd") {
  suppressMessages(library(riskutility))
  original <- read(args[2])
  synthetic <- read(args[3])
  compare <- if (job == "energy") energy_distance else mmd
  cat(median_of(1, function() compare(original, synthetic)), "\n")
} else if (job == "dcr") {
  suppressMessages(library(riskutility))
  files <- lapply(args[2:4], read)
  cat(median_of(1, function() dcr(files[[1]], files[[2]], holdout = files[[3]], null_test = FALSE)), "\n")
}
