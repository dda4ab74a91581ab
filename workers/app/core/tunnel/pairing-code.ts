/** Letters and digits that are not mistaken for one another; 16 of them are 80 random bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeCharacters = 16
const groupCharacters = 4

/** `ABCD-EFGH-JKMN-PQRS`, of at least 16 random bytes. */
export function writePairingCode(random: Uint8Array): string {
  const characters = Array.from(random.subarray(0, codeCharacters), (byte) => alphabet.charAt(byte % alphabet.length))
  return (characters.join('').match(new RegExp(`.{${groupCharacters}}`, 'g')) ?? []).join('-')
}

/** As it is typed: in any case, with any spaces and dashes, O for 0 and I or L for 1. Undefined for what is no code. */
export function readPairingCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const isOne = code.length === codeCharacters && Array.from(code).every((character) => alphabet.includes(character))
  return isOne ? code : undefined
}
