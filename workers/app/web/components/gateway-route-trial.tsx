/** What a message would do by a route that is not saved yet. Nobody is asked. */
import { useSignal } from '@preact/signals'
import { TextArea, TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { into } from '#shared/pages/set.ts'
import type { GatewayRouteBody, WireGatewayRouteTrial } from '../../contract/console-gateway.ts'
import { gatewayTrialCharactersMax, gatewayTrialTokensMax } from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { tryGatewayRoute } from '../api/gateway.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { digitsOf, numberIn } from '../model/typed-number.ts'
import { Dollars } from './gateway-parts.tsx'
import { FailureNote } from './note.tsx'
import { Table } from './table.tsx'

const marks = { asked: 'right', reserve: 'm-off', passed_over: 'close', never: 'close' } as const
const tones = { asked: 'good', reserve: 'faint', passed_over: 'warn', never: 'faint' } as const

export function RouteTrial({ route }: { route: GatewayRouteBody | undefined }) {
  const text = words.value.gateway
  const message = useSignal('')
  const most = useSignal('')
  const busy = useSignal(false)
  const outcome = useSignal<Answer<WireGatewayRouteTrial> | undefined>(undefined)
  const tokens = numberIn(most.value, true)
  const isReady = route !== undefined && message.value.trim() !== '' && tokens !== undefined && !busy.value

  async function run(): Promise<void> {
    if (route === undefined || tokens === undefined) return
    busy.value = true
    outcome.value = await tryGatewayRoute({ route, text: message.value, max_tokens: tokens })
    busy.value = false
  }

  const told = outcome.value
  return (
    <section class="sec">
      <header>
        <h3>{text.trial}</h3>
        <span class="n">{text.trialNote}</span>
      </header>
      <div class="rtry">
        <TextArea
          label={text.trialText}
          value={message.value}
          onText={into(message)}
          maxLength={gatewayTrialCharactersMax}
          rows={2}
        />
        <TextField
          label={text.trialMost}
          value={most.value}
          onText={into(most)}
          maxLength={digitsOf(gatewayTrialTokensMax)}
          number
        />
        <button class="btn" type="button" disabled={!isReady} onClick={() => void run()}>
          <Icon name="play" />
          {text.tryIt}
        </button>
      </div>
      <div role="status">
        {told === undefined ? null : told.ok ? (
          <Table
            class="kmod trial"
            isFlat
            rows={told.value.steps.map((step, index) => ({ ...step, place: index + 1 }))}
            keyOf={({ place }) => place}
            columns={[
              {
                head: text.modelAndProvider,
                td: 'wrap-any',
                cell: ({ place, model, provider }) => (
                  <>
                    {place}. <b>{model}</b> <span class="muted">{provider}</span>
                  </>
                ),
              },
              {
                head: text.state,
                cell: ({ state, why }) => (
                  <span class="st">
                    <span class={tones[state]}>
                      <Icon name={marks[state]} />
                    </span>
                    {text.trialStates[state]}
                    {why === null ? '' : `: ${text.trialWhy[why]}`}
                  </span>
                ),
              },
              {
                head: text.input,
                th: 'num wide-only',
                td: 'num wide-only',
                cell: ({ input_tokens: input }) => grouped(input),
              },
              {
                head: text.costMost,
                th: 'num',
                td: 'num',
                cell: ({ cost_max_usd: cost }) => <Dollars amount={cost} />,
              },
            ]}
          />
        ) : (
          <FailureNote failure={told.failure} />
        )}
      </div>
    </section>
  )
}
