/** Definitions that the owner brings, end to end: checked, kept, made a site of, searched through the App API. */

import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { definitionBytesMax, siteAnswersMax, siteChoicesMax } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { ownDefinition as definition } from '../../support/own-definition.ts'
import { auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const origin = inject('standInSites')
const goodApiKey = 'CanaryApiKeyOfTheSite91'
const path = `${consolePrefix}/own-definitions`

const session = await ownerSession()
const whole = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  const sites = `${consolePrefix}/sites`
  for (const { id } of (await send('GET', sites, session)).body.items) await send('DELETE', `${sites}/${id}`, session)
  for (const { id } of (await send('GET', path, session)).body.items) await send('DELETE', `${path}/${id}`, session)
})

const add = (source: string) => send('POST', path, session, { json: { source } })

function site(skin: string, change: Readonly<Record<string, unknown>> = {}) {
  return consoleSite('harbour', 'cardigann', `${origin}/unit3d/${skin}`, { definition: 'harbour', ...change })
}

describe('own definitions', () => {
  test('is checked, kept, made a site of, and searched', async ({ expect }) => {
    const added = await add(definition('harbour'))
    expect(added.body).toMatchObject({
      added: true,
      faults: [],
      definition: {
        id: 'harbour',
        name: 'Harbour harbour',
        login: 'none',
        captcha: false,
        links: ['https://harbour.example'],
        host: '',
        sites: 0,
        questions: [
          { name: 'apikey', type: 'text', label: 'Key', fallback: '' },
          { name: 'free', type: 'checkbox', label: 'Free only', fallback: 'false' },
        ],
      },
    })

    const body = site('brought', { answers: { apikey: goodApiKey } })
    expect((await send('POST', `${consolePrefix}/sites/test`, session, { json: tried(body) })).body).toEqual({
      works: true,
    })
    const stored = await send('POST', `${consolePrefix}/sites`, session, { json: body })
    expect(stored.body).toMatchObject({
      kind: 'cardigann',
      definition: 'harbour',
      answered: ['apikey'],
      credential: 'none',
    })
    expect(JSON.stringify(stored.body)).not.toContain(goodApiKey)

    const found = await send('POST', `${appPrefix}/search`, whole, { json: { keyword: 'planet', sites: ['harbour'] } })
    expect(found.status, JSON.stringify(found.body)).toBe(200)
    expect(JSON.stringify(found.body)).toContain('Planet.Walk.2026.1080p')
    expect((await send('GET', path, session)).body.items[0].sites).toBe(1)
  })

  test('an answer that is left out stays, an empty one goes, and a choice is told', async ({ expect }) => {
    await add(definition('harbour'))
    const sites = `${consolePrefix}/sites`
    const { id } = (
      await send('POST', sites, session, { json: site('kept', { answers: { apikey: goodApiKey, other: 'x' } }) })
    ).body
    const change = (more: object) => send('PUT', `${sites}/${id}`, session, { json: { ...site('kept'), ...more } })

    expect((await change({ overrides: { choices: { free: 'true' } } })).body).toMatchObject({
      answered: ['apikey', 'other'],
      overrides: { choices: { free: 'true' } },
    })
    expect((await change({ answers: { other: '' } })).body.answered).toEqual(['apikey'])
    const test = await send('POST', `${sites}/test`, session, { json: { ...tried(site('kept')), id } })
    expect(test.body).toEqual({ works: true })
    expect((await change({ answers: { apikey: '' } })).body.answered).toEqual([])
  })

  test('a definition in place of one with its id is what its sites are read by', async ({ expect }) => {
    await add(definition('harbour', 'text: 1'))
    await send('POST', `${consolePrefix}/sites`, session, { json: site('again', { answers: { apikey: goodApiKey } }) })
    const search = async () =>
      JSON.stringify(
        (await send('POST', `${appPrefix}/search`, whole, { json: { keyword: 'planet', sites: ['harbour'] } })).body,
      )
    expect(await search()).not.toContain('2XUP')
    expect((await add(definition('harbour', 'text: 2'))).body.added).toBe(true)
    expect(await search()).toContain('2XUP')
  })

  test.for([
    ['yaml', 'a: [1', 1],
    ['filter', definition('x', 'text: 1\n      filters:\n        - name: nothing'), 51],
    ['template', definition('x', 'text: "{{ if .Keywords }}"'), 49],
    ['pattern', definition('x', 'text: 1\n      filters:\n        - name: regexp\n          args: "("'), 51],
    ['selector', definition('x').replace('selector: data\n', 'selector: "da ta("\n'), undefined],
    ['unknown_field', definition('x').replace('language: en-US', 'language: en-US\nlanguag: en'), 6],
    ['missing', definition('x').replace('name: Harbour x\n', ''), undefined],
    ['value', definition('x').replace('type: private', 'type: secret'), 6],
    ['address', definition('x').replace('https://harbour.example/', 'file:///etc/passwd'), 9],
    ['shape', definition('x').replace('name: Harbour x', 'name: [a]'), 3],
    ['shape', '&a [*a]', undefined],
  ] as const)('a fault of %s is told with its line, and nothing is kept', async ([rule, source, line], { expect }) => {
    const { status, body } = await add(source)
    expect(status).toBe(200)
    expect(body.added).toBe(false)
    const fault = body.faults.find((one: { rule: string }) => one.rule === rule)
    expect(fault, JSON.stringify(body)).toBeDefined()
    if (line !== undefined) expect(fault.line).toBe(line)
    expect(fault.error).toMatch(/[\u4e00-\u9fff]/)
    const english = await send('POST', path, session, { json: { source }, headers: { 'accept-language': 'en' } })
    expect(english.body.faults[0].error).not.toMatch(/[\u4e00-\u9fff]/)
    expect((await send('GET', path, session)).body.items).toEqual([])
  })

  test('takes a text up to its bound, and none past it', async ({ expect }) => {
    const text = definition('harbour')
    const padded = (bytes: number) => `${text}#${'x'.repeat(bytes - text.length - 1)}`
    expect((await add(padded(definitionBytesMax))).body.added).toBe(true)
    expect((await add(padded(definitionBytesMax + 1))).status).toBe(400)
    const wide = `${text}#${'é'.repeat((definitionBytesMax - text.length) / 2 + 1)}`
    expect((await add(wide)).body.faults[0].rule).toBe('too_large')
  })

  test.for([
    [{}, 'source'],
    [{ source: 'a', address: 'https://a.example' }, 'address'],
    [{ address: 'ftp://a.example' }, 'address'],
    [{ address: 'https://user:word@a.example' }, 'address'],
  ] as const)('%j is refused at %s', async ([json, field], { expect }) => {
    const { status, body } = await send('POST', path, session, { json })
    expect([status, body.reason.field]).toEqual([400, field])
  })

  test('an address without a definition says so', async ({ expect }) => {
    const { body } = await send('POST', path, session, { json: { address: `${origin}/nothing/here` } })
    expect(body).toMatchObject({ added: false, reason: { kind: 'definition.unreachable' } })
  })

  test('stays while sites are made from it', async ({ expect }) => {
    await add(definition('harbour'))
    const { id } = (await send('POST', `${consolePrefix}/sites`, session, { json: site('stays') })).body
    expect((await send('DELETE', `${path}/harbour`, session)).status).toBe(409)
    await send('DELETE', `${consolePrefix}/sites/${id}`, session)
    expect((await send('DELETE', `${path}/harbour`, session)).status).toBe(200)
    expect((await send('DELETE', `${path}/harbour`, session)).status).toBe(404)
    expect((await send('POST', `${path}/harbour/reload`, session)).status).toBe(404)
    expect((await send('POST', `${consolePrefix}/sites`, session, { json: site('gone') })).body.reason.field).toBe(
      'definition',
    )
  })

  test('as many answers and choices as there may be, and no more', async ({ expect }) => {
    await add(definition('harbour'))
    const some = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'x']))
    const body = (answers: number, choices: number) => ({
      ...site('many', { answers: some(answers) }),
      overrides: { choices: some(choices) },
    })
    expect(
      (await send('POST', `${consolePrefix}/sites`, session, { json: body(siteAnswersMax, siteChoicesMax) })).status,
    ).toBe(200)
    expect((await send('POST', `${consolePrefix}/sites`, session, { json: body(siteAnswersMax + 1, 0) })).status).toBe(
      400,
    )
    expect((await send('POST', `${consolePrefix}/sites`, session, { json: body(0, siteChoicesMax + 1) })).status).toBe(
      400,
    )
  })

  test('what is answered is in no line of the audit', async ({ expect }) => {
    await add(definition('harbour'))
    await send('POST', `${consolePrefix}/sites`, session, { json: site('quiet', { answers: { apikey: goodApiKey } }) })
    expect(JSON.stringify(await auditRows())).not.toContain(goodApiKey)
  })
})

function tried(body: Readonly<Record<string, unknown>>) {
  const { kind, definition: from, address, answers, overrides } = body
  return { kind, definition: from, address, overrides, ...(answers === undefined ? {} : { answers }) }
}
