import { networkCharactersMax } from '#shared/network/ip-address.ts'
import { SelectField, TextArea, TextField, Tick } from '#shared/pages/field.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { GatewayKeyBody, WireGatewayKey } from '../../contract/console-gateway.ts'
import {
  gatewayKeyAddressesMax,
  gatewayKeyModelCharactersMax,
  gatewayKeyModelsMax,
  gatewayKeyNameCharactersMax,
  gatewayPerMinuteMax,
} from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { fetchGatewayRouting } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { momentText } from '../model/moments.ts'
import { numberIn } from '../model/typed-number.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import { Ticks } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'

const lifetimes = ['30', '90', '365', 'never'] as const
const daySeconds = 24 * 3600

const listed = (text: string) =>
  text
    .split(/[\n,]/)
    .map((one) => one.trim())
    .filter(Boolean)

const limitText = (limit: number | null | undefined) => (limit == null ? '' : grouped(limit))

/** The settings of a key, new or there already. */
export function GatewayKeyForm<Done>(props: {
  item: WireGatewayKey | undefined
  send: (body: GatewayKeyBody) => Promise<Answer<Done>>
  onDone: (done: Done) => void
}) {
  const { item } = props
  const text = words.value.gateway
  const form = useForm({
    name: item?.name ?? '',
    models: item?.models.join('\n') ?? '',
    addresses: item?.addresses.join('\n') ?? '',
    lifetime: item === undefined ? 'never' : 'keep',
    requests: limitText(item?.requests_per_minute),
    tokens: limitText(item?.tokens_per_minute),
    day: String(item?.budget_day_usd ?? ''),
    month: String(item?.budget_month_usd ?? ''),
    keepsBodies: (item?.keeps_bodies_until ?? 0) * 1000 > Date.now(),
  })
  const routing = useResource('gateway routing', fetchGatewayRouting)
  const { lifetime, models, addresses, keepsBodies } = form.values
  const allowed = listed(models)
  const routes = routing.state.value.data?.routes ?? []
  const name = form.values.name.trim()
  const numbers = {
    requests: numberIn(form.values.requests, true),
    tokens: numberIn(form.values.tokens, true),
    day: numberIn(form.values.day, false),
    month: numberIn(form.values.month, false),
  }
  const isDayAbove = typeof numbers.day === 'number' && typeof numbers.month === 'number' && numbers.day > numbers.month
  const isRight = name !== '' && !isDayAbove && !Object.values(numbers).includes(undefined)

  function expiresAt(): number | null {
    if (lifetime === 'keep') return item?.expires_at ?? null
    if (lifetime === 'never') return null
    return Math.floor(Date.now() / 1000) + Number(lifetime) * daySeconds
  }

  const send = () =>
    props.send({
      name,
      models: allowed,
      addresses: listed(addresses),
      requests_per_minute: numbers.requests ?? null,
      tokens_per_minute: numbers.tokens ?? null,
      budget_day_usd: numbers.day ?? null,
      budget_month_usd: numbers.month ?? null,
      expires_at: expiresAt(),
      keep_bodies: keepsBodies,
    })

  const amount = (label: string, field: keyof typeof numbers, wireField: string, more?: string) => (
    <TextField
      label={label}
      {...form.typed(field)}
      maxLength={grouped(gatewayPerMinuteMax).length}
      number
      error={form.wrong(numbers[field] === undefined, text.numberWrong, wireField) ?? more}
    />
  )
  const expiryNow =
    item?.expires_at == null ? text.lifetimes.never : momentText(item.expires_at, Date.now() / 1000, language.value)
  const options = [...(item === undefined ? [] : (['keep'] as const)), ...lifetimes]
  return (
    <FormFrame
      form={form}
      look="dialog"
      class="su-form kform"
      isRight={isRight}
      send={send}
      onSaved={(done) => {
        form.restart(form.values)
        props.onDone(done)
      }}
      submitWords={item === undefined ? text.make : text.save}
      beside={
        <span class="muted small" role="status">
          {form.isSaved && item !== undefined ? text.saved : ''}
        </span>
      }
    >
      <div class="two-f">
        <NameField of={form} max={gatewayKeyNameCharactersMax} hint={text.nameHint} />
        <SelectField
          label={text.expires}
          {...form.chosen('lifetime')}
          options={options.map((value) => ({
            value,
            label: value === 'keep' ? text.keepExpiry(expiryNow) : text.lifetimes[value],
          }))}
        />
      </div>
      {routes.length === 0 ? null : (
        <Ticks
          legend={text.routesAllowed}
          options={routes.map(({ name, steps }) => ({
            value: name,
            label: name,
            hint: steps.map(({ model }) => model).join(', '),
          }))}
          value={allowed}
          onChoose={(chosen) =>
            form.set({
              models: [...chosen, ...allowed.filter((one) => !routes.some(({ name }) => name === one))].join('\n'),
            })
          }
        />
      )}
      <TextArea
        label={text.models}
        {...form.typed('models')}
        maxLength={gatewayKeyModelsMax * (gatewayKeyModelCharactersMax + 1)}
        hint={text.modelsHint}
        error={form.wrong(false, '', 'models')}
      />
      <TextArea
        label={text.addresses}
        {...form.typed('addresses')}
        maxLength={gatewayKeyAddressesMax * (networkCharactersMax + 1)}
        hint={text.addressesHint}
        error={form.wrong(false, '', 'addresses')}
      />
      <div class="four-f">
        {amount(text.perMinuteRequests, 'requests', 'requests_per_minute')}
        {amount(text.perMinuteTokens, 'tokens', 'tokens_per_minute')}
        {amount(text.budgetDay, 'day', 'budget_day_usd', isDayAbove ? text.dayAboveMonth : undefined)}
        {amount(text.budgetMonth, 'month', 'budget_month_usd')}
      </div>
      <p class="small faint">{text.limitsNote}</p>
      <Tick {...form.ticked('keepsBodies')}>{text.keepBodies}</Tick>
      {keepsBodies && <Note tone="warn">{text.keepBodiesNote}</Note>}
    </FormFrame>
  )
}
