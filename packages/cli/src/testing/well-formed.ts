/** What is wrong with an XML file, or null: every tag closed, every attribute quoted and named once, no bare & or <, no control character. */
export function xmlProblem(xml: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/u.exec(xml)
  if (control !== null) return `a control character: ${JSON.stringify(control[0])}`
  const open: string[] = []
  for (const [part, closing, name, attributes, empty] of xml
    .replace(/^<\?xml[^?]*\?>/, '')
    .matchAll(/<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|[^<]+|</g)) {
    if (name === undefined) {
      if (part === '<') return 'a < that begins no tag'
      if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(part)) return `a bare & in ${part}`
    } else if (closing === '/') {
      if (open.pop() !== name) return `${name} is closed but not open`
    } else {
      const names = [...attributes.matchAll(/([\w:-]+)=/g)].map(([, attribute]) => attribute)
      if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(attributes)) return `a bare & in ${part}`
      if (!/="[^"]*=/.test(attributes) && new Set(names).size < names.length) return `an attribute twice in ${part}`
      if (empty !== '/') open.push(name)
    }
  }
  return open.length === 0 ? null : `${open.join(', ')} stay open`
}
