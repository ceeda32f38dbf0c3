#!/usr/bin/env node
import { statSync } from 'node:fs'

/** In a clone the bundle may be older than the build; where it is installed there is nothing but the bundle. */
const timeOf = (file) => statSync(new URL(file, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? -1
const bundled = timeOf('../bundle/main.js')
const isFresh = ['kernels', 'core', 'studies', 'cli'].every(
  (name) => timeOf(`../../${name}/dist/tsconfig.tsbuildinfo`) <= bundled,
)
const { main } = await import(isFresh && bundled >= 0 ? '../bundle/main.js' : '../dist/main.js')

process.exitCode = await main(process.argv.slice(2))
