/** Beyond what is written the same in any width: plain characters, and the Han that have no other form. */
const mayHaveWidth = /[^ -~\u4e00-\u9fff]/

/** False for most of what sites write; telling costs a fraction of what normalising does. */
export function hasOneForm(text: string): boolean {
  return !mayHaveWidth.test(text)
}

export function inOneWidth(text: string): string {
  return hasOneForm(text) ? text : text.normalize('NFKC')
}
