/**
 * The page as one file, for a share without a server: there a browser loads no scripts beside the page. The script that stands
 * in the page is also that of its workers, which their name tells apart.
 */
const { name } = globalThis as unknown as { readonly name: string }

if ('document' in globalThis) void import('./main.js')
else if (name === 'tasks') void import('./engine/tasks.js')
else if (name === 'drawing') void import('./engine/drawing.js')
else void import('./engine/engine.js')
