/** What models say about records whose truth is known: a number each, or a probability of each class. */
export interface NumberPredictions {
  readonly kind: 'numbers'
  readonly truth: Float64Array
  readonly predicted: Float64Array
}

export interface ClassPredictions {
  readonly kind: 'classes'
  readonly levels: readonly string[]
  readonly truth: Int32Array
  /** Rows x levels, row after row. */
  readonly probabilities: Float64Array
}

export type Predictions<Classes extends ClassPredictions = ClassPredictions> = NumberPredictions | Classes

/** The values at some places; null stays null. */
export function valuesAt<Values extends Float64Array | null>(
  values: Values,
  places: ArrayLike<number>,
): Float64Array | Values {
  return values === null ? values : Float64Array.from(places, (place) => values[place])
}

/** The predictions at some places. */
export function predictionsAt<Classes extends ClassPredictions>(
  predictions: Predictions<Classes>,
  places: Int32Array,
): Predictions<Classes> {
  if (predictions.kind === 'numbers') {
    const { truth, predicted } = predictions
    return { kind: 'numbers', truth: valuesAt(truth, places), predicted: valuesAt(predicted, places) }
  }
  const { truth, probabilities, levels } = predictions
  const some = new Float64Array(places.length * levels.length)
  places.forEach((place, k) => {
    some.set(rowOf(probabilities, place, levels.length), k * levels.length)
  })
  return { ...predictions, truth: places.map((place) => truth[place]), probabilities: some }
}

/** Predictions of all records, in their order, from those of parts that together hold every record once. */
export function assembled<Classes extends ClassPredictions>(
  parts: readonly { readonly places: Int32Array; readonly predictions: Predictions<Classes> }[],
): Predictions<Classes> {
  const records = parts.reduce((count, { places }) => count + places.length, 0)
  const placed = <Values extends Float64Array | Int32Array>(
    into: Values,
    valuesOf: (predictions: Predictions<Classes>) => Float64Array | Int32Array,
  ): Values => {
    const width = into.length / records
    for (const { places, predictions } of parts)
      places.forEach((place, k) => {
        into.set(rowOf(valuesOf(predictions), k, width), place * width)
      })
    return into
  }
  const [{ predictions: first }] = parts
  const said = (part: Predictions<Classes>) => (part.kind === 'numbers' ? part.predicted : part.probabilities)
  return first.kind === 'numbers'
    ? {
        kind: 'numbers',
        truth: placed(new Float64Array(records), ({ truth }) => truth),
        predicted: placed(new Float64Array(records), said),
      }
    : {
        ...first,
        truth: placed(new Int32Array(records), ({ truth }) => truth),
        probabilities: placed(new Float64Array(records * first.levels.length), said),
      }
}

function rowOf<Values extends Float64Array | Int32Array>(matrix: Values, row: number, width: number) {
  return matrix.subarray(row * width, (row + 1) * width)
}
