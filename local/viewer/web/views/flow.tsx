/** How one symbol reaches another: the path as cards, and where and why it stops. */
import '../styles/view-strip.css'
import './flow.css'
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { FlowAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { SavePicture } from '../components/save-picture.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { SymbolPicker } from '../components/symbol-picker.tsx'
import { codeCell } from '../export/save-picture.ts'
import { joinPaths } from '../layout/flow-path.ts'
import { codeSize, drawFlow } from '../layout/flow-picture.ts'
import { flowWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { formatTrail, hopParameter, parseTrail } from '../model/reading-trail.ts'
import { goTo } from '../router.ts'
import { FlowCards } from './flow-cards.tsx'
import { FlowSide, Spine } from './flow-side.tsx'
import { drawingOf, type Flow, stepsOfFlow, subtitleOf } from './flow-story.ts'

type End = 'from' | 'via' | 'to'

/** Ids are `kind:` and a digest; anything else is a name. */
function isId(text: string): boolean {
  return /^[a-z_]+:[0-9a-f]{32}/.test(text) || /^(?:file|route):/.test(text)
}

/** The last part of a name or an id that no look-up has named yet. */
function plain(text: string): string {
  return isId(text) ? '…' : text
}

function useNames(ids: readonly string[]): (text: string) => string {
  const wanted = [...new Set(ids.filter(isId))]
  const { data } = useAnswer(wanted.length === 0 ? undefined : api.nodes(wanted)).reading.value
  return (text) => data?.items.find((one) => one.id === text)?.qualifiedName ?? plain(text)
}

function Ends(props: { ends: Readonly<Record<End, string>>; name: (text: string) => string }) {
  const text = flowWords.value
  const { ends, name } = props
  const isViaOpen = useSignal(false)
  const change = (end: End) => (value: string) => goTo(href('flow', '', { ...ends, [end]: value }))
  const field = (end: End) => (
    <SymbolPicker
      label={text[end]}
      placeholder={text.placeholder}
      noMatch={text.noMatch}
      value={ends[end]}
      shown={ends[end] === '' ? '' : name(ends[end])}
      onPick={change(end)}
    />
  )
  const hasVia = ends.via !== '' || isViaOpen.value
  return (
    <form class="pathq" onSubmit={(event) => event.preventDefault()}>
      {field('from')}
      {hasVia ? (
        <span class="via">
          {field('via')}
          <button
            class="btn icon quiet"
            type="button"
            aria-label={text.dropVia}
            onClick={() => {
              isViaOpen.value = false
              if (ends.via !== '') change('via')('')
            }}
          >
            <Icon name="close" />
          </button>
        </span>
      ) : null}
      {field('to')}
      {hasVia ? null : (
        <button class="btn quiet" type="button" onClick={() => (isViaOpen.value = true)}>
          <Icon name="plus" />
          {text.addVia}
        </button>
      )}
      {ends.from === '' && ends.to === '' ? null : (
        <a class="btn quiet" href={href('flow', '', { from: ends.to, via: ends.via, to: ends.from })}>
          <Icon name="refresh" />
          {text.swap}
        </a>
      )}
    </form>
  )
}

function CopyLink() {
  const isCopied = useSignal(false)
  return (
    <button
      class="btn quiet wide-only"
      type="button"
      onClick={() => {
        void navigator.clipboard.writeText(location.href).then(() => {
          isCopied.value = true
        })
      }}
    >
      <span role="status">{isCopied.value ? words.value.copied : flowWords.value.copyLink}</span>
    </button>
  )
}

function NoPath({ answer, ends }: { answer: FlowAnswer; ends: Readonly<Record<End, string>> }) {
  const text = flowWords.value
  if (answer.query.kind === 'trail')
    return (
      <Empty title={text.goneTitle} body={text.goneBody}>
        <a class="btn" href={href('trails')}>
          {text.toTrails}
        </a>
      </Empty>
    )
  if (answer.unresolved.length > 0)
    return (
      <Empty title={text.unknownTitle(answer.unresolved.map(plain).join(', '))} body={text.unknownBody}>
        {answer.unresolved
          .filter((one) => !isId(one))
          .map((one) => (
            <a key={one} class="btn" href={href('home', '', { q: one })}>
              {text.searchFor(one)}
            </a>
          ))}
      </Empty>
    )
  return (
    <Empty title={answer.query.kind === 'symbols' ? text.symbolsTitle : text.noneTitle} body={text.noneBody}>
      {answer.query.kind === 'directed' ? (
        <a class="btn" href={href('flow', '', { from: ends.to, to: ends.from })}>
          {text.other}
        </a>
      ) : null}
    </Empty>
  )
}

function Found(props: {
  answer: FlowAnswer
  second: FlowAnswer | undefined
  route: Route
  ends: Readonly<Record<End, string>>
  name: (text: string) => string
}) {
  const { answer, second, ends, name } = props
  const text = flowWords.value
  const { query } = props.route
  const wanted = Number(query.get('path') ?? '1') - 1
  const chosen = answer.flows[wanted] === undefined ? 0 : wanted
  const first = answer.flows[chosen]
  if (first === undefined) return <NoPath answer={answer} ends={ends} />
  const onward = second?.flows.find((one) => one.hops[0]?.node.id === first.hops.at(-1)?.node.id)
  const flow: Flow = joinPaths(first, onward)
  // The second half does not exist: what is shown ends at the symbol in between.
  const isHalf = second !== undefined && second.flows.length === 0
  const isRecorded = answer.query.kind === 'trail'
  const start = flow.hops[0]?.node.name ?? ''
  const end = isRecorded
    ? (flow.hops.at(-1)?.node.name ?? '')
    : answer.query.kind === 'symbols'
      ? (flow.hops.at(-1)?.node.name ?? '')
      : name(ends.to)
  const title = text.between(start, end)
  const steps = stepsOfFlow(flow)
  const parts = { ...ends, trail: query.get('trail') ?? undefined, symbols: query.get('symbols') ?? undefined }
  return (
    <div class="flow">
      {ends.via === '' ? (
        <Spine paths={answer.flows} flow={flow} chosen={chosen} query={parts} />
      ) : (
        <Spine paths={[flow]} flow={flow} chosen={0} query={parts} />
      )}
      <section class="steps-c">
        <div class="fh">
          <h1>{title}</h1>
          <span class="muted small" role="status">
            {subtitleOf(flow, isRecorded)}
          </span>
          <div class="btns end">
            {steps.length < 2 ? null : (
              <a class="btn" href={href('trails', 'new', { trail: formatTrail(steps) })}>
                <Icon name="trail" />
                {text.saveTrail}
              </a>
            )}
            <SavePicture
              picture={() => {
                const column = document.querySelector('.steps-c')?.clientWidth ?? 800
                return drawFlow(drawingOf(flow, title, isRecorded), Math.max(360, column), codeCell(codeSize))
              }}
            />
            <CopyLink />
          </div>
        </div>
        {answer.unresolved.length === 0 ? null : (
          <Note incomplete role="status">
            {isRecorded
              ? text.unresolved(answer.unresolved.length)
              : `${text.unknownTitle(answer.unresolved.join(', '))}. ${text.unknownBody}`}
          </Note>
        )}
        <FlowCards flow={flow} />
        {isHalf ? <NoPath answer={second} ends={{ from: ends.via, via: '', to: ends.to }} /> : null}
      </section>
      <FlowSide
        answer={second === undefined ? answer : { ...answer, ambiguous: [...answer.ambiguous, ...second.ambiguous] }}
        flow={flow}
        instead={(token, id) => {
          const end = (['from', 'via', 'to'] as const).find((one) => ends[one] === token)
          return href('flow', '', end === undefined ? parts : { ...ends, [end]: id })
        }}
      />
    </div>
  )
}

export function FlowView({ route }: { route: Route }) {
  const text = flowWords.value
  const { query } = route
  const ends = { from: query.get('from') ?? '', via: query.get('via') ?? '', to: query.get('to') ?? '' }
  const steps = parseTrail(query.get('trail'))
  const symbols = query.get('symbols') ?? ''
  const isSame =
    ends.from !== '' && (ends.from === ends.to || ends.from === ends.via || ends.via === ends.to) && ends.to !== ''
  const isWhole = ends.from !== '' && ends.to !== '' && !isSame
  const question =
    steps.length > 1
      ? api.flow({ hop: steps.map(hopParameter) })
      : symbols !== ''
        ? api.flow({ symbols })
        : isWhole
          ? api.flow({ from: ends.from, to: ends.via === '' ? ends.to : ends.via })
          : undefined
  const first = useAnswer(question)
  const hasVia = isWhole && ends.via !== '' && steps.length < 2 && symbols === ''
  const second = useAnswer(hasVia ? api.flow({ from: ends.via, to: ends.to }) : undefined)
  const name = useNames([ends.from, ends.via, ends.to])
  usePageTitle(isWhole ? `${text.title}: ${text.between(name(ends.from), name(ends.to))}` : text.title)
  return (
    <>
      <div class="viewbar">
        <Ends key={steps.length > 1 ? 'trail' : 'ends'} ends={ends} name={name} />
      </div>
      {question === undefined ? (
        <div class="page">
          <h1>{text.heading}</h1>
          {isSame ? (
            <Empty title={text.sameTitle} body={text.sameBody} />
          ) : (
            <Empty title={text.emptyTitle} body={text.emptyBody} />
          )}
        </div>
      ) : (
        <Answered of={first} skeletonRows={10}>
          {(answer) =>
            hasVia && answer.flows.length > 0 ? (
              <Answered of={second} skeletonRows={10}>
                {(onward) => <Found answer={answer} second={onward} route={route} ends={ends} name={name} />}
              </Answered>
            ) : answer.flows.length === 0 ? (
              <div class="page">
                <h1>{text.heading}</h1>
                <NoPath answer={answer} ends={ends} />
              </div>
            ) : (
              <Found answer={answer} second={undefined} route={route} ends={ends} name={name} />
            )
          }
        </Answered>
      )}
    </>
  )
}
