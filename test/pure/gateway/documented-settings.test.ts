import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { readSettings } from '../../../workers/gateway/settings.ts'
import { unwrap } from '../../support/unwrap.ts'

const document = readFileSync(new URL('../../../docs/gateway.md', import.meta.url), 'utf8')
const documented = [...document.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name)

/** Names that are asked for, with what is set. */
function namesRead(environment: Readonly<Record<string, string>>): readonly string[] {
  const asked = new Set<string>()
  const watched = new Proxy(environment, {
    get(target, name) {
      asked.add(String(name).replace(/^APP_/, ''))
      return Reflect.get(target, name)
    },
  })
  readSettings(watched)
  return [...asked]
}

test('every setting is in the document, and the document has no other', ({ expect }) => {
  const read = new Set([...namesRead({}), ...namesRead({ DISABLE_MANTLE: 'false' })])

  expect(documented.toSorted()).toEqual([...read].toSorted())
  expect(new Set(documented).size).toBe(documented.length)
})

test.for([
  ['MAX_BODY_SIZE_MB', (settings: Read) => settings.bodyBytesMax / 1_048_576],
  ['AWS_MAX_RETRY_ATTEMPTS', (settings: Read) => settings.attemptsMax],
  ['AWS_CONNECT_TIMEOUT_SECS', (settings: Read) => settings.connectTimeoutMs / 1_000],
  ['AWS_READ_TIMEOUT_SECS', (settings: Read) => settings.firstByteTimeoutMs / 1_000],
  ['RESPONSES_STREAM_IDLE_TIMEOUT_SECS', (settings: Read) => settings.streamIdleTimeoutMs / 1_000],
  ['MODEL_CATALOG_REFRESH_SECS', (settings: Read) => settings.catalogRefreshMs / 1_000],
  ['API_ROUTE_PREFIX', (settings: Read) => `\`${settings.routePrefix}\``],
  ['PROMPT_CACHE_TTL', (settings: Read) => `\`${settings.promptCacheTtl}\``],
  ['LOG_LEVEL', (settings: Read) => `\`${settings.logLevel}\``],
  ['AWS_REGION', (settings: Read) => `\`${settings.region}\``],
] as const)('the default of %s is the one in the document', ([name, read], { expect }) => {
  const settings = unwrap(readSettings({}))

  expect(document).toContain(`| \`${name}\` | ${read(settings)} |`)
})

type Read = Extract<ReturnType<typeof readSettings>, { ok: true }>['value']
