# Eight people and a release of them: on sex and age f40, m30, m50 and f50 are alone in the original.
people <- data.frame(
  sex = factor(c("f", "f", "f", "m", "m", "m", "m", "f"), levels = c("m", "f")),
  age = c(30, 30, 40, 30, 40, 40, 50, 50),
  income = c("low", "low", "high", "low", "high", "low", "high", "low")
)
released <- data.frame(
  sex = factor(c("f", "f", "f", "m", "m", "m", "m", "f"), levels = c("m", "f")),
  age = c(30, 30, 40, 30, 40, 40, 40, 50),
  income = c("low", "low", "low", "low", "high", "high", "high", "low")
)

skip_without_scrim <- function() skip_if_not(scrim_available(), "Node or scrim is not here")
