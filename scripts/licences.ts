/** Which packages a bundle took in, and the licence texts that have to go with them. */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Metafile } from 'esbuild'

export interface BundledPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
  /** Below the root of the checkout. */
  readonly folder: string
}

/** What the pages are made of: their builder does not tell. */
const inPages = ['preact', '@preact/signals', '@preact/signals-core', '@simplewebauthn/browser', '@xterm/xterm']

export async function bundledPackages(
  root: string,
  metafiles: readonly Metafile[],
): Promise<readonly BundledPackage[]> {
  const folders = new Set(inPages.map((name) => `node_modules/${name}`))
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
      }
  const found = await Promise.all([...folders].sort().map((folder) => packageIn(root, folder)))
  return found.sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function packageIn(root: string, folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'))
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string')
    throw new Error(`${folder} does not say its name, version and licence`)
  return { name, version, licence: license, folder }
}

/** The texts as the packages bring them; the same text stands once, below all that it is for. */
export async function licenceText(root: string, packages: readonly BundledPackage[]): Promise<string> {
  const byText = new Map<string, string[]>()
  for (const { name, version, licence, folder } of packages) {
    const files = (await readdir(path.join(root, folder))).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    const texts = await Promise.all(
      files
        .filter((file) => existsSync(path.join(root, folder, file)))
        .sort()
        .map((file) => readFile(path.join(root, folder, file), 'utf8')),
    )
    const text = texts.length === 0 ? `Licence: ${licence}` : texts.map((one) => one.trim()).join('\n\n')
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`])
  }
  return [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(78)}\n\n`)
}
