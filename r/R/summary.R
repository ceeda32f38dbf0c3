# The few lines that somebody would put into a message, as a data frame.

summary.scrim_assessment <- function(object, ...) {
  worst <- object$verdicts[c("release", "level", "threat", "recommendation")]
  score <- if (nrow(object$utility) == 0) NA_real_ else object$utility$score[match(worst$release, object$utility$release)]
  data.frame(worst, utility = score)
}

summary.scrim_comparison <- function(object, ...) object$candidates[c("release", "level", "leakage", "utility", "front")]

# Of records, where they were asked for, the quartiles of each score.
summary.scrim_measure <- function(object, ...) {
  if (length(object$records) == 0) return(object$table[c("release", "target", "value", "lower", "upper")])
  each <- lapply(names(object$records), function(release) {
    scores <- object$records[[release]]
    scores <- scores[setdiff(names(scores)[vapply(scores, is.numeric, NA)], "row")]
    quartiles <- t(vapply(scores, stats::quantile, numeric(5), na.rm = TRUE, names = FALSE))
    colnames(quartiles) <- c("min", "q1", "median", "q3", "max")
    data.frame(release = release, score = names(scores), quartiles, row.names = NULL)
  })
  do.call(rbind, each)
}

summary.scrim_keys <- function(object, ...) {
  each <- split(object$roles$column, factor(object$roles$role, levels = unique(object$roles$role)))
  data.frame(role = names(each), columns = vapply(each, paste, "", collapse = ", "), row.names = NULL)
}

summary.scrim_advice <- function(object, ...) {
  object$trials[object$trials$change %in% c("as it is", object$document$recommended), ]
}

summary.scrim_check <- function(object, ...) counted(object$outcomes$status, "status")

summary.scrim_outputs <- function(object, ...) counted(object$outputs$verdict, "verdict")

counted <- function(values, name) {
  counts <- table(factor(values, levels = unique(values)))
  stats::setNames(data.frame(names(counts), as.integer(counts)), c(name, "count"))
}
