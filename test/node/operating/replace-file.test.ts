import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { replaceFile } from '../../../local/files/replace-file.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'replace-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe.for([{}, { isSynced: true }])('a file is replaced with %j', (how) => {
  test('by the new one, for its owner alone, and nothing else is there', ({ expect }) => {
    const file = path.join(folder, 'a')
    writeFileSync(file, 'before', { mode: 0o644 })
    replaceFile(file, 'after', how)
    expect(readFileSync(file, 'utf8')).toBe('after')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('where a link stands by a file of its own: what it led to stays', ({ expect }) => {
    const [file, other] = [path.join(folder, 'a'), path.join(folder, 'other')]
    writeFileSync(other, 'not ours')
    symlinkSync(other, file)
    replaceFile(file, Uint8Array.of(1, 2), how)
    expect(lstatSync(file).isSymbolicLink()).toBe(false)
    expect([...readFileSync(file)]).toEqual([1, 2])
    expect(readFileSync(other, 'utf8')).toBe('not ours')
  })

  test('or not, and nothing is left behind', ({ expect }) => {
    const file = path.join(folder, 'a')
    mkdirSync(path.join(file, 'full'), { recursive: true })
    expect(() => replaceFile(file, 'after', how)).toThrow()
    expect(readdirSync(folder)).toEqual(['a'])
    expect(() => replaceFile(path.join(folder, 'none', 'a'), 'after', how)).toThrow(/ENOENT/)
  })
})
