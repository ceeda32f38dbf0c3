# sdcMicro's side of anonymisers.mjs: writes its data sets, and what its methods make of them, into the folder given, and
# prints single numbers.
if (!requireNamespace("sdcMicro", quietly = TRUE)) quit(status = 0)
suppressMessages(library(sdcMicro))
folder <- commandArgs(trailingOnly = TRUE)[1]
save <- function(x, name) write.csv(x, file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "")
say <- function(name, value) cat(name, "\t", format(value, digits = 12), "\n", sep = "")
data(testdata); data(testdata2); data(free1)
free1 <- as.data.frame(free1)
testdata2$unequal <- 5 + (seq_len(nrow(testdata2)) * 7) %% 23
save(testdata, "testdata"); save(testdata2, "testdata2"); save(free1, "free1")
say("version", as.character(packageVersion("sdcMicro")))

# Local suppression.
housing <- c("urbrur", "roof", "walls", "water", "electcon", "sex", "age")
family <- c("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
persons <- c("SEX", "AGE", "MARSTAT", "EDUC1", "ETNI")
suppression <- function(name, data, keys, k) {
  save(localSuppression(data, keyVars = keys, k = k)$xAnon, paste("suppressed", name, k, sep = "-"))
}
for (k in c(2, 3, 5)) suppression("testdata2", testdata2, family, k)
for (k in c(2, 3, 5)) suppression("testdata", testdata, housing, k)
suppression("free1", free1, persons, 3)

# Suppression by risk.
risky <- createSdcObj(testdata, keyVars = c("urbrur", "roof", "walls", "water", "sex"), weightVar = "sampling_weight")
for (threshold in c(0.002, 0.005)) {
  done <- localSupp(risky, threshold = threshold, keyVar = "water")
  say(paste("localSupp", threshold), sum(is.na(extractManipData(done)$water)))
}

# Microaggregation: 4,580 records, a multiple of 4.
numbers <- testdata[c("expend", "income", "savings")]
for (method in c("mdav", "onedims", "pca")) {
  for (strata in c("none", "urbrur")) {
    if (method == "mdav" && strata == "none") next
    groups <- if (strata == "none") rep(1, nrow(numbers)) else testdata[[strata]]
    made <- numbers
    for (group in unique(groups)) {
      own <- groups == group
      made[own, ] <- microaggregation(numbers[own, ], aggr = 4, method = method)$mx
    }
    save(made, paste("averaged", method, strata, sep = "-"))
  }
}

# Log-linear models.
cells <- testdata2[c("sex", "water", "roof")]
cells[] <- lapply(cells, factor)
cells$sampling_weight <- testdata2$unequal
for (method in c("default", "CE", "PML", "weightedLLM")) {
  say(paste("modRisk", method), modRisk(cells, method = method, formulaM = ~ sex + water + roof, weights = "sampling_weight")$gr1)
}

# Record swapping: the share of swapped households, and how many leave the largest area.
set.seed(1)
homes <- as.data.frame(createDat(3000))
save(homes, "homes")
areas <- c("nuts1", "nuts2", "nuts3")
for (k in c(0, 3)) {
  swapped <- as.data.frame(recordSwap(homes, hid = "hid", hierarchy = areas, similar = list("hsize"), swaprate = 0.05,
    k_anonymity = k, risk_variables = c("ageGroup", "national"), return_swapped_id = TRUE, seed = 1,
    log_file_name = file.path(folder, "log.txt")))
  first <- swapped[!duplicated(swapped$hid), ]
  before <- homes[match(first$hid, homes$hid), ]
  say(paste("recordSwap", k, "swapped"), sum(first$hid != first$hid_swapped))
  say(paste("recordSwap", k, "far"), sum(first$nuts1 != before$nuts1))
}
