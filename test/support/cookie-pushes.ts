/**
 * Pushes as a browser's extension makes them, sealed by another implementation than ours: Node's. The two given ones were
 * made by OpenSSL 3.0.22 (`enc -aes-256-cbc -md md5 -salt -pass pass:KEY`, `enc -aes-128-cbc -K KEY -iv 0`).
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'

export const givenPush = {
  uuid: 'jNp1T2qZ6shwVW9VmjLvp1',
  password: 'correct horse',
  key: 'cb5c6f2833271a74',
  plain:
    '{"cookie_data":{"lantern.example":[{"domain":".lantern.example","expirationDate":4102444800.5,"hostOnly":false,"httpOnly":true,"name":"c_secure_pass","path":"/","sameSite":"lax","secure":true,"session":false,"storeId":"0","value":"abc%3D"}]},"local_storage_data":{},"update_time":"2026-11-20T01:02:03.000Z"}',
  legacy:
    'U2FsdGVkX18HMXqATY9Mqwkpr7LzaPAkwy86HP6gPu1g/xHc8o3WH5n/260GagRgUrp3960bnrzdxVIEal4gy201zsZ3hiEmMc1d+/QdpYSp3JP1429Of49wjr73irplHf9/bnwnAC00L5njeDHHN7z+EqrRhZd2x7+b7rqzO0JdnG8dZ2c4u90q8OUVjG0TFeq0WPS8c5dGgPA43/up+3dfz1eJeTZjMdrKD6hFBhZwTnslEgULj8sjW8IQxK4HeUOKW0rYI5vfszQ5Sg8qBl+k6cjBrqnSgzRunOS0hCyP2zbtbrAvGsqVjJ+azcAekUTJjZIg+B0i42sveGc1QODVSaqBnzhjcx818BCsPEclpLvKnQM3K8GfDRoNVinbJhKArkQwVJYZvzrXwvuWPg/AGpqHI8StPwsSiFigyfrsU2ivPCfYoUm9sSdIUt2i',
  'aes-128-cbc-fixed':
    'rvvn2IKJltaTssp3MOQybWMzbQauc5F6CUu2eJTqPUWp6TOehGyqBeHGbRFuuXQ9IG5HKWjI5DQoME61FL/uQiJUnJ4dxJkZJY/4a6LkoJNGVibN2eR6Jw3IomnCa5rOp16LYSyHpBVh7vduyN2eacUI4V1X9Avr8a7lY3d9QTe04OxOaOpZqiQcSS9subVFdjnTFG6itlewTCl1y6zKpJpwzWWRcojepdlMcnpEPGGpoTDQRXxAcPPxWkjsU/FarI3QUA3LkUZLMCUfJa5F5tdhHaivHU6ky6h0NSYQHt4uZd4ue/JYS6c9YHrbj+q77MxH1rQ0A8yE4ex+AnIkqkxBHlAT5TRMmb81z6xpwJ8gtXChh9TEWh5EKjd/Z0Kq8XVfRjWuwlrE69iMgw451J5lvBP0DjFfsihBpEqSnMw=',
} as const

export type Seal = 'legacy' | 'aes-128-cbc-fixed'

const md5 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** As the extension encrypts it. */
export function sealPush(uuid: string, password: string, plain: string, seal: Seal = 'legacy'): string {
  const passphrase = Buffer.from(md5(`${uuid}-${password}`).toString('hex').slice(0, 16))
  if (seal === 'aes-128-cbc-fixed') {
    const cipher = createCipheriv('aes-128-cbc', passphrase, Buffer.alloc(16))
    return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64')
  }
  const salt = randomBytes(8)
  const first = md5(passphrase, salt)
  const second = md5(first, passphrase, salt)
  const third = md5(second, passphrase, salt)
  const cipher = createCipheriv('aes-256-cbc', Buffer.concat([first, second]), third)
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(plain), cipher.final()]).toString('base64')
}

/** As the browsers' own interface tells a cookie. */
export const browserCookie = (name: string, value: string, domain: string) => ({
  domain,
  hostOnly: true,
  httpOnly: true,
  name,
  path: '/',
  sameSite: 'lax',
  secure: false,
  session: true,
  storeId: '0',
  value,
})

export function pushText(cookies: readonly { readonly domain: string }[]): string {
  const byDomain = Object.groupBy(cookies, ({ domain }) => domain)
  return JSON.stringify({ cookie_data: byDomain, local_storage_data: {}, update_time: '2026-11-20T01:02:03.000Z' })
}
