import { requestOfRModel, UserError } from '@scrim/core'
import { EXIT } from '../../exit.js'
import { readFiles, STANDARD } from '../../files/files.js'
import { checkOutputs, writeOutput, writtenText } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'

const USAGE =
  'scrim outputs request MODEL.rds [-o request.json], or scrim outputs request --from-r | --from-stata | --from-python'

/** A request from a model of other software: of R from the file that it saves, of Stata and Python by code that runs there. */
export function makeRequest(args: Arguments, io: Io): number {
  const from = Object.keys(CODE).filter((flag) => args.has(flag))
  const [, file, ...rest] = args.positionals
  if (from.length + (file === undefined ? 0 : 1) !== 1 || rest.length > 0)
    throw new UserError(`expected one model, or one of --from-r, --from-stata and --from-python; usage: ${USAGE}`)
  const output = args.text('output') ?? STANDARD
  checkOutputs({ files: [output], inputs: file === undefined ? [] : [file] }, io)
  writeOutput(output, file === undefined ? CODE[from[0]] : requestText(file, io), io)
  io.out(writtenText([output], io))
  return EXIT.ok
}

function requestText(file: string, io: Io): string {
  const [{ bytes }] = readFiles([file], io)
  return `${JSON.stringify(requestOfRModel(file, bytes), null, 2)}\n`
}

const R = `# In R, with a model of lm or glm; model.rds holds the data of the model: keep it where they are.
saveRDS(model, "model.rds")
# Then at the command line:
#   scrim outputs request model.rds -o request.json
#   scrim outputs check request.json --data data.csv
`

const PYTHON = `# In Python, with a fitted model of statsmodels (ols, logit, poisson, glm); formulas name the terms.
import csv


def scrim_request(result, path, output_id="model", decimals=4):
    model = result.model
    kind = type(model).__name__
    if kind == "GLM":
        kind = type(model.family).__name__
    family = {
        "OLS": "linear", "Gaussian": "linear",
        "Logit": "logistic", "Binomial": "logistic",
        "Poisson": "poisson",
    }[kind]
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["output_id", "kind", "family", "response", "term", "statistic", "value", "se", "decimals"])
        for term, value, se in zip(model.exog_names, result.params, result.bse):
            printed = [f"{number:.{decimals}f}" for number in (value, se)]
            rows.writerow([output_id, "regression", family, model.endog_names, term, "estimate", *printed, decimals])


scrim_request(result, "request.csv")
# Then at the command line:
#   scrim outputs check request.csv --data data.csv
`

const STATA = `* In Stata, after regress, logit or poisson.
local family = cond("\`e(cmd)'" == "regress", "linear", cond("\`e(cmd)'" == "poisson", "poisson", "logistic"))
tempname out b V
matrix \`b' = e(b)
matrix \`V' = e(V)
local names : colnames \`b'
file open \`out' using "request.csv", write text replace
file write \`out' "output_id,kind,family,response,term,statistic,value,se,decimals" _n
local k = 0
foreach name of local names {
    local ++k
    if \`V'[\`k', \`k'] == 0 continue
    * 2.race is race=2, 1.sex#c.age is sex=1:age
    local term = ""
    foreach part in \`=subinstr("\`name'", "#", " ", .)' {
        if regexm("\`part'", "^([0-9]+)[a-z]*\\.(.+)$") local part = regexs(2) + "=" + regexs(1)
        local part = subinstr("\`part'", "c.", "", 1)
        local term = cond("\`term'" == "", "\`part'", "\`term':\`part'")
    }
    local value = string(\`b'[1, \`k'], "%20.4f")
    local se = string(sqrt(\`V'[\`k', \`k']), "%20.4f")
    file write \`out' "model,regression,\`family',\`e(depvar)',\`term',estimate,\`=trim("\`value'")',\`=trim("\`se'")',4" _n
}
file close \`out'
* Then at the command line:
*   scrim outputs check request.csv --data data.csv
`

const CODE: Readonly<Record<string, string>> = { 'from-r': R, 'from-stata': STATA, 'from-python': PYTHON }
