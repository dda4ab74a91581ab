/** The name of a session, from a line of text: what a person wrote, or a model. */
const titleCharactersMax = 80

export function titleOf(text: string): string | undefined {
  const line =
    text
      .toWellFormed()
      .trim()
      .split('\n')[0]
      ?.replace(/\p{Cc}+/gu, ' ')
      .trim() ?? ''
  if (line === '') return undefined
  const characters = [...line]
  return characters.length <= titleCharactersMax ? line : `${characters.slice(0, titleCharactersMax - 1).join('')}…`
}
