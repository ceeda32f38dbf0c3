browse <- function(x, ...) UseMethod("browse")

browse.scrim_comparison <- function(x, ...) browse.scrim_assessment(x, ...)

browse.scrim_outputs <- function(x, ...) browse.scrim_assessment(x, ...)

browse.scrim_assessment <- function(x, file = tempfile("scrim-report-", fileext = ".html"), open = interactive(), ...) {
  connection <- file(file, open = "wb")
  writeLines(enc2utf8(x$html), connection, useBytes = TRUE)
  close(connection)
  if (open) browseURL(file)
  invisible(file)
}
