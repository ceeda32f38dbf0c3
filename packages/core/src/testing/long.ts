/** `npm run validate` asks for all that is too long for `npm test`. */
export const isLong = process.env.SCRIM_LONG !== undefined

/** How often to repeat a simulation: often enough to see a plain fault in `npm test`, and a small one in `npm run validate`. */
export const repeats = (usually: number, long: number): number => (isLong ? long : usually)
