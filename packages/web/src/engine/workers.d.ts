/** The address of a worker's script, put in by the build. */
declare module 'scrim-worker:engine' {
  const address: string
  export default address
}
declare module 'scrim-worker:tasks' {
  const address: string
  export default address
}
declare module 'scrim-worker:drawing' {
  const address: string
  export default address
}
declare const SCRIM_VERSION: string
declare module '*.css'
