/**
 * The server's sentences are closed lists, which pages recognise to say them in their own language. A list has a name for
 * each sentence, and for what varies in it a group.
 */
type Sentences = Readonly<Record<string, string>>

interface KnownSentence<Name> {
  readonly name: Name
  /** What varies in it, in the order in which it is said; empty for what this one leaves out. */
  readonly parts: readonly string[]
}

/** Undefined for words that are not of the list. */
export function knownSentences<Name extends string>(sentences: Readonly<Record<Name, string>>, before = '') {
  const patterns = Object.entries<string>(sentences).map(
    ([name, sentence]) => [name as Name, new RegExp(`^${before}${sentence}$`, 'u')] as const,
  )
  return (text: string): KnownSentence<Name> | undefined => {
    for (const [name, pattern] of patterns) {
      const found = pattern.exec(text)
      if (found !== null) return { name, parts: found.slice(1).map((part) => part ?? '') }
    }
    return undefined
  }
}

type KnownFault<Name, Subject extends string> = {
  readonly name: Name
  /** What the sentence names. */
  readonly detail: string
  /** Of whom it is said, where the message says that. */
} & { readonly [S in Subject]?: string }

/**
 * The same of messages about one thing or several: `name：sentence；name：sentence`. One fault for each; undefined when any
 * part is not of the list.
 */
export function knownFaults<S extends Sentences, Subject extends string>(sentences: S, subject: Subject) {
  type Fault = KnownFault<Extract<keyof S, string>, Subject>
  const find = knownSentences<Extract<keyof S, string>>(sentences, '(?:(.{1,64})：)?')
  return (message: string): readonly Fault[] | undefined => {
    const known = message.split('；').map(find)
    if (!known.every((one) => one !== undefined)) return undefined
    return known.map(({ name, parts: [of = '', detail = ''] }) => ({
      name,
      detail,
      ...(of === '' ? {} : { [subject]: of }),
    })) as readonly Fault[]
  }
}
