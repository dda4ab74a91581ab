/** Why a result would be taken or not, and what a push of it would meet: asked for when somebody wants to know. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireFoundTorrent } from '../../contract/console-search.ts'
import type { PushWhy as PushWhyAnswer, PushWhyBody, WirePushGate } from '../../contract/push-why.ts'
import { explainPush } from '../api/search.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, joined } from '../model/amounts.ts'
import { type PushPlace, whyBodyOf } from '../model/push.ts'
import { ruleLikeHash } from '../model/rule-like.ts'
import { resultKey } from '../model/search-query.ts'
import { useResource } from '../resource.ts'
import { Decision } from './clauses.tsx'
import { Loaded } from './loaded.tsx'
import { ReasonWords } from './reason.tsx'

interface Asked {
  readonly item: WireFoundTorrent
  readonly place: Pick<PushPlace, 'downloaderId' | 'savePath'>
}

const marks = { open: ['m-on', 'good'], shut: ['m-bad', 'bad'], unknown: ['m-guess', 'faint'] } as const

function figuresOf({ gate, state, seeding, limit, left, kept }: WirePushGate): string {
  const text = words.value.search
  const size = (bytes: number) => joined(bytesAmount(bytes))
  if (gate === 'capacity' && limit === undefined) return text.noCapacity
  if (seeding !== undefined && limit !== undefined) return text.seeding(size(seeding), size(limit))
  if (left !== undefined && kept !== undefined) return text.leftKept(size(left), size(kept))
  return text.gateStates[state]
}

function Gate({ of: gate }: { of: WirePushGate }) {
  const text = words.value.search
  const [mark, tone] = marks[gate.state]
  return (
    <li>
      <span class={tone}>
        <Icon name={mark} small />
      </span>{' '}
      <span class="vh">{text.gateStates[gate.state]}: </span>
      {text.gateNames[gate.gate]}
      <span class="faint">
        {' · '}
        {gate.reason === undefined ? figuresOf(gate) : <ReasonWords reason={gate.reason} />}
      </span>
    </li>
  )
}

function GateRows({ of: { downloader, gates } }: { of: PushWhyAnswer }) {
  return (
    <>
      <h3>{words.value.search.gatesOf(downloader)}</h3>
      <div class="why">
        <ul class="small">
          {gates.map((gate) => (
            <Gate key={gate.gate} of={gate} />
          ))}
        </ul>
      </div>
    </>
  )
}

/** What a push of it would meet now. */
export function Gates({ body }: { body: PushWhyBody }) {
  const why = useResource(`gates ${resultKey(body)}`, (signal) => explainPush(body, signal))
  return <Loaded of={why}>{(told) => <GateRows of={told} />}</Loaded>
}

function Told({ item, place }: Asked) {
  const text = words.value.search
  const why = useResource(`why ${resultKey(item)} ${place.downloaderId}`, (signal) =>
    explainPush(whyBodyOf(item, place), signal),
  )
  return (
    <Loaded of={why} skeletonRows={3} own>
      {(told) => (
        <>
          <p>{text.verdicts[told.act]}</p>
          <Decision {...told} reason={undefined} isDecided={told.act !== 'leave' && told.act !== 'wait'} />
          <GateRows of={told} />
        </>
      )}
    </Loaded>
  )
}

export function PushWhy(props: Asked) {
  const isOpen = useSignal(false)
  const { why, makeRule } = words.value.feeds
  return (
    <div role="status">
      <button
        class="btn quiet"
        type="button"
        aria-expanded={isOpen.value}
        aria-label={`${why} ${props.item.title}`}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {why}
      </button>
      <a class="link small" href={ruleLikeHash(props.item)}>
        {makeRule}
      </a>
      {isOpen.value ? <Told {...props} /> : null}
    </div>
  )
}
