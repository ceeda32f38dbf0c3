scrim_synthesize <- function(data, method = "cart", m = 1, n = NULL, seed = NULL, options = NULL, threads = NULL) {
  name <- name_of(substitute(data), "data")
  tables <- named_tables(data, name)
  if (length(tables) != 1) stop("'data' must be one data frame", call. = FALSE)
  with_folder(function(folder) {
    own <- if (is.null(options)) NULL else stats::setNames(list(as.list(options)), method)
    written <- written_inputs(list(original = tables, released = list(), case = case_of(options = own, threads = threads)), folder)
    out <- file.path(folder, "synthesis.csv")
    report <- file.path(folder, "how.json")
    flags <- c("-o", out, "--method", method, "--m", m, "--report", report, if (!is.null(n)) c("--n", n),
               if (!is.null(seed)) c("--seed", seed))
    run_scrim(c("synthesize", written$arguments, flags), folder)
    files <- if (m == 1) out else file.path(folder, paste0("synthesis-", seq_len(m), ".csv"))
    made <- lapply(files, read_like, model = tables[[1]])
    how <- read_json(report)
    how[c("original", "files")] <- NULL
    if (m == 1) structure(made[[1]], scrim = how) else structure(made, scrim = how)
  })
}
