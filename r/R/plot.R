# Pictures by ggplot2 where it is installed, and by base graphics otherwise. Blue below the limit, red above, grey for the original.

COLOURS <- c(LOW = "#2f6db5", INCONCLUSIVE = "#8a8f98", MODERATE = "#e08e2b", HIGH = "#c0392b", "NOT ASSESSED" = "#bbbbbb")

utils::globalVariables(c("label", "leakage", "lower", "upper", "level", "value", "role", "added", "column", "suggested", "release"))

has_ggplot <- function(engine) {
  if (engine == "auto") requireNamespace("ggplot2", quietly = TRUE) else engine == "ggplot2"
}

plot.scrim_assessment <- function(x, engine = c("auto", "ggplot2", "base"), ...) {
  shown <- x$threats[!is.na(x$threats$leakage), ]
  if (nrow(shown) == 0) stop("no threat was assessed, so there is nothing to draw", call. = FALSE)
  target <- ifelse(is.na(shown$target), "", paste0(" (", shown$target, ")"))
  shown$label <- paste0(shown$threat, target)
  shown <- shown[order(shown$leakage), ]
  if (has_ggplot(match.arg(engine))) {
    shown$label <- factor(shown$label, levels = unique(shown$label))
    return(ggplot2::ggplot(shown, ggplot2::aes(y = label, x = leakage, xmin = lower, xmax = upper, colour = level)) +
      ggplot2::geom_vline(xintercept = c(0, 1), linetype = c("solid", "dashed"), colour = "grey60") +
      ggplot2::geom_pointrange() +
      ggplot2::facet_wrap(ggplot2::vars(release)) +
      ggplot2::scale_colour_manual(values = COLOURS) +
      ggplot2::labs(x = "leakage (0: as for anybody, 1: as the original itself)", y = NULL, colour = NULL,
                    title = "What the release reveals about the people in it"))
  }
  dots(shown$label, shown$leakage, shown$lower, shown$upper, COLOURS[shown$level], "leakage (0: as for anybody, 1: as the original itself)")
  invisible(x)
}

plot.scrim_measure <- function(x, engine = c("auto", "ggplot2", "base"), ...) {
  shown <- x$table[!is.na(x$table$value), ]
  if (nrow(shown) == 0) stop(x$measure, " has no value here, so there is nothing to draw", call. = FALSE)
  shown$label <- paste0(shown$release, ifelse(is.na(shown$target), "", paste0(" (", shown$target, ")")))
  controls <- rbind(data.frame(label = shown$label, value = shown$fair, role = "fair"),
                    data.frame(label = shown$label, value = shown$everything, role = "original itself"))
  controls <- controls[!is.na(controls$value), ]
  if (has_ggplot(match.arg(engine))) {
    picture <- ggplot2::ggplot(shown, ggplot2::aes(y = label, x = value)) +
      ggplot2::geom_pointrange(ggplot2::aes(xmin = ifelse(is.na(lower), value, lower), xmax = ifelse(is.na(upper), value, upper)), colour = COLOURS[["LOW"]]) +
      ggplot2::labs(x = x$measure, y = NULL, title = x$title)
    if (nrow(controls) > 0) picture <- picture + ggplot2::geom_point(ggplot2::aes(shape = role), data = controls, colour = "grey40") + ggplot2::labs(shape = NULL)
    return(picture)
  }
  dots(shown$label, shown$value, shown$lower, shown$upper, COLOURS[["LOW"]], x$measure)
  points(controls$value, match(controls$label, shown$label), pch = ifelse(controls$role == "fair", 2, 5), col = "grey40")
  invisible(x)
}

plot.scrim_keys <- function(x, engine = c("auto", "ggplot2", "base"), ...) {
  shown <- x$columns[order(x$columns$added), ]
  if (nrow(shown) == 0) stop("no columns were combined, so there is nothing to draw", call. = FALSE)
  shown$suggested <- shown$column %in% x$keys
  title <- "Which columns single people out?"
  if (has_ggplot(match.arg(engine))) {
    shown$column <- factor(shown$column, levels = shown$column)
    return(ggplot2::ggplot(shown, ggplot2::aes(y = column, x = added, fill = suggested)) +
      ggplot2::geom_col() +
      ggplot2::scale_fill_manual(values = c("FALSE" = COLOURS[["INCONCLUSIVE"]], "TRUE" = COLOURS[["HIGH"]]), name = "suggested as key") +
      ggplot2::labs(x = "share of people made unique", y = NULL, title = title))
  }
  old <- par(mar = c(4, 8, 2, 1))
  on.exit(par(old))
  barplot(shown$added, names.arg = shown$column, horiz = TRUE, las = 1, main = title, xlab = "share of people made unique",
          col = ifelse(shown$suggested, COLOURS[["HIGH"]], COLOURS[["INCONCLUSIVE"]]))
  invisible(x)
}

dots <- function(labels, values, lower, upper, colours, title) {
  old <- par(mar = c(4, 14, 1, 1))
  on.exit(par(old))
  at <- seq_along(values)
  range <- range(c(values, lower, upper, 0), na.rm = TRUE)
  plot(values, at, xlim = range, ylim = c(0.5, length(at) + 0.5), pch = 19, col = colours, xlab = title, ylab = "", yaxt = "n")
  axis(2, at, labels, las = 1)
  abline(v = 0, col = "grey60")
  segments(lower, at, upper, at, col = colours)
}
