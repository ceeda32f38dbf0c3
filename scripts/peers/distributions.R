# What riskutility prints of two complete files: Rscript distributions.R ORIGINAL.csv RELEASED.csv, one line NAME<tab>NUMBER each.
# R_LIBS says where it is installed.
if (!requireNamespace("riskutility", quietly = TRUE)) quit(status = 0)
suppressMessages(library(riskutility))
arguments <- commandArgs(trailingOnly = TRUE)
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = c("", "NA"))
x <- read(arguments[1])
y <- read(arguments[2])
numbers <- names(x)[sapply(x, is.numeric)]
say <- function(name, value) cat(name, "\t", format(value, digits = 15), "\n", sep = "")

energy <- energy_distance(x, y, vars = numbers, n_sample = NULL)
say("energy-distance", energy$energy_distance)
say("energy-distance across", energy$mean_dist_XY)
for (kernel in c("gaussian", "rational_quadratic")) {
  found <- mmd(x, y, vars = numbers, method = "exact", kernel = kernel)
  say(paste("mmd", sub("_", " ", kernel)), found$mmd2)
}
say("mmd sigma", found$sigma)
say("copula-fidelity", copula_fidelity(x, y, vars = numbers)$mean_cvm)
say("tail-fidelity", tail_fidelity(x, y, vars = numbers)$qq_divergence)
say("ci-proximity", ci_proximity(x, y, vars = numbers)$proximity_mean)
for (name in numbers) {
  say(paste("wasserstein", name), compare_wasserstein(x, y, num_var = name)$wasserstein)
  say(paste("ks", name), suppressWarnings(compare_ks_test(x, y, num_var = name))$ks_statistic)
}
for (method in c("iqr", "zscore")) {
  found <- compare_outliers(x[, numbers], y[, numbers], method = method)$summary
  for (k in seq_along(numbers)) {
    say(paste("outliers", method, numbers[k], "original"), found$Outliers_X[k])
    say(paste("outliers", method, numbers[k], "released"), found$Outliers_Y[k])
  }
}
found <- compare_correlation_matrices(x, y, vars = names(x))$summary
say("associations", found$mean_abs_diff)
say("associations largest", found$max_abs_diff)
found <- compare_multivariate_distribution(x, y, vars = numbers, method = "mahalanobis")
say("mahalanobis", as.numeric(found[[1]])[1])
