import { drawn } from './draw.js'
import { serve } from './serve.js'

/** Draws charts beside everything else, so that pictures come while measures run. */
serve({ draw: ({ spec }) => drawn(spec) })
