import drawingAddress from 'scrim-worker:drawing'
import engineAddress from 'scrim-worker:engine'
import { openEngine } from './engine/client.js'

const e = openEngine(engineAddress, 'engine')
const d = openEngine(drawingAddress, 'drawing')
Object.assign(globalThis, { e, d })
