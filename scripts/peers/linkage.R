# What riskutility and sdcMicro print of two files of the same people: Rscript linkage.R ORIGINAL.csv RELEASED.csv PRAM.csv, one line
# NAME<tab>NUMBER each. PRAM.csv has the transition matrices: key, from, to, probability. R_LIBS says where they are installed.
if (!requireNamespace("riskutility", quietly = TRUE) || !requireNamespace("sdcMicro", quietly = TRUE)) quit(status = 0)
suppressMessages(library(riskutility))
arguments <- commandArgs(trailingOnly = TRUE)
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = c("", "NA"))
x <- read(arguments[1])
a <- read(arguments[2])
cells <- read.csv(arguments[3], colClasses = c("character", "character", "character", "numeric"))
numbers <- names(x)[sapply(x, is.numeric)]
others <- setdiff(names(x), numbers)
matrices <- lapply(split(cells, cells$key), function(of) xtabs(probability ~ from + to, of))
say <- function(name, value) cat(name, "\t", format(value, digits = 15), "\n", sep = "")
link <- function(..., key = names(x), from = x, to = a)
  suppressMessages(suppressWarnings(recordLinkage(from, x_anon = to, key = key, ...)))
risk <- function(name, ..., key = names(x)) say(name, mean(link(..., key = key)$per_record$risk))

risk("deterministic")
risk("deterministic reverse", direction = "reverse")
risk("deterministic weights", weights = setNames(seq_along(names(x)), names(x)))
risk("deterministic block", block = others[1])
risk("deterministic topk softmax", strategy = "topk", k = 5, risk_weighting = "softmax")
risk("deterministic topk kernel", strategy = "topk", k = 5, risk_weighting = "kernel", bandwidth = 0.05)
risk("deterministic threshold", strategy = "threshold", threshold = 0.05)
for (rule in c("match", "mismatch")) risk(paste("deterministic missing", rule), na_anon = rule)
risk("deterministic one to one", matching = "bijective")
found <- suppressMessages(sdcMicro::recordLinkage(x, a, vars = names(x)))
say("one to one, sdcMicro", found$correct_match_rate)
risk("deterministic transport", matching = "ot")
risk("deterministic transport, 5000 iterations", matching = "ot", ot_max_iter = 5000)
rates <- function(value) setNames(rep(value, length(names(x))), names(x))
risk("probabilistic", method = "probabilistic", m_probs = rates(0.9), u_probs = rates(0.3))
risk("ranks", method = "rbrl")
risk("mahalanobis with missing numbers", method = "mahalanobis", robust = FALSE, key = numbers)
pram <- link(method = "pram", pram_matrix = matrices, key = others, expected_risk = TRUE)
say("pram", mean(pram$per_record$risk))
if (!is.null(pram$pram_info$expected_risk)) say("pram expected", mean(unlist(pram$pram_info$expected_risk)))
complete <- complete.cases(x) & complete.cases(a)
metric <- function(name, ...) {
  found <- link(method = "mahalanobis", from = x[complete, ], to = a[complete, ], ...)$per_record
  say(name, mean(found$risk))
  say(paste(name, "distances"), mean(found$d_true))
}
metric("mahalanobis", robust = FALSE, key = numbers)
metric("mahalanobis mixed", robust = FALSE)
metric("mahalanobis robust", robust = TRUE, key = numbers)
predicted <- function(...) link(method = "predictive", from = x[complete, ], to = a[complete, ], ...)$per_record$risk
say("predictive", mean(predicted()))
say("predictive kernel", mean(predicted(strategy = "topk", k = 5, risk_weighting = "kernel")))
say("drisk, sdcMicro", sdcMicro::dRisk(x[complete, numbers], xm = a[complete, numbers], k = 0.05))

# Distances of ranks once more in whole numbers, where ties are ties: twice the ranks, mismatches as twice the records.
whole <- function(from, to) {
  ranks <- lapply(numbers, function(v) abs(outer(2 * rank(from[[v]]), 2 * rank(to[[v]]), "-")))
  equal <- lapply(others, function(v) 2 * nrow(from) * outer(as.character(from[[v]]), as.character(to[[v]]), "!="))
  Reduce(`+`, c(ranks, equal))
}
d <- whole(x[complete, ], a[complete, ])
nearest <- d == apply(d, 1, min)
say("ranks of complete records", mean(link(method = "rbrl", from = x[complete, ], to = a[complete, ])$per_record$risk))
say("ranks of complete records, in whole numbers", mean(diag(nearest) / rowSums(nearest)))
