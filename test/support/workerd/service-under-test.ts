/** A stand-in service of a test's own, and the settings that lead to it. */
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { consolePrefix } from '../../../workers/app/app.ts'
import { type Caller, send } from './app-client.ts'

/** What opens the stand-in provider: a key, and a token as its newer ones begin. */
export const canaryKey = 'CanaryKeyOfTheProvider73'
export const canaryToken = 'eyJhbGciOiJIUzI1NiJ9.CanaryTokenOfTheProvider.x-y_z'

export interface ServiceState {
  readonly calls: readonly string[]
  readonly authorizations: readonly string[]
  readonly held: number
  readonly mostOpen: number
}

const { origin, canary } = inject('standInServices')
let skins = 0

export class ServiceUnderTest {
  readonly address: string
  readonly #skin: string

  constructor(file: string) {
    skins += 1
    this.#skin = `${file}${skins}`
    this.address = `${origin}/${this.#skin}`
  }

  async control(change: Readonly<Record<string, unknown>> = {}): Promise<ServiceState> {
    const response = await fetch(`${origin}/control/${this.#skin}`, { method: 'POST', body: JSON.stringify(change) })
    return response.json<ServiceState>()
  }

  async calls(): Promise<readonly string[]> {
    return (await this.control()).calls
  }
}

export async function changeSetting(session: Caller, name: string, json: object): Promise<void> {
  const answer = await send('PUT', `${consolePrefix}/settings/${name}`, session, { json })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

export async function useProvider(session: Caller, service: ServiceUnderTest, key = canaryKey): Promise<void> {
  const metadata = { api_address: `${service.address}/3`, image_address: `${service.address}/t/p`, api_key: key }
  await changeSetting(session, 'metadata', metadata)
}

/** A provider of a test's own, which knows the stand-in's titles unless it is told others. */
export async function setProvider(
  session: Caller,
  file: string,
  change: Readonly<Record<string, unknown>> = {},
  key = canaryKey,
): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest(file)
  await service.control(change)
  await useProvider(session, service, key)
  return service
}

/** Services that answer, for tests that only want an answer. */
export async function setServices(session: Caller, skin: string): Promise<void> {
  const address = `${origin}/${skin}`
  await changeSetting(session, 'updates', { repository: 'owner/wharf', api_address: address })
  const metadata = { api_address: `${address}/3`, image_address: `${address}/t/p`, api_key: canaryKey }
  await changeSetting(session, 'metadata', metadata)
}

/** By operation, the query without which a route refuses to answer. */
export const neededQueries: Readonly<Record<string, string>> = { explore: '?kind=movie&list=popular' }

export async function forgetSettings(): Promise<void> {
  await env.DB.prepare('delete from settings').run()
}

export async function canaryVisits(): Promise<string[]> {
  return (await fetch(`${canary}/visits`)).json<string[]>()
}

/** Where a service may try to send us: another place under every way to write this machine, and ways out of the web. */
export const awayAddresses: readonly string[] = [
  canary,
  ...['2130706433', '0x7f.1', '0177.0.0.1', '127.1', '①②⑦.0.0.1', '0.0.0.0', '[::ffff:127.0.0.1]', 'localhost'].map(
    (host) => canary.replace('127.0.0.1', host),
  ),
  canary.replace('http://', 'http://user:password@'),
  canary.replace('http:', 'https:'),
  canary.replace('http:', ''),
  'file:///etc/passwd',
  'data:image/png;base64,iVBORw0KGgo=',
  'http://[',
]
