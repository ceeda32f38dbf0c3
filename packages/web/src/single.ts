/**
 * The page as one file, for a share without a server: there a browser loads no scripts beside the page. The script that stands
 * in the page is also that of its workers, which their name tells apart.
 */
/** A worker's own name. */
const role: unknown = Reflect.get(globalThis, 'name')

if ('document' in globalThis) void import('./main.js')
else if (role === 'tasks') void import('./engine/tasks.js')
else if (role === 'drawing') void import('./engine/drawing.js')
else void import('./engine/engine.js')

export {}
