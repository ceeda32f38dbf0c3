# Prints figures of synthpop's disclosure() with grouped keys and targets, as a black box: "name<TAB>value", one per line.
# Rscript disclosure.R ORIGINAL RELEASED KEY,KEY.. TARGET GROUPS,GROUPS.. GROUPS_OF_TARGET
args <- commandArgs(trailingOnly = TRUE)
if (!requireNamespace("synthpop", quietly = TRUE)) quit(status = 0)
suppressMessages(library(synthpop))
read <- function(file) read.csv(file, stringsAsFactors = TRUE, na.strings = "")
original <- read(args[1])
released <- read(args[2])
for (name in names(original)) if (is.factor(original[[name]])) {
  levels <- sort(union(levels(original[[name]]), levels(released[[name]])))
  original[[name]] <- factor(original[[name]], levels = levels)
  released[[name]] <- factor(released[[name]], levels = levels)
}
numbers <- function(text) as.numeric(strsplit(text, ",")[[1]])
invisible(utils::capture.output(result <- suppressMessages(disclosure(
  released, original, keys = strsplit(args[3], ",")[[1]], target = args[4],
  ngroups_keys = numbers(args[5]), ngroups_target = numbers(args[6]), print.flag = FALSE))))
tell <- function(frame, figures) for (figure in figures) cat(figure, "\t", format(frame[1, figure], digits = 15), "\n", sep = "")
tell(result$ident, c("UiO", "UiS", "UiOiS", "repU"))
tell(result$attrib, c("Dorig", "Dsyn", "iS", "DiS", "DiSCO", "DiSDiO"))
tell(result$allCAPs, c("baseCAPd", "CAPd", "CAPs", "DCAPb", "DCAPs", "TCAPb", "TCAPs", "TCAP"))
