/** The table of addresses, for people and, as `addresses.json` in the data folder, for scripts. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

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
  const fresh = `${file}.new`
  const addresses = Object.fromEntries(served.map((one) => [one.name, one.address]))
  writeFileSync(fresh, `${JSON.stringify({ pid: process.pid, addresses }, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, file)
  return { remove: () => rmSync(file, { force: true }) }
}

export function printAddresses(served: readonly ServedAddress[]): string {
  const width = Math.max(...served.map((one) => one.name.length))
  return served.map((one) => `  ${one.name.padEnd(width)}  ${one.address}`).join('\n')
}
