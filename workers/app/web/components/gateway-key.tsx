/** One key: its secret when it is new, how to use it, its settings, and what it spent. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { into, setting } from '#shared/pages/set.ts'
import type { WireGatewayKey, WireGatewayKeyList, WireGatewayUsage } from '../../contract/console-gateway.ts'
import {
  changeGatewayKey,
  endOldGatewaySecret,
  fetchGatewayCalls,
  removeGatewayKey,
  renewGatewayKey,
} from '../api/gateway.ts'
import { home } from '../home.ts'
import { words } from '../locales/words.ts'
import { type ChartRange, clockText } from '../model/gateway-figures.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { useActions } from '../use-actions.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import { GatewayCalls } from './gateway-calls.tsx'
import { GatewayKeyForm } from './gateway-key-form.tsx'
import { KeyBreakdown, KeyChart, KeyErrors, KeyLimits, KeyTokens, KeyWaits } from './gateway-key-usage.tsx'
import { FailureNote } from './note.tsx'
import { OneOf } from './one-of.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'

const freshMs = 15_000
const snippetKinds = ['curl', 'chat', 'shell'] as const

function snippet(kind: (typeof snippetKinds)[number], address: string, model: string): string {
  if (kind === 'curl') {
    return `curl ${address}/chat/completions \\
  -H "Authorization: Bearer $WHARF_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`
  }
  if (kind === 'chat') {
    return `const client = new OpenAI({
  baseURL: '${address}',
  apiKey: process.env.WHARF_KEY,
})`
  }
  return `export OPENAI_BASE_URL=${address}
export OPENAI_API_KEY=$WHARF_KEY
export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=$WHARF_KEY`
}

export function UseIt({ path, item }: { path: string; item: WireGatewayKey }) {
  const text = words.value.gateway
  const kind = useSignal<(typeof snippetKinds)[number]>('curl')
  const address = home + path
  const model = item.models.find((one) => !one.endsWith('*')) ?? 'default'
  const code = snippet(kind.value, address, model)
  const shown = useRef<HTMLPreElement>(null)
  const isCopied = useSignal(false)

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(code)
      isCopied.value = true
    } catch {
      // Without https there is no clipboard for pages; the text is marked, for the reader to copy.
      if (shown.current !== null) getSelection()?.selectAllChildren(shown.current)
    }
  }

  return (
    <section class="sec">
      <header>
        <h2>{text.useIt}</h2>
        <span class="n">
          {text.address} <code>{address}</code>
        </span>
      </header>
      <div class="btns">
        <OneOf of={snippetKinds} value={kind.value} nameOf={(one) => text.snippets[one]} onChoose={into(kind)} />
        <button class="btn quiet" type="button" onClick={() => void copy()}>
          <Icon name={isCopied.value ? 'check' : 'copy'} />
          {isCopied.value ? words.value.common.copied : words.value.common.copy}
        </button>
      </div>
      <pre class="argbox code" ref={shown}>
        {code}
      </pre>
    </section>
  )
}

export function GatewayKey(props: {
  item: WireGatewayKey
  list: WireGatewayKeyList
  rows: readonly WireGatewayUsage[]
  today: string
  range: ChartRange
  onRange: (range: ChartRange) => void
  reload: () => Promise<void>
}) {
  const { item, rows, today } = props
  const text = words.value.gateway
  const fresh = useSignal<string | undefined>(undefined)
  const { failure, removing, after } = useActions<WireGatewayKey>(props)
  const calls = useResource(`gateway calls ${item.id}`, (signal) => fetchGatewayCalls(item.id, signal), freshMs)
  const isRevoked = item.revoked_at !== null

  async function renew(): Promise<void> {
    const answer = await renewGatewayKey(item.id)
    if (answer.ok) fresh.value = answer.value.secret
    await after(answer)
  }

  const oldUntil = item.old_secret_until
  const oldWorks = !isRevoked && oldUntil !== null && oldUntil * 1000 > Date.now()

  return (
    <>
      <div class="cols keyc">
        <div class="stack">
          {fresh.value === undefined ? null : (
            <ShownOnce
              lead={text.shownOnce(item.name)}
              label={text.secret}
              secret={fresh.value}
              done={text.done}
              onDone={setting(fresh, undefined)}
            >
              <p class="small muted">{text.oldSecret}</p>
            </ShownOnce>
          )}
          <UseIt path={props.list.path} item={item} />
          <section class="sec">
            <header>
              <h2>{text.settings}</h2>
              <span class="n">{text.secretEnd(item.secret_end)}</span>
              <span class="end">
                <button class="btn quiet" type="button" disabled={isRevoked} onClick={() => void renew()}>
                  <Icon name="refresh" />
                  {text.newSecret}
                </button>
              </span>
            </header>
            <FailureNote failure={failure.value} />
            {oldWorks && (
              <p class="small muted">
                {text.oldSecretUntil(clockText(oldUntil))}{' '}
                <button class="btn quiet" type="button" onClick={() => void endOldGatewaySecret(item.id).then(after)}>
                  {text.endOldSecret}
                </button>
              </p>
            )}
            <GatewayKeyForm
              item={item}
              send={(body) => changeGatewayKey(item.id, body)}
              onDone={() => void props.reload()}
            />
          </section>
        </div>
        <div class="stack">
          <section class="sec">
            <header>
              <h2>{text.usage}</h2>
              <span class="n">{text.during[props.range]}</span>
            </header>
            <KeyLimits item={item} />
            <KeyChart rows={rows} today={today} range={props.range} onRange={props.onRange} item={item} />
          </section>
          <KeyBreakdown rows={rows} />
          <KeyTokens rows={rows} />
          <KeyWaits rows={rows} />
          <KeyErrors rows={rows} calls={calls.state.value.data?.items ?? []} />
          <Section title={isRevoked ? text.remove : text.revoke}>
            <p class="small muted">{isRevoked ? text.removeBody : text.revokeBody}</p>
            <div class="btns">
              <button class="btn danger" type="button" onClick={setting(removing, item)}>
                {isRevoked ? text.remove : text.revoke}…
              </button>
            </div>
          </Section>
        </div>
        <ConfirmRemoval
          wanted={removing}
          text={{
            confirmRemove: isRevoked ? text.removeConfirm : text.revokeConfirm,
            confirmRemoveBody: isRevoked ? text.removeBody : text.revokeBody,
            doRemove: isRevoked ? text.doRemove : text.doRevoke,
          }}
          remove={removeGatewayKey}
          after={async (answer) => {
            if (answer.ok && isRevoked) goTo('#/gateway')
            await props.reload()
          }}
        />
      </div>
      <GatewayCalls of={item.id} />
    </>
  )
}
