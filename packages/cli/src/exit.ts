/**
 * Exit codes. 0: ran, and assessed something. 1: a fault of scrim's. 2: a mistake of the user's, or nothing could be
 * assessed. 3 (`gate`): a rule of a policy is broken, outputs are refused, or a stated epsilon is. 130: interrupted.
 */
export const EXIT = { ok: 0, failed: 1, userError: 2, gate: 3, interrupted: 130 } as const
