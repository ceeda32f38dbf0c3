# Data frames as CSV with a schema beside them, and back. Factors keep their levels in order, numbers all their digits,
# dates and times are ISO, and missing is a word that no text of the data is. Where nanoarrow is installed the same goes as
# Arrow, which is written and read several times as fast.

# What each column is that all tables have, over all of them: a release may have levels that the original lacks. What only some
# have is compared with nothing.
schema_of <- function(tables) {
  names <- Reduce(intersect, lapply(tables, names))
  schema <- lapply(names, function(name) column_type(name, lapply(tables, function(table) table[[name]])))
  stats::setNames(schema, names)
}

column_type <- function(name, columns) {
  first <- columns[[1]]
  if (all(vapply(columns, is_number, NA))) return(list(kind = "numeric"))
  if (all(vapply(columns, function(x) inherits(x, "Date") || inherits(x, "POSIXt"), NA))) return(list(kind = "date"))
  texts <- lapply(columns, function(x) if (is.factor(x)) levels(x) else if (is.logical(x)) c("FALSE", "TRUE") else sort(unique(as_text(x, name)), method = "radix"))
  levels <- unique(unlist(texts))
  levels <- levels[!is.na(levels)]
  if (length(levels) == 0) return(list(kind = "categorical"))
  kind <- if (is.ordered(first)) "ordered" else "categorical"
  list(kind = kind, levels = I(as.list(enc2utf8(levels))))
}

is_number <- function(x) is.numeric(x) && !is.factor(x) && !inherits(x, c("Date", "POSIXt"))

# One column as texts, NA where it is missing.
as_text <- function(x, name) {
  if (is.list(x) || !is.null(dim(x))) stop("column \"", name, "\" is a list or a matrix; scrim takes plain columns", call. = FALSE)
  if (is.factor(x)) return(enc2utf8(as.character(x)))
  if (inherits(x, "Date")) return(format(x, "%Y-%m-%d"))
  if (inherits(x, "POSIXt")) return(time_text(x))
  if (is.numeric(x)) return(number_text(unclass(x), name))
  if (is.logical(x) || is.character(x)) return(enc2utf8(as.character(x)))
  stop("column \"", name, "\" is of class ", class(x)[1], ", which scrim does not know; make it a number, a factor or a date",
       call. = FALSE)
}

# format() cuts milliseconds off where they should be rounded.
time_text <- function(x) {
  x <- as.POSIXct(x)
  ifelse(is.na(x), NA_character_, format(x + 0.0005, "%Y-%m-%dT%H:%M:%OS3Z", tz = "UTC"))
}

# As few digits as give the number back; 17 always do.
number_text <- function(x, name) {
  values <- unique(as.double(finite(x, name)))
  short <- sprintf("%.15g", values)
  short[is.na(values)] <- NA
  lossy <- !is.na(values) & as.double(short) != values
  short[lossy] <- sprintf("%.17g", values[lossy])
  short[match(as.double(x), values)]
}

finite <- function(x, name) {
  if (any(is.infinite(x))) stop("column \"", name, "\" has infinite values", call. = FALSE)
  x
}

# A token for missing that is no value.
missing_token <- function(tables) {
  texts <- unique(unlist(lapply(tables, function(table) {
    lapply(table, function(x) if (is.factor(x)) levels(x) else if (is.character(x)) unique(x))
  })))
  token <- "NA"
  while (token %in% trimws(texts)) token <- paste0(token, "_")
  token
}

write_table <- function(table, file, token) {
  if (has_arrow()) write_arrow(table, file) else write_csv(table, file, token)
}

has_arrow <- function() getOption("scrim.arrow", TRUE) && requireNamespace("nanoarrow", quietly = TRUE) && utils::packageVersion("nanoarrow") >= "0.7"

# Levels and times as texts, which the schema makes levels in their order and times again: nanoarrow writes no dictionaries.
write_arrow <- function(table, file) {
  columns <- lapply(names(table), function(name) {
    x <- table[[name]]
    if (is_number(x)) return(finite(unclass(x), name))
    if (inherits(x, "Date")) x else as_text(x, name)
  })
  arranged <- structure(columns, names = enc2utf8(names(table)), row.names = .set_row_names(nrow(table)), class = "data.frame")
  nanoarrow::write_nanoarrow(arranged, file)
}

write_csv <- function(table, file, token) {
  cells <- lapply(names(table), function(name) {
    text <- as_text(table[[name]], name)
    quoted <- if (is.factor(table[[name]]) || is.character(table[[name]])) quote_text(text) else text
    ifelse(is.na(text), token, quoted)
  })
  lines <- if (nrow(table) == 0) character() else do.call(paste, c(cells, sep = ","))
  connection <- file(file, open = "wb")
  on.exit(close(connection))
  writeLines(c(paste(quote_text(enc2utf8(names(table))), collapse = ","), lines), connection, useBytes = TRUE)
}

quote_text <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")

# A file that scrim wrote, with columns as those of `model` are.
read_like <- function(file, model) {
  cells <- read.csv(file, colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8")
  table <- lapply(names(cells), function(name) typed_like(cells[[name]], model[[name]]))
  as.data.frame(stats::setNames(table, names(cells)), check.names = FALSE, stringsAsFactors = FALSE)
}

# Values that the type of the model cannot hold, as after recoding numbers into classes, stay as they are written.
typed_like <- function(text, model) {
  fits <- function(values) all(is.na(values) == is.na(text))
  if (is.factor(model)) {
    typed <- factor(text, levels = levels(model), ordered = is.ordered(model))
    return(if (fits(typed)) typed else factor(text))
  }
  typed <- if (inherits(model, "Date")) as.Date(text, "%Y-%m-%d")
    else if (inherits(model, "POSIXt")) as.POSIXct(with_time(text), tz = "UTC", format = "%Y-%m-%d %H:%M:%OS")
    else if (is.logical(model)) c("TRUE" = TRUE, "FALSE" = FALSE)[text]
    else if (is.numeric(model)) suppressWarnings(as.double(text))
    else text
  if (!fits(typed)) return(text)
  if (is.integer(model) && all(is.na(typed) | typed == round(typed))) as.integer(typed) else unname(typed)
}

# Midnight is written without a time.
with_time <- function(text) sub("^(.{10})$", "\\1 00:00:00", sub("Z$", "", sub("T", " ", text)))
