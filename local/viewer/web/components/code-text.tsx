/** One line of code in its syntax classes, with identifiers turned into links where the index knows where they lead. */
import type { Highlight } from '../../contract/wire.ts'

/** By the position on the wire: other, ident, comment, string, keyword, number, type, def. */
const classes = [undefined, undefined, 'k-c', 'k-s', 'k-k', 'k-n', 'k-t', 'k-d'] as const

export interface CodeLink {
  readonly href: string
  readonly isGuess: boolean
  readonly title?: string
}

export type CodeTokens = Highlight['lines'][number]

export function CodeText(props: {
  tokens: CodeTokens | undefined
  /** Where there are no tokens. */
  text: string
  /** By the column at which an identifier begins. */
  links?: ReadonlyMap<number, CodeLink> | undefined
  /** Where the word that defines something leads. */
  definition?: ((name: string) => string | undefined) | undefined
}) {
  const { tokens, text, links, definition } = props
  if (tokens === undefined) return <span>{text === '' ? ' ' : text}</span>
  let column = 0
  return (
    <span>
      {tokens.length === 0 ? ' ' : null}
      {tokens.map(([kind, part]) => {
        const at = column
        column += part.length
        const name = classes[kind]
        const link = links?.get(at)
        if (link !== undefined) {
          return (
            <a key={at} href={link.href} title={link.title} class={link.isGuess ? 'guess' : undefined}>
              {name === undefined ? part : <span class={name}>{part}</span>}
            </a>
          )
        }
        const own = kind === 0 || kind === 2 || kind === 3 ? undefined : definition?.(part)
        if (own !== undefined)
          return (
            <a key={at} class="own k-d" href={own}>
              {part}
            </a>
          )
        return name === undefined ? (
          part
        ) : (
          <span key={at} class={name}>
            {part}
          </span>
        )
      })}
    </span>
  )
}
