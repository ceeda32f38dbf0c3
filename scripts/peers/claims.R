# What docs/from-synthpop.md, from-sdcmicro.md and from-riskutility.md say about other software, beside a direct count on small
# data. Prints each claim with the versions at hand; ends with an error where a claim no longer holds.
# Rscript scripts/peers/claims.R; packages that are not installed are left out.
failed <- 0
claim <- function(what, peer, count, holds, scrim = NA) {
  agrees <- is.na(scrim) || !differ(scrim, count)
  word <- if (!holds) "NO LONGER SO" else if (!agrees) "BUT NOT SCRIM" else "as said"
  cat(sprintf("%-74s %12s %10s %10s  %s\n", what, format(peer, digits = 5), format(count, digits = 5),
              if (is.na(scrim)) "" else format(scrim, digits = 5), word))
  if (!holds || !agrees) failed <<- failed + 1
}
# What scrim gives, where its R package is installed.
ours <- function(measure, ..., value) {
  if (has("scrim") && scrim::scrim_available()) value(scrim::scrim_measure(measure, ...)$document) else NA
}
has <- function(...) all(vapply(c(...), requireNamespace, NA, quietly = TRUE))
about <- function(package) cat("\n", package, " ", as.character(utils::packageVersion(package)), "\n", sep = "")
differ <- function(a, b) abs(a - b) > 1e-9
cat(sprintf("%-74s %12s %10s %10s\n", "", "the package", "a count", "scrim"))

# DiSCO by its definition: in per cent of the original records, those whose key shows one value of the target in the
# release, and it is theirs.
count_disco <- function(original, released, keys, target) {
  key <- function(data) do.call(paste, c(lapply(data[keys], as.character), sep = "|"))
  shown <- tapply(as.character(released[[target]]), key(released), function(v) if (length(unique(v)) == 1) v[1] else NA)
  guess <- shown[key(original)]
  100 * mean(!is.na(guess) & guess == as.character(original[[target]]))
}

if (has("synthpop", "carData")) {
  about("synthpop")
  data <- carData::Salaries
  keys <- c("rank", "discipline", "yrs.service", "sex")
  target <- "yrs.since.phd"
  made <- suppressWarnings(synthpop::syn(data, seed = 5, print.flag = FALSE))
  disco <- function(made, data) synthpop::disclosure(made, data, keys = keys, target = target, print.flag = FALSE, plot = FALSE)$attrib$DiSCO
  as_levels <- function(x, of) factor(x, levels = sort(unique(of)))
  values <- c(data[[target]], made$syn[[target]])
  leveled <- made
  leveled$syn[[target]] <- as_levels(made$syn[[target]], values)
  original <- data
  original[[target]] <- as_levels(data[[target]], values)
  count <- count_disco(data, made$syn, keys, target)
  mine <- ours("disclosure", data, made, keys = keys, target = target, value = function(found) 100 * found$value)
  claim("DiSCO of a numeric target: Salaries, yrs.since.phd, syn(seed = 5)", disco(made, data), count,
        differ(disco(made, data), count), mine)
  claim("the same with the target as a factor of common levels", disco(leveled, original), count, !differ(disco(leveled, original), count))
}

if (has("sdcMicro", "carData")) {
  about("sdcMicro")
  data <- carData::Chile
  data <- data[stats::complete.cases(data[c("region", "sex", "education")]), c("region", "sex", "education", "vote")]
  class <- do.call(paste, data[1:3])
  found <- mean(sdcMicro::ldiversity(data, keyVars = 1:3, ldiv_index = 4)[, "vote_Distinct_Ldiversity"])
  distinct <- mean(stats::ave(as.integer(data$vote), class, FUN = function(v) length(unique(v[!is.na(v)]))))
  claim("mean distinct l of vote, Chile by region, sex, education (missing left out)", found, distinct, differ(found, distinct))
  known <- data[!is.na(data$vote), ]
  by_class <- mean(tapply(known$vote, do.call(paste, known[1:3]), function(v) length(unique(v))))
  mine <- ours("l-diversity", data, data, keys = names(data)[1:3], target = "vote", type = "synthetic",
               value = function(found) found$original$details$meanDistinct)
  claim("the same as a mean over classes, not records, which is what scrim prints", NA, by_class, TRUE, mine)
  tiny <- data.frame(key = c("a", "a", "a"), vote = c("x", NA, NA))
  claim("distinct l of a class with the votes x, NA, NA", sdcMicro::ldiversity(tiny, keyVars = 1, ldiv_index = 2)[1, 1], 1,
        sdcMicro::ldiversity(tiny, keyVars = 1, ldiv_index = 2)[1, 1] == 3)
  two <- data.frame(a = factor(c("x", "x", "y")), b = factor(c("p", NA, "q")), w = 5)
  counts <- sdcMicro::freqCalc(two, keyVars = 1:2, w = 3, alpha = 0.5)
  # E(1/F | f) for f = 1.5 and p = f / F, by its series.
  p <- counts$fk[1] / counts$Fk[1]
  series <- p / counts$fk[1] * sum(cumprod(c(1, (1 - p) * (1:500) / (counts$fk[1] + 1:500))))
  risk <- sdcMicro::indivRisk(counts)$rk[1]
  # scrim gives the mean over the three records; the other two have whole counts, on which both agree.
  others <- sum(sdcMicro::indivRisk(counts)$rk[2:3])
  mine <- ours("individual-risk", two, two, keys = c("a", "b"), weight = "w", type = "synthetic",
               options = list(missing = "wildcard", alpha = 0.5), value = function(found) 3 * found$original$value - others)
  claim("individual risk where fk = 1.5 (alpha = 0.5, Fk = 7.5)", risk, series, risk == 0, mine)
  alone <- sdcMicro::freqCalc(data.frame(a = factor(c("x", "y")), w = 1), keyVars = 1, w = 2)
  doubled <- sdcMicro::indivRisk(alone, qual = 2)$rk[1]
  unique <- data.frame(a = factor(c("x", "y")), w = 1)
  mine <- ours("individual-risk", unique, unique, keys = "a", weight = "w", type = "synthetic", options = list(qual = 2),
               value = function(found) found$original$value)
  claim("individual risk of a population unique with qual = 2: a probability?", doubled, 1, doubled > 1, mine)
  numbers <- data.frame(a = c(1, 2, 9, 20, 21, 40), b = c(1, 3, 2, 20, 29, 22))
  median <- sdcMicro::microaggregation(numbers, method = "mdav", aggr = 3, measure = "median")$mx[1, "a"]
  claim("mdav with measure = \"median\": centre of 1, 2, 9", median, stats::median(c(1, 2, 9)), median == mean(c(1, 2, 9)))
}

if (has("riskutility", "carData")) {
  about("riskutility")
  keys <- c("region", "sex", "age", "education")
  data <- carData::Chile
  data <- data[stats::complete.cases(data[c(keys, "vote")]), c(keys, "vote")]
  found <- riskutility::ldiversity(data, key_vars = keys, sensitive_var = "vote", l = 3)$n_violating_entropy
  entropy <- tapply(data$vote, do.call(paste, data[keys]), function(v) {
    p <- table(v)[table(v) > 0] / length(v)
    -sum(p * log(p))
  })
  violating <- sum((entropy < log(3) - 1e-9)[do.call(paste, data[keys])])
  mine <- ours("l-diversity", data, data, keys = keys, target = "vote", type = "synthetic", options = list(l = 3, kind = "entropy"),
               value = function(found) found$original$details$entropy$violating)
  claim("records without entropy l = 3 in vote, Chile by region, sex, age, education", found, violating, found > violating, mine)
  half <- seq(1, nrow(carData::WVS), 2)
  wvs <- carData::WVS[c("age", "gender", "religion", "degree")]
  set.seed(1)
  made <- wvs[half, ][sample(length(half), 1000, TRUE), ]
  made$age <- pmin(pmax(made$age + sample(-3:3, 1000, TRUE), min(wvs$age)), max(wvs$age))
  found <- suppressWarnings(riskutility::dcr(wvs[half, ], made, holdout = wvs[-half, ], seed = 1, null_test = FALSE))$dcr_share
  # Whole numbers, so that equal distances are equal: years apart, and the range of age for each level that differs.
  whole <- function(data) cbind(data$age, diff(range(wvs$age)) * sapply(data[2:4], as.integer))
  nearest <- function(to) apply(whole(made), 1, function(one) min(rowSums(abs(sweep(whole(to), 2, one)))))
  strictly <- mean(nearest(wvs[half, ]) < nearest(wvs[-half, ]))
  mine <- ours("dcr", wvs[half, ], made, holdout = wvs[-half, ], type = "synthetic",
               value = function(found) found$releases[[1]]$details$riskutility$share)
  claim("DCR share, WVS: age, gender, religion, degree; odd rows against even", found, strictly, found > strictly, mine)
  original <- data.frame(country = factor(c("A", "A", "D", "D")), x = c(0, 1, 0, 1))
  released <- data.frame(country = factor(c("B", "B", "C", "C")), x = c(0, 1, 0, 1))
  rate <- riskutility::epsilon_identifiability(original, released, epsilon = 0.3)$identifiability_rate
  mine <- ours("epsilon-identifiability", original, released, type = "synthetic",
               options = list(definition = "riskutility", epsilon = 0.3), value = function(found) found$value)
  claim("epsilon 0.3: countries A, D released as B, C; share within epsilon", rate, 0, rate == 1, mine)
}

if (failed > 0) stop(failed, " claims no longer hold")
