// What we take from others, judged from the lock file alone: no network.
import { readFileSync } from 'node:fs'
import path from 'node:path'

export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

const allowedLicences = new Set([
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'CC0-1.0',
  'Unlicense',
  'BlueOak-1.0.0',
  'MIT-0',
])
const developmentLicences = new Set(['MPL-2.0'])
// The image library that the local runtime of Workers brings along; nothing of ours calls it.
const broughtAlong = { packages: /^node_modules\/@img\/sharp-/, licences: new Set(['LGPL-3.0-or-later']) }
const installScripts = new Set(['esbuild', 'workerd'])

/**
 * Each package that ships, as a dependency or inside of the built programs, and why: one that nobody can give a reason for
 * should go.
 */
export const reasons: Readonly<Record<string, string>> = {
  '@agentclientprotocol/sdk': 'speaks to the editors that start the agent',
  '@ai-sdk/anthropic': 'speaks to models of this provider',
  '@ai-sdk/google': 'speaks to models of this provider',
  '@ai-sdk/openai': 'speaks to models of this provider',
  '@ai-sdk/openai-compatible': 'speaks to the model behind the agent server',
  '@ai-sdk/provider': 'the form in which each of them is asked',
  '@earendil-works/pi-tui': 'draws the terminal client and reads its keys',
  '@hono/node-server': 'serves the same routes on Node',
  '@hono/zod-openapi': 'one source for validation, types and the published document',
  '@lydell/node-pty': 'opens the agent’s pseudo-terminals; ready-made for each platform',
  '@modelcontextprotocol/client': 'reaches the tool servers that the agent’s configuration names',
  '@modelcontextprotocol/server': 'speaks the protocol by which agents of others use the tools',
  '@vscode/ripgrep': 'searches the working tree for the agent’s tools',
  '@vscode/tree-sitter-wasm': 'grammars of the languages that are not JavaScript, ready to load',
  '@xterm/xterm': 'shows a terminal on the page of the agent server',
  'css-select': 'finds parts of a tracker’s page, by their words too',
  diff: 'shows what an edit of the agent changed',
  domhandler: 'the tree those pages become',
  domutils: 'reads text and attributes of that tree',
  'drizzle-orm': 'typed SQL over D1',
  entities: 'decodes what pages write as names, as the tree’s builder does; it brings the same version',
  esbuild: 'bundles the Worker script for the local runtime; wrangler brings the same version',
  'gpt-tokenizer': 'turns the token arrays that embedding clients send back into text',
  htmlparser2: 'reads the pages of trackers, however broken',
  hono: 'the portable framework of every interface',
  '@preact/signals': 'what a page shows follows from its state',
  '@simplewebauthn/browser': 'asks a browser for a passkey',
  '@simplewebauthn/server': 'checks passkeys, which is cryptography and formats of others',
  liquidjs: 'renders the owner’s message templates, without evaluating code',
  miniflare: 'runs the Worker script on one’s own machine',
  'oxc-parser': 'reads TypeScript and JavaScript for the code index',
  'multicast-dns': 'answers for wharf.local on the owner’s network',
  preact: 'draws the pages',
  qr: 'draws the code by which a phone finds the service',
  'smol-toml': 'reads the registry of models',
  typescript: 'judges edges of the code index; the compiler of a project is never loaded',
  undici: 'pooled connections to the provider on Node',
  'web-tree-sitter': 'runs those grammars',
  wrangler: 'deploys, and reads wrangler.toml for the local host',
  ws: 'speaks the WebSocket of a terminal on Node; miniflare brings the same version',
  yaml: 'reads the heads of agents, commands and skills',
  zod: 'wire shapes',
}

export function supplyChainFaults(manifest: Manifest, lock: Lock, knownReasons = reasons): string[] {
  const faults: string[] = []
  const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  for (const [name, version] of Object.entries(direct)) {
    if (!/^(npm:(@[a-z0-9-]+\/)?[a-z0-9-]+@)?\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version)) {
      faults.push(`${name}: ${version} is not one exact version`)
    }
  }
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (knownReasons[name] === undefined) faults.push(`${name}: nobody says why it ships`)
  }
  for (const name of Object.keys(knownReasons)) {
    if (direct[name] === undefined) faults.push(`${name}: has a reason but does not ship`)
  }
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place === '') continue
    const name = entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (entry.integrity === undefined) faults.push(`${place}: no integrity`)
    if (entry.resolved !== undefined) faults.push(`${place}: names a download address`)
    if (entry.link === true) faults.push(`${place}: is a link`)
    if (!/^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/.test(entry.version ?? ''))
      faults.push(`${place}: ${entry.version} is not from a registry`)
    if (entry.hasInstallScript === true && !installScripts.has(name)) faults.push(`${place}: has an install script`)
    const isDevelopment = entry.dev === true || entry.devOptional === true
    if (!isLicenceAllowed(entry.license, place, isDevelopment)) {
      faults.push(`${place}: licence ${entry.license ?? 'unknown'} is not on the list`)
    }
  }
  return faults
}

/** `A OR B` needs one that is allowed, `A AND B` all of them. */
function isLicenceAllowed(expression: string | undefined, place: string, isDevelopment: boolean): boolean {
  if (expression === undefined) return false
  const isAllowed = (one: string): boolean =>
    allowedLicences.has(one) ||
    (isDevelopment && developmentLicences.has(one)) ||
    (broughtAlong.packages.test(place) && broughtAlong.licences.has(one))
  return expression
    .replace(/[()]/g, '')
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((one) => isAllowed(one.trim())))
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..')
  const manifest: Manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const lock: Lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const faults = supplyChainFaults(manifest, lock)
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exit(faults.length === 0 ? 0 : 1)
}
