import { pushTo } from '#shared/kernel/push-to.ts'

/**
 * Whether a folded text has one of the folded names in it, asked of very many texts: what may begin at a place is found by its first
 * two letters, so that many names cost hardly more than one. More texts have one than are called so: who asks reads their names.
 */
export function calledBy(names: readonly string[]): (plain: string) => boolean {
  const byHead = new Map<number, string[]>()
  const letters = new Set<string>()
  for (const name of new Set(names)) {
    if (name.length < 2) {
      if (name !== '') letters.add(name)
      continue
    }
    pushTo(byHead, headAt(name, 0), name)
  }
  return (plain) => {
    for (const letter of letters) if (plain.includes(letter)) return true
    for (let at = 0; at + 1 < plain.length; at += 1)
      for (const name of byHead.get(headAt(plain, at)) ?? none) if (plain.startsWith(name, at)) return true
    return false
  }
}

const none: readonly string[] = []

function headAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x1_0000 + text.charCodeAt(at + 1)
}
