# Outputs of a file that `scrim simulate health` wrote, by R: lm, glm, nnet::multinom, tapply, quantile, cor.
# Rscript outputs.R PEOPLE.csv, one line per number: output, element, statistic, value, separated by tabs.
d <- read.csv(commandArgs(trailingOnly = TRUE)[1], stringsAsFactors = TRUE)
d$visits <- as.integer(d$age) %% 7
d$education <- relevel(d$education, "low")
line <- function(output, element, statistic, value)
  cat(paste(output, element, statistic, format(value, digits = 12), sep = "\t"), sep = "\n")
named <- function(names) {
  for (variable in c("gender", "education")) names <- gsub(paste0(variable, "([a-z]+)"), paste0(variable, "=\\1"), names)
  names
}
coefficients <- function(output, fit) {
  table <- summary(fit)$coefficients
  line(output, named(rownames(table)), "estimate", table[, 1])
  line(output, named(rownames(table)), "se", table[, 2])
  line(output, "(model)", "logLik", as.numeric(logLik(fit)))
}
coefficients("linear", lm(income ~ age + gender * education, d))
line("linear", "(model)", "r2", summary(lm(income ~ age + gender * education, d))$r.squared)
coefficients("logistic", glm(disease_status == "healthy" ~ age + gender + education, binomial, d))
coefficients("poisson", glm(visits ~ age + gender * education, poisson, d))
fit <- nnet::multinom(disease_status ~ age + gender, d, trace = FALSE, reltol = 1e-15, maxit = 5000)
for (class in rownames(coef(fit))) {
  line("multinomial", paste(class, named(colnames(coef(fit))), sep = " | "), "estimate", coef(fit)[class, ])
  line("multinomial", paste(class, named(colnames(coef(fit))), sep = " | "), "se", summary(fit)$standard.errors[class, ])
}
line("multinomial", "(model)", "logLik", as.numeric(logLik(fit)))
groups <- split(d$health_score, d$disease_status)
for (group in names(groups)) {
  x <- groups[[group]]
  element <- paste0("disease_status=", group)
  for (statistic in c("mean", "sd", "median", "min", "max", "sum")) line("summary", element, statistic, match.fun(statistic)(x))
  line("summary", element, c("p1", "p5", "q1", "q3", "p99"), quantile(x, c(.01, .05, .25, .75, .99)))
}
for (method in c("pearson", "spearman")) {
  r <- cor(d[, c("age", "income", "health_score")], method = method)
  line(method, c("age, income", "age, health_score", "income, health_score"), method, c(r[1, 2], r[1, 3], r[2, 3]))
}
