import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { keepGatewayKey } from '../../../local/agent-gateway-key.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'gateway-key-'))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const read = (folder: string) => readFileSync(path.join(folder, 'credentials.json'), 'utf8')

test('the key is put beside those that are there, for the owner alone', ({ expect }) => {
  const folder = path.join(base, 'agent')
  keepGatewayKey(folder, 'one')
  expect(JSON.parse(read(folder))).toEqual({ wharf: { type: 'api', key: 'one' } })
  expect(statSync(path.join(folder, 'credentials.json')).mode & 0o777).toBe(0o600)

  writeFileSync(path.join(folder, 'credentials.json'), JSON.stringify({ xai: { key: 'x' }, wharf: { key: 'one' } }))
  keepGatewayKey(folder, 'two')
  expect(JSON.parse(read(folder))).toEqual({ xai: { key: 'x' }, wharf: { type: 'api', key: 'two' } })
})

test.for(['{', '[]', '"text"'])('a file that holds %o is left as it is', (text, { expect }) => {
  writeFileSync(path.join(base, 'credentials.json'), text)
  keepGatewayKey(base, 'one')
  expect(read(base)).toBe(text)
})
