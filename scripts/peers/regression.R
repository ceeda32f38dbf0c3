# Regressions of two files by R's lm and glm and, where they are installed, how synthpop and riskutility compare the coefficients
# (R_LIBS says where they are):
# Rscript regression.R ORIGINAL.csv RELEASED.csv, one line of tab-separated numbers per coefficient.
arguments <- commandArgs(trailingOnly = TRUE)
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = c("", "NA"))
x <- read(arguments[1])
y <- read(arguments[2])
for (name in names(x)) if (is.factor(x[[name]])) {
  all <- sort(union(levels(x[[name]]), levels(y[[name]])), method = "radix")
  x[[name]] <- factor(x[[name]], all)
  y[[name]] <- factor(y[[name]], all)
}

models <- list(
  list(formula = income ~ age + sex + marital, family = "linear"),
  list(formula = log(age) ~ sex * workab + depress, family = "linear"),
  list(formula = workab ~ age + I(age^2) + sex + sex:age, family = "logistic"),
  list(formula = depress ~ age + sex + workab, family = "poisson")
)

has_synthpop <- requireNamespace("synthpop", quietly = TRUE)
fit <- function(model, data) {
  if (model$family == "linear") lm(model$formula, data)
  else glm(model$formula, if (model$family == "logistic") binomial else poisson, data)
}

# synthpop wants an object of its own: one that it made, with our file in the place of its synthesis.
as_synds <- function(model) {
  used <- all.vars(model$formula)
  made <- synthpop::syn(x[, used], method = "sample", print.flag = FALSE, seed = 1)
  made$syn <- y[, used]
  made
}
synthpop_overlap <- function(model) {
  made <- as_synds(model)
  formula <- model$formula
  environment(formula) <- environment()
  fitted <- if (model$family == "linear") eval(bquote(synthpop::lm.synds(.(formula), data = made)))
  else eval(bquote(synthpop::glm.synds(.(formula), family = .(if (model$family == "logistic") "binomial" else "poisson"), data = made)))
  compared <- suppressWarnings(synthpop::compare(fitted, x[, all.vars(model$formula)], print.coef = FALSE))
  list(overlap = compared$ci.overlap[, "CI overlap"], bias = compared$coef.diff[, "Std. coef diff"], terms = rownames(compared$ci.overlap))
}

riskutility_overlap <- function(model) {
  compared <- riskutility::regression_fidelity(x, y, formula = model$formula,
    model = if (model$family == "linear") "lm" else "glm",
    family = if (model$family == "poisson") poisson() else binomial())$coefficients
  list(overlap = compared$ci_overlap, terms = compared$term)
}

for (model in models) {
  a <- summary(fit(model, x))$coefficients
  b <- summary(fit(model, y))$coefficients
  peer <- if (has_synthpop) try(synthpop_overlap(model), silent = TRUE) else NULL
  if (inherits(peer, "try-error")) { message(peer); peer <- NULL }
  other <- if (requireNamespace("riskutility", quietly = TRUE)) try(riskutility_overlap(model), silent = TRUE) else NULL
  if (inherits(other, "try-error")) { message(other); other <- NULL }
  for (term in rownames(a)) {
    beside <- if (is.null(other)) NA else other$overlap[match(term, other$terms)]
    place <- if (is.null(peer)) NA else match(term, peer$terms)
    cat(deparse(model$formula, width.cutoff = 500), model$family, term,
        sprintf("%.15g", c(a[term, 1:2], if (term %in% rownames(b)) b[term, 1:2] else c(NA, NA),
                           if (is.na(place)) c(NA, NA) else c(peer$overlap[place], peer$bias[place]), beside)),
        sep = "\t")
    cat("\n")
  }
}
