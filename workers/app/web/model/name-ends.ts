/** A long name is cut in its head; its tail (group, episode, suffix) tells such names apart and stays. */
const tailLength = 11
const shortest = 24

export function nameEnds(name: string): { readonly head: string; readonly tail: string } {
  // By grapheme, so that neither a surrogate pair nor a letter with its marks is torn apart.
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(name)].map(
    (one) => one.segment,
  )
  if (letters.length <= shortest) return { head: name, tail: '' }
  return { head: letters.slice(0, -tailLength).join(''), tail: letters.slice(-tailLength).join('') }
}
