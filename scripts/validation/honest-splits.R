# Writes data sets of R packages as CSV files, for honest-splits.mjs. Rscript honest-splits.R FOLDER
# Each has one record per person (or house, firm); files with several records of one person are left out, because a random cut
# would put the same person into the original and into the release. A package that is not installed is left out too.
folder <- commandArgs(trailingOnly = TRUE)[1]
dir.create(folder, showWarnings = FALSE, recursive = TRUE)

data_sets <- list(
  AER = c("Affairs", "BankWages", "CollegeDistance", "CPS1985", "CPS1988", "CPSSW8", "CreditCard", "DoctorVisits",
          "Fertility2", "GSOEP9402", "GSS7402", "HealthInsurance", "HMDA", "HousePrices", "NMES1988", "PSID1976", "SmokeBan",
          "SwissLabor"),
  carData = c("Arrests", "BEPS", "CES11", "Chile", "GSSvocab", "Rossi", "Salaries", "SLID", "TitanicSurvival", "WVS"),
  survival = c("flchain", "nwtco", "rotterdam"),
  MASS = c("Aids2", "biopsy", "nlschools"),
  mlmRev = c("Contraception", "Hsb82", "ScotsSec"),
  modeldata = c("attrition", "credit_data", "stackoverflow", "wa_churn"),
  mice = c("boys", "fdgs", "selfreport"),
  psych = c("bfi", "sat.act"),
  psychTools = "globalWarm",
  HSAUR3 = "CHFLS",
  TH.data = "GBSG2",
  kernlab = "income",
  ggplot2 = "diamonds",
  pscl = c("politicalInformation", "vote92")
)

# Taken in after the judge was as it is: nobody had seen a split of these.
fresh <- list(
  AER = c("CPSSWEducation", "Medicaid1986", "PhDPublications", "RecreationDemand"),
  survival = c("gbsg", "mgus2", "nafld1", "transplant"),
  mlbench = "BostonHousing",
  MASS = c("birthwt", "survey")
)

loaded <- function(package, name) {
  space <- new.env()
  suppressWarnings(data(list = name, package = package, envir = space))
  # Data sets that share a file with others have no entry of their own.
  if (exists(name, envir = space, inherits = FALSE)) get(name, envir = space) else getExportedValue(package, name)
}

write <- function(data, package, name)
  write.csv(as.data.frame(data), file.path(folder, paste0(package, "-", name, ".csv")), row.names = FALSE, na = "")

for (sets in list(data_sets, fresh)) for (package in names(sets)) {
  if (!requireNamespace(package, quietly = TRUE)) { cat("left out, not installed:", package, "\n"); next }
  for (name in sets[[package]]) write(loaded(package, name), package, name)
}

# Two records per person, of which one is kept; two files of one study.
colon <- survival::colon
write(colon[colon$etype == 2, ], "survival", "colon")
write(rbind(MASS::Pima.tr2, MASS::Pima.te), "MASS", "Pima")

# Households, of which one member is kept: equal incomes would tell the others.
if (requireNamespace("laeken", quietly = TRUE)) {
  eusilc <- loaded("laeken", "eusilc")
  write(eusilc[!duplicated(eusilc$db030), setdiff(names(eusilc), c("db030", "rb030"))], "laeken", "eusilc")
}

# A table of counts, one record per person.
esoph <- datasets::esoph
people <- rbind(cbind(esoph[rep(seq_len(nrow(esoph)), esoph$ncases), 1:3], case = "yes"),
                cbind(esoph[rep(seq_len(nrow(esoph)), esoph$ncontrols), 1:3], case = "no"))
write(people, "datasets", "esoph")
