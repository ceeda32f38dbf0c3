/** The exit code of a check that could not run here; that of GNU's test harness. */
export const LEFT_OUT = 77

/** Ends a check that needs what is not on this machine: the table of `npm run validate` shows it neither as kept nor as broken. */
export function leaveOut(what, reason) {
  console.log(`${what}: left out, because ${reason}`)
  process.exit(LEFT_OUT)
}
