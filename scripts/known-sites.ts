/** Which hosts the browser's extension knows by name: those of the named sites. `node scripts/known-sites.ts` writes them. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import named from '../workers/app/definitions/named-sites.json' with { type: 'json' }

export function knownSites(): string {
  const hosts = named.map(({ name, address }) => [new URL(address).hostname.replace(/^www\./, ''), name] as const)
  return `${JSON.stringify(Object.fromEntries(hosts.sort(([one], [other]) => (one < other ? -1 : 1))), null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(path.join(import.meta.dirname, '../extension/known-sites.json'), knownSites())
