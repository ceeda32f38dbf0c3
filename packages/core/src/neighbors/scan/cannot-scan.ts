/** Why not all records can be looked at, in words. */
export class CannotScan extends Error {}
