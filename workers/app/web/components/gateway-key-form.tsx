import { type Signal, useSignal } from '@preact/signals'
import type { GatewayKeyBody, WireGatewayKey } from '../../contract/console-gateway.ts'
import { gatewayKeyNameCharactersMax } from '../../limits.ts'
import type { Answer, ApiFailure } from '../api-client.ts'
import { typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { SelectField, TextArea, TextField } from './field.tsx'
import { FailureNote } from './note.tsx'

const lifetimes = ['30', '90', '365', 'never'] as const
const daySeconds = 24 * 3600

/** A number above nothing; null for an empty field, undefined for what is none. */
function numberIn(text: string, isWhole: boolean): number | null | undefined {
  const plain = text.replaceAll(',', '').trim()
  if (plain === '') return null
  const value = /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
  return value > 0 && (!isWhole || Number.isInteger(value)) ? value : undefined
}

/** The settings of a key, new or there already. */
export function GatewayKeyForm<Done>(props: {
  item: WireGatewayKey | undefined
  send: (body: GatewayKeyBody) => Promise<Answer<Done>>
  onDone: (done: Done) => void
}) {
  const { item } = props
  const text = words.value.gateway
  const name = useSignal(item?.name ?? '')
  const models = useSignal(item?.models.join('\n') ?? '')
  const lifetime = useSignal<string>(item === undefined ? 'never' : 'keep')
  const requests = useSignal(String(item?.requests_per_minute ?? ''))
  const tokens = useSignal(String(item?.tokens_per_minute ?? ''))
  const day = useSignal(String(item?.budget_day_usd ?? ''))
  const month = useSignal(String(item?.budget_month_usd ?? ''))
  const tried = useSignal(false)
  const busy = useSignal(false)
  const saved = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const numbers = {
    requests: numberIn(requests.value, true),
    tokens: numberIn(tokens.value, true),
    day: numberIn(day.value, false),
    month: numberIn(month.value, false),
  }
  const isNameMissing = name.value.trim() === ''
  const isDayAbove = typeof numbers.day === 'number' && typeof numbers.month === 'number' && numbers.day > numbers.month

  function expiresAt(): number | null {
    if (lifetime.value === 'keep') return item?.expires_at ?? null
    if (lifetime.value === 'never') return null
    return Math.floor(Date.now() / 1000) + Number(lifetime.value) * daySeconds
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    saved.value = false
    const { requests: perRequests, tokens: perTokens, day: perDay, month: perMonth } = numbers
    if (isNameMissing || isDayAbove || busy.value) return
    if (perRequests === undefined || perTokens === undefined || perDay === undefined || perMonth === undefined) return
    busy.value = true
    const answer = await props.send({
      name: name.value.trim(),
      models: models.value
        .split(/[\n,]/)
        .map((one) => one.trim())
        .filter(Boolean),
      requests_per_minute: perRequests,
      tokens_per_minute: perTokens,
      budget_day_usd: perDay,
      budget_month_usd: perMonth,
      expires_at: expiresAt(),
    })
    busy.value = false
    failure.value = answer.ok ? undefined : answer.failure
    saved.value = answer.ok
    if (answer.ok) props.onDone(answer.value)
  }

  const amount = (label: string, field: Signal<string>, value: number | null | undefined, more?: string) => (
    <TextField
      label={label}
      {...typed(field)}
      maxLength={16}
      number
      error={tried.value && value === undefined ? text.numberWrong : more}
    />
  )
  const options = [...(item === undefined ? [] : (['keep'] as const)), ...lifetimes]
  return (
    <form class="su-form kform" onSubmit={(event) => void submit(event)}>
      <div class="two-f">
        <TextField
          label={text.name}
          {...typed(name)}
          maxLength={gatewayKeyNameCharactersMax}
          hint={text.nameHint}
          error={tried.value && isNameMissing ? text.nameNeeded : undefined}
        />
        <SelectField
          label={text.expires}
          value={lifetime.value}
          options={options.map((value) => ({ value, label: text.lifetimes[value] }))}
          onChoose={(value) => {
            lifetime.value = value
          }}
        />
      </div>
      <TextArea label={text.models} {...typed(models)} maxLength={10_000} hint={text.modelsHint} error={undefined} />
      <div class="four-f">
        {amount(text.perMinuteRequests, requests, numbers.requests)}
        {amount(text.perMinuteTokens, tokens, numbers.tokens)}
        {amount(text.budgetDay, day, numbers.day, isDayAbove ? text.dayAboveMonth : undefined)}
        {amount(text.budgetMonth, month, numbers.month)}
      </div>
      <p class="small faint">{text.limitsNote}</p>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="btns ends-right">
        <span class="muted small" role="status">
          {saved.value && item !== undefined ? text.saved : ''}
        </span>
        <button class="btn primary" type="submit" disabled={busy.value}>
          {item === undefined ? text.make : text.save}
        </button>
      </div>
    </form>
  )
}
