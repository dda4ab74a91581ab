import { describe, test } from 'vitest'
import { hmacSha256 } from '../../../workers/app/adapters/webhook-signature.ts'
import type {
  ChannelService,
  ServiceMessage,
  ServiceValues,
} from '../../../workers/app/core/channel-services/service.ts'
import { channelServices } from '../../../workers/app/core/channel-services/services.ts'
import {
  placeOfService,
  settleService,
  shownFields,
} from '../../../workers/app/core/channel-services/settle-service.ts'
import { channelKinds } from '../../../workers/app/core/vocabulary.ts'
import { channelAddressCharactersMax, channelFieldsMax } from '../../../workers/app/limits.ts'
import type { StandInRequest, StandInService } from '../../support/channel-services/stand-in.ts'
import { serviceStandIns } from '../../support/channel-services/stand-ins.ts'

const message: ServiceMessage = { title: 'Push done', text: 'Planet.Walk is with "first"\nand more' }
const nowUnix = 1_795_600_000
const tools = { nowUnix, hmac: hmacSha256 }
const long: ServiceMessage = { title: '标题😀'.repeat(200), text: '正文😀 "x"\n'.repeat(20_000) }

const services = channelServices.map((service) => {
  const standIn = serviceStandIns.find(({ type }) => type === service.type)
  if (standIn === undefined) throw new Error(`no stand-in for ${service.type}`)
  return { type: service.type, service, standIn }
})

async function requestOf(service: ChannelService, values: ServiceValues, sent: ServiceMessage) {
  const { address, headers = {}, json } = await service.call(values, sent, tools)
  const { origin, pathname, search } = new URL(address)
  const request: StandInRequest = {
    method: 'POST',
    path: `${pathname}${search}`,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(json),
  }
  return { origin, request }
}

async function send(service: ChannelService, standIn: StandInService, change: ServiceValues, sent = message) {
  const settled = settleService(service, { ...standIn.values, ...change }, undefined)
  if (!settled.ok) throw new Error(JSON.stringify(settled.failure))
  const { origin, request } = await requestOf(service, settled.value, sent)
  const { status, body: text } = await standIn.answer(request, nowUnix)
  return { origin, request, status, fault: service.faultIn({ status, text }) }
}

describe.each(services)('$type', ({ service, standIn }) => {
  test('takes a message at its own place', async ({ expect }) => {
    const { origin, fault } = await send(service, standIn, {})
    expect([origin, fault]).toEqual([standIn.origin, undefined])
  })

  test('takes whatever is not there, and as much of the rest as it holds', async ({ expect }) => {
    for (const sent of [{ ...message, title: '' }, { ...message, text: '' }, long, { ...long, text: '' }])
      expect((await send(service, standIn, {}, sent)).fault).toBeUndefined()
    const { body } = (await send(service, standIn, {}, long)).request
    expect(body).toContain('…')
    expect(body.isWellFormed()).toBe(true)
    expect(body).not.toContain('�')
  })

  test('is told apart from what it refuses', async ({ expect }) => {
    for (const [what, change, fault] of standIn.refusals)
      expect((await send(service, standIn, change)).fault, what).toEqual(fault)
  })

  test('says when too much was sent, or too long a text', async ({ expect }) => {
    const { limited, lengthen } = standIn
    if (limited !== undefined)
      expect(service.faultIn({ status: limited.status, text: limited.body })).toEqual({ kind: 'rate_limited' })
    if (lengthen !== undefined) {
      const { request } = await send(service, standIn, {})
      const { status, body: text } = await standIn.answer(
        { ...request, body: JSON.stringify(lengthen(JSON.parse(request.body))) },
        nowUnix,
      )
      expect(service.faultIn({ status, text })).toEqual({ kind: 'rejected' })
    }
  })

  test.for(['', 'hello', '<html></html>', '{}', '[]', 'null', '{"ok":true}', '{"status":"ok"}', '{"success":true}'])(
    'is not a page that answers 200 with %j',
    (text, { expect }) => {
      expect(service.faultIn({ status: 200, text })).toEqual({ kind: 'foreign' })
    },
  )

  test('that is gone, sends elsewhere or stumbles is not taken for one that refuses', ({ expect }) => {
    const kinds = [404, 302, 503].map((status) => service.faultIn({ status, text: '<html></html>' })?.kind)
    expect(kinds).toEqual(['not_found', 'redirected', 'status'])
  })

  test('asks for few things, one of them the address, in both languages', ({ expect }) => {
    const { fields } = service
    const names = fields.map(({ name }) => name)
    expect(channelKinds).not.toContain(service.type)
    expect(service.type).toMatch(/^[a-z]+$/)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeLessThanOrEqual(channelFieldsMax)
    expect(fields.filter(({ shape }) => shape === 'address')).toHaveLength(1)
    expect(fields.some(({ secret }) => secret === true)).toBe(true)
    for (const { name, label, hint, charactersMax } of fields) {
      expect(name).toMatch(/^[a-z][a-z_]*$/)
      expect(charactersMax).toBeLessThanOrEqual(channelAddressCharactersMax)
      for (const words of [label, hint ?? label]) {
        expect(words.en).toMatch(/^[\x20-\x7e’“”…]+$/)
        expect(words.zh).not.toBe('')
      }
    }
  })

  test('takes as much in each field as it says, and not one character more', ({ expect }) => {
    for (const { name, shape, charactersMax } of service.fields) {
      const start = shape === 'address' ? 'https://a.example/' : ''
      const filled = (characters: number) => settleWith({ [name]: start + 'x'.repeat(characters - start.length) })
      expect(filled(charactersMax)).toMatchObject({ ok: true })
      expect(filled(charactersMax + 1)).toEqual({
        ok: false,
        failure: {
          kind: 'field.wrong',
          field: `fields.${name}`,
          part: 'field',
          rule: { kind: 'rule.at_most', limit: charactersMax, unit: 'characters' },
        },
      })
    }
    function settleWith(change: ServiceValues) {
      return settleService(service, { ...standIn.values, ...change }, undefined)
    }
  })

  test('keeps what is left out, and shows no secret', ({ expect }) => {
    const stored = settleService(service, standIn.values, undefined)
    if (!stored.ok) throw new Error(JSON.stringify(stored.failure))
    expect(settleService(service, {}, stored.value)).toEqual(stored)
    const shown = JSON.stringify([shownFields(service, stored.value), placeOfService(service, stored.value)])
    for (const { name, secret, shape } of service.fields) {
      const value = stored.value[name] ?? ''
      if (secret === true) expect(shown).not.toContain(shape === 'address' ? new URL(value).pathname : value)
      else expect(shown).toContain(value)
    }
  })

  test('sends no stored secret to another place', ({ expect }) => {
    const stored = settleService(service, standIn.values, undefined)
    const address = service.fields.find(({ shape }) => shape === 'address')
    const others = service.fields.filter(({ secret, shape }) => secret === true && shape !== 'address')
    if (!stored.ok || address === undefined) throw new Error('not settled')
    const moved = settleService(service, { [address.name]: 'https://elsewhere.example/hook' }, stored.value)
    expect(moved).toEqual(
      others[0] === undefined
        ? { ok: true, value: { ...stored.value, [address.name]: 'https://elsewhere.example/hook' } }
        : { ok: false, failure: { kind: 'field.fill_in', field: `fields.${others[0].name}` } },
    )
  })

  test('asks for what is needed, by its name', ({ expect }) => {
    for (const { name, optional, default: usual } of service.fields) {
      const { [name]: _, ...rest } = standIn.values
      const missing = optional === true || usual !== undefined
      expect(settleService(service, rest, undefined), name).toMatchObject(
        missing ? { ok: true } : { failure: { kind: 'field.missing', field: `fields.${name}` } },
      )
    }
    expect(settleService(service, { ...standIn.values, chat: 'x' }, undefined)).toEqual({
      ok: false,
      failure: { kind: 'field.unknown', fields: ['fields.chat'] },
    })
  })
})
