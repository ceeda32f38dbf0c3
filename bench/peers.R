# Runs one job of a peer as a black box and prints the median seconds of three runs (suda: of one), loading not counted.
# Rscript peers.R disclosure ORIGINAL SYNTHETIC | frequency FILE | suda FILE
args <- commandArgs(trailingOnly = TRUE)
job <- args[1]
median_of <- function(runs, run) median(sapply(seq_len(runs), function(k) system.time(invisible(capture.output(run())))[["elapsed"]]))
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = "")

if (job == "disclosure") {
  suppressMessages(library(synthpop))
  original <- read(args[2])
  synthetic <- read(args[3])
  keys <- c("sex", "age", "region", "placesize")
  targets <- c("depress", "income", "ls", "marital", "workab")
  cat(median_of(3, function() suppressMessages(suppressWarnings(
    multi.disclosure(synthetic, original, keys = keys, targets = targets, plot = FALSE, print.flag = FALSE)))), "\n")
} else {
  suppressMessages(library(sdcMicro))
  data <- read(args[2])
  keys <- paste0("k", 1:6)
  if (job == "frequency") cat(median_of(3, function() freqCalc(data, keyVars = match(keys, names(data)))), "\n")
  if (job == "suda") cat(median_of(1, function() suda2(data, variables = keys)), "\n")
}
