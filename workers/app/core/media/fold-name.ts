import { hasOneForm } from '../one-width.ts'

/** What two names that mean the same have in common: letters and digits, without case, width and accents. */
export function foldName(name: string): string {
  if (hasOneForm(name))
    return name
      .toLowerCase()
      .replaceAll('&', 'and')
      .replace(/[^a-z0-9\u4e00-\u9fff]+/g, '')
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('&', 'and')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')
}
