/** Numbers as people read them here, as everywhere in scrim. */
export const count = (value: number): string => value.toLocaleString('en-US')
export const share = (value: number | null): string => (value === null ? '–' : `${(100 * value).toFixed(1)} %`)
