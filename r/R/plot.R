# Pictures by ggplot2 where it is installed, and by base graphics otherwise. Blue below the limit, red above, grey for the original.
# `which` chooses the picture; the first is the one that most people want.

COLOURS <- c(LOW = "#2f6db5", INCONCLUSIVE = "#8a8f98", MODERATE = "#e08e2b", HIGH = "#c0392b", "NOT ASSESSED" = "#bbbbbb")
LEAKAGE <- "leakage (0: as for anybody, 1: as the original itself)"
UTILITY <- "utility (0: keeps nothing, 1: an honest sample)"

utils::globalVariables(c("label", "leakage", "lower", "upper", "level", "value", "role", "release", "x", "y", "xmin", "xmax", "ymin",
                         "ymax", "marked", "leakage_lower", "leakage_upper"))

has_ggplot <- function(engine) {
  if (engine == "auto") requireNamespace("ggplot2", quietly = TRUE) else engine == "ggplot2"
}

plot.scrim_assessment <- function(x, which = c("leakage", "utility"), engine = c("auto", "ggplot2", "base"), ...) {
  which <- match.arg(which)
  engine <- match.arg(engine)
  if (which == "utility") {
    shown <- x$utility[!is.na(x$utility$score), ]
    if (NROW(shown) == 0) stop("utility was not scored, so there is nothing to draw", call. = FALSE)
    return(bars(x, shown$release, shown$score, FALSE, "What the release still tells", UTILITY, engine))
  }
  shown <- x$threats[!is.na(x$threats$leakage), ]
  if (nrow(shown) == 0) stop("no threat was assessed, so there is nothing to draw", call. = FALSE)
  target <- ifelse(is.na(shown$target), "", paste0(" (", shown$target, ")"))
  shown$label <- paste0(shown$threat, target)
  shown <- shown[order(shown$leakage), ]
  if (has_ggplot(engine)) {
    shown$label <- factor(shown$label, levels = unique(shown$label))
    return(ggplot2::ggplot(shown, ggplot2::aes(y = label, x = leakage, xmin = lower, xmax = upper, colour = level)) +
      ggplot2::geom_vline(xintercept = c(0, 1), linetype = c("solid", "dashed"), colour = "grey60") +
      ggplot2::geom_pointrange() +
      ggplot2::facet_wrap(ggplot2::vars(release)) +
      ggplot2::scale_colour_manual(values = COLOURS) +
      ggplot2::labs(x = LEAKAGE, y = NULL, colour = NULL, title = "What the release reveals about the people in it"))
  }
  dots(shown$label, shown$leakage, shown$lower, shown$upper, COLOURS[shown$level], LEAKAGE)
  invisible(x)
}

plot.scrim_measure <- function(x, which = c("value", "records"), engine = c("auto", "ggplot2", "base"), ...) {
  which <- match.arg(which)
  engine <- match.arg(engine)
  if (which == "records") return(histogram(x, engine))
  shown <- x$table[!is.na(x$table$value), ]
  if (nrow(shown) == 0) stop(x$measure, " has no value here, so there is nothing to draw", call. = FALSE)
  shown$label <- paste0(shown$release, ifelse(is.na(shown$target), "", paste0(" (", shown$target, ")")))
  controls <- rbind(data.frame(label = shown$label, value = shown$fair, role = "fair"),
                    data.frame(label = shown$label, value = shown$everything, role = "original itself"))
  controls <- controls[!is.na(controls$value), ]
  if (has_ggplot(engine)) {
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

# The first score of each record: how many people have which.
histogram <- function(x, engine) {
  if (length(x$records) == 0) stop("there are no scores of records: ask for them with records = TRUE", call. = FALSE)
  score <- setdiff(names(x$records[[1]]), "row")[1]
  shown <- do.call(rbind, lapply(names(x$records), function(release) data.frame(release = release, value = as.numeric(x$records[[release]][[score]]))))
  shown <- shown[!is.na(shown$value), ]
  if (has_ggplot(engine)) {
    return(ggplot2::ggplot(shown, ggplot2::aes(x = value)) + ggplot2::geom_histogram(bins = 30, fill = COLOURS[["LOW"]]) +
      ggplot2::facet_wrap(ggplot2::vars(release)) + ggplot2::labs(x = score, y = "records", title = x$title))
  }
  hist(shown$value, breaks = 30, col = COLOURS[["LOW"]], main = x$title, xlab = score, ylab = "records")
  invisible(x)
}

plot.scrim_keys <- function(x, which = c("columns", "sets"), engine = c("auto", "ggplot2", "base"), ...) {
  which <- match.arg(which)
  engine <- match.arg(engine)
  if (which == "sets") {
    shown <- utils::head(x$sets[order(-x$sets$unique, x$sets$size), ], 12)
    shown <- shown[order(shown$unique), ]
    if (nrow(shown) == 0) stop("no columns were combined, so there is nothing to draw", call. = FALSE)
    return(bars(x, shown$columns, shown$unique, FALSE, "Which sets of columns single people out?", "share of people who are unique", engine))
  }
  shown <- x$columns[order(x$columns$added), ]
  if (nrow(shown) == 0) stop("no columns were combined, so there is nothing to draw", call. = FALSE)
  bars(x, shown$column, shown$added, shown$column %in% x$keys, "Which columns single people out?", "share of people made unique", engine,
       "suggested as key")
}

plot.scrim_comparison <- function(x, which = c("map", "leakage"), engine = c("auto", "ggplot2", "base"), ...) {
  which <- match.arg(which)
  engine <- match.arg(engine)
  shown <- x$candidates[!is.na(x$candidates$leakage), ]
  if (nrow(shown) == 0) stop("no candidate was assessed, so there is nothing to draw", call. = FALSE)
  if (which == "leakage") {
    if (has_ggplot(engine)) {
      return(ggplot2::ggplot(shown, ggplot2::aes(y = release, x = leakage, xmin = leakage_lower, xmax = leakage_upper, colour = level)) +
        ggplot2::geom_vline(xintercept = c(0, 1), linetype = c("solid", "dashed"), colour = "grey60") +
        ggplot2::geom_pointrange() +
        ggplot2::scale_colour_manual(values = COLOURS) +
        ggplot2::labs(x = LEAKAGE, y = NULL, colour = NULL, title = "What each candidate reveals about the people in it"))
    }
    dots(shown$release, shown$leakage, shown$leakage_lower, shown$leakage_upper, COLOURS[shown$level], LEAKAGE)
    return(invisible(x))
  }
  shown <- shown[!is.na(shown$utility), ]
  if (nrow(shown) == 0) stop("utility was not scored, so there is no map; which = \"leakage\" draws the risk", call. = FALSE)
  map(x, data.frame(label = shown$release, level = shown$level, x = shown$leakage, xmin = shown$leakage_lower, xmax = shown$leakage_upper,
                    y = shown$utility, ymin = shown$utility_lower, ymax = shown$utility_upper), "Risk and utility of the candidates", engine)
}

plot.scrim_advice <- function(x, which = c("map", "leakage"), engine = c("auto", "ggplot2", "base"), ...) {
  which <- match.arg(which)
  engine <- match.arg(engine)
  shown <- x$trials[!is.na(x$trials$leakage), ]
  if (nrow(shown) == 0) stop("nothing was assessed, so there is nothing to draw", call. = FALSE)
  if (which == "leakage") {
    shown <- shown[order(shown$leakage), ]
    return(bars(x, shown$change, shown$leakage, shown$change == "as it is", "What each change leaves", LEAKAGE, engine, "as it is"))
  }
  shown <- shown[!is.na(shown$utility), ]
  map(x, data.frame(label = shown$change, level = shown$verdict, x = shown$leakage, xmin = NA_real_, xmax = NA_real_, y = shown$utility, ymin = NA_real_,
                    ymax = NA_real_), "What each change buys and costs", engine)
}

plot.scrim_check <- function(x, which = "outcomes", engine = c("auto", "ggplot2", "base"), ...) {
  match.arg(which)
  shown <- summary(x)
  bars(x, shown$status, shown$count, shown$status == "fail", "Rules of the policy", "rules", match.arg(engine), "fails")
}

plot.scrim_outputs <- function(x, which = "verdicts", engine = c("auto", "ggplot2", "base"), ...) {
  match.arg(which)
  shown <- summary(x)
  bars(x, shown$verdict, shown$count, shown$verdict == "refuse", "Outputs", "outputs", match.arg(engine), "refused")
}

# One bar each, those that are marked in red.
bars <- function(x, labels, values, marked, title, axis, engine, marks = NULL) {
  marked <- rep_len(marked, length(labels))
  if (has_ggplot(engine)) {
    shown <- data.frame(label = factor(labels, levels = unique(labels)), value = values, marked = marked)
    return(ggplot2::ggplot(shown, ggplot2::aes(y = label, x = value, fill = marked)) +
      ggplot2::geom_col(show.legend = !is.null(marks)) +
      ggplot2::scale_fill_manual(values = c("FALSE" = COLOURS[["INCONCLUSIVE"]], "TRUE" = COLOURS[["HIGH"]]), name = marks) +
      ggplot2::labs(x = axis, y = NULL, title = title))
  }
  old <- par(mar = c(4, room_for(labels), 2, 1))
  on.exit(par(old))
  barplot(values, names.arg = labels, horiz = TRUE, las = 1, main = title, xlab = axis,
          col = ifelse(marked, COLOURS[["HIGH"]], COLOURS[["INCONCLUSIVE"]]))
  invisible(x)
}

# Leakage to the right, utility upwards: the best is at the top left.
map <- function(x, shown, title, engine) {
  if (has_ggplot(engine)) {
    return(ggplot2::ggplot(shown, ggplot2::aes(x = x, y = y, colour = level)) +
      ggplot2::geom_errorbar(ggplot2::aes(ymin = ymin, ymax = ymax), width = 0, na.rm = TRUE) +
      ggplot2::geom_errorbar(ggplot2::aes(xmin = xmin, xmax = xmax), width = 0, orientation = "y", na.rm = TRUE) +
      ggplot2::geom_point() +
      ggplot2::geom_text(ggplot2::aes(label = label), vjust = -0.8, show.legend = FALSE) +
      ggplot2::expand_limits(x = c(0, 1), y = c(0, 1)) +
      ggplot2::scale_colour_manual(values = COLOURS) +
      ggplot2::labs(x = LEAKAGE, y = UTILITY, colour = NULL, title = title))
  }
  plot(shown$x, shown$y, xlim = range(0, 1, shown$xmax, na.rm = TRUE), ylim = c(0, 1), pch = 19, col = COLOURS[shown$level], xlab = LEAKAGE,
       ylab = UTILITY, main = title)
  segments(shown$xmin, shown$y, shown$xmax, shown$y, col = COLOURS[shown$level])
  segments(shown$x, shown$ymin, shown$x, shown$ymax, col = COLOURS[shown$level])
  text_at(shown$x, shown$y, shown$label)
  invisible(x)
}

text_at <- function(x, y, labels) graphics::text(x, y, labels, pos = 3)

# Lines of margin beside the longest label.
room_for <- function(labels) min(26, 2 + 0.55 * max(nchar(labels)))

dots <- function(labels, values, lower, upper, colours, title) {
  old <- par(mar = c(4, room_for(labels), 1, 1))
  on.exit(par(old))
  at <- seq_along(values)
  range <- range(c(values, lower, upper, 0), na.rm = TRUE)
  plot(values, at, xlim = range, ylim = c(0.5, length(at) + 0.5), pch = 19, col = colours, xlab = title, ylab = "", yaxt = "n")
  axis(2, at, labels, las = 1)
  abline(v = 0, col = "grey60")
  segments(lower, at, upper, at, col = colours)
}
