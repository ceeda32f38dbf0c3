library(testthat)
library(scrim)

test_check("scrim")
