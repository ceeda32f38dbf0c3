# sdcMicro's side of peers-anonymisers.mjs: writes its own data sets, and what its methods make of them, into the folder given.
suppressMessages(library(sdcMicro))
folder <- commandArgs(trailingOnly = TRUE)[1]
save <- function(x, name) write.csv(x, file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "")
data(testdata); data(testdata2); data(free1)
free1 <- as.data.frame(free1)
save(testdata, "testdata"); save(testdata2, "testdata2"); save(free1, "free1")
cat("version\t", as.character(packageVersion("sdcMicro")), "\n", sep = "")

housing <- c("urbrur", "roof", "walls", "water", "electcon", "sex", "age")
family <- c("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")
persons <- c("SEX", "AGE", "MARSTAT", "EDUC1", "ETNI")
suppression <- function(name, data, keys, k) {
  save(localSuppression(data, keyVars = keys, k = k)$xAnon, paste("suppressed", name, k, sep = "-"))
}
for (k in c(2, 3, 5)) suppression("testdata2", testdata2, family, k)
for (k in c(2, 3, 5)) suppression("testdata", testdata, housing, k)
suppression("free1", free1, persons, 3)
