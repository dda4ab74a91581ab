/** The key of a button, while letters are keys. */
import { letterKeys } from '../preferences.ts'

export function Letter({ of: letter }: { of: string }) {
  return letterKeys.value ? <kbd class="wide-only">{letter}</kbd> : null
}
