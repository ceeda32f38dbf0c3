/**
 * The words of a column's name, in lower case, without accents, with a blank around each: `DateOfBirth`, `date_of_birth` and
 * `date.of.birth` are all " date of birth ", so that a pattern can ask for whole words. Digits at the end of a word count as
 * a word of their own (`income2` is " income 2 ").
 */
export function columnWords(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/ł/g, 'l')
    .replace(/Ł/g, 'L')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
  return ` ${words.join(' ')} `
}

/** A pattern for any of these words or phrases, given with commas between them, as whole words; `*` stands for the rest of a word. */
export function anyOf(phrases: string): RegExp {
  return new RegExp(` (?:${phrasesIn(phrases).map(phrasePattern).join('|')}) `)
}

/** The same one by one, where it matters which of them it was. */
export function each(phrases: string): readonly RegExp[] {
  return phrasesIn(phrases).map((phrase) => anyOf(phrase))
}

function phrasesIn(text: string): string[] {
  return text.trim().split(/,\s+/)
}

function phrasePattern(phrase: string): string {
  return `(?:${phrase.replaceAll('*', '[^ ]*')})`
}
