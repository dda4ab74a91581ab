import { scrypt } from 'node:crypto'
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { fromBase64, toBase64Url } from '../core/bytes.ts'

/** N, r and p of scrypt: 16 MiB and five passes, the lightest memory setting OWASP's list gives for it. */
const cost = { logN: 14, r: 8, p: 5 } as const
const saltBytes = 16
const hashBytes = 32

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, so that the cost can rise later without losing passwords. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.logN, cost.r, cost.p, toBase64Url(salt), toBase64Url(hash)].join('$')
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, logN, r, p, saltText, hashText] = stored.split('$')
  const salt = fromBase64(saltText ?? '')
  const expected = fromBase64(hashText ?? '')
  if (kind !== 'scrypt' || salt === undefined || expected === undefined)
    throw new Error('the stored password hash is damaged')
  const actual = await derive(password, salt, { logN: Number(logN), r: Number(r), p: Number(p) })
  return constantTimeEqual(actual, expected)
}

function derive(
  password: string,
  salt: Uint8Array,
  { logN, r, p }: { logN: number; r: number; p: number },
): Promise<Uint8Array> {
  const N = 2 ** logN
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, key) => {
      if (error === null) resolve(new Uint8Array(key))
      else reject(error)
    })
  })
}
