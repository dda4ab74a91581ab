/** What is kept, and how cookies get to the service: sealed, in the form that its endpoint for pushes takes. */
import { md5Hex } from './md5.js'

/** @typedef {{ server: string, uuid: string, key: string }} Service */

const callMsMax = 20_000

export async function stored() {
  const { service, hosts = [], last } = await chrome.storage.local.get(['service', 'hosts', 'last'])
  return { service, hosts, last }
}

export const keep = (values) => chrome.storage.local.set(values)

/** The password is not kept: the key that is derived from it is all a push needs. */
export function serviceOf(address, uuid, password) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || uuid === '' || password === '')
    return undefined
  const path = url.pathname.replace(/\/+$/, '')
  const server = `${url.origin}${path.endsWith('/api/cookies') ? path : `${path}/api/cookies`}`
  return { server, uuid, key: md5Hex(`${uuid}-${password}`).slice(0, 16) }
}

/** What a browser must let us see for one address. Ports are no part of it. */
export const patternOf = (address) => `${new URL(address).protocol}//${new URL(address).hostname}/*`

/** Sends the cookies of all hosts that were said yes to. Says how it went in one word. */
export async function push() {
  const { service, hosts } = await stored()
  if (service === undefined || hosts.length === 0) return 'nothing'
  const outcome = await send(service, hosts)
  await keep({ last: { outcome, at: Date.now() } })
  return outcome
}

async function send(service, hosts) {
  const cookieData = {}
  for (const { host, address } of hosts) {
    // By address: what the browser would send there, and nothing of its neighbours.
    const cookies = await chrome.cookies.getAll({ url: address })
    if (cookies.length > 0) cookieData[host] = cookies
  }
  if (Object.keys(cookieData).length === 0) return 'empty'
  const text = JSON.stringify({
    cookie_data: cookieData,
    local_storage_data: {},
    update_time: new Date().toISOString(),
    // No field of the protocol: by it the service tells this extension from others.
    sender: 'wharf',
  })
  try {
    const answer = await fetch(`${service.server}/update`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        uuid: service.uuid,
        encrypted: await seal(text, service.key),
        crypto_type: 'aes-128-cbc-fixed',
      }),
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(callMsMax),
    })
    if (answer.ok) return 'done'
    return answer.status === 401 ? 'refused' : 'failed'
  } catch {
    return 'unreachable'
  }
}

async function seal(text, key) {
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(key), 'AES-CBC', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-CBC', iv: new Uint8Array(16) },
    secret,
    new TextEncoder().encode(text),
  )
  return btoa(Array.from(new Uint8Array(sealed), (byte) => String.fromCharCode(byte)).join(''))
}
