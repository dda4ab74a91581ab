/** Files that a prompt names with `@`, in its order and once each. A name with blanks is written in quotes. */
export function filesNamed(text: string): readonly string[] {
  const names = [...text.matchAll(/(?<=^|\s)@(?:"([^"\n]+)"|([^\s"]+))/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  )
  return [...new Set(names.filter((name) => name !== ''))]
}
