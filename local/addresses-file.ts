/** The table of addresses, for people and, as `addresses.json` in the data folder, for scripts. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { replaceFile } from './files/replace-file.ts'

export interface ServedAddress {
  readonly name: string
  readonly address: string
}

export interface AddressesFile {
  remove(): void
}

/** Complete or absent, never half: a script may read it at any moment. */
export function writeAddresses(dataFolder: string, served: readonly ServedAddress[]): AddressesFile {
  const file = path.join(dataFolder, 'addresses.json')
  const addresses = Object.fromEntries(served.map((one) => [one.name, one.address]))
  replaceFile(file, `${JSON.stringify({ pid: process.pid, addresses }, undefined, 2)}\n`)
  return { remove: () => rmSync(file, { force: true }) }
}

/** The origin of the service that runs on this folder; undefined where none runs, or none ever did. */
export function servedOrigin(dataFolder: string): string | undefined {
  try {
    const { addresses } = JSON.parse(readFileSync(path.join(dataFolder, 'addresses.json'), 'utf8'))
    return new URL(addresses['app-api']).origin
  } catch {
    return undefined
  }
}

export function printAddresses(served: readonly ServedAddress[]): string {
  const width = Math.max(...served.map((one) => one.name.length))
  return served.map((one) => `  ${one.name.padEnd(width)}  ${one.address}`).join('\n')
}
