/** What the last look of a brush task saw and did not take, and why. */
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireBrushLeft } from '../../contract/console-brush.ts'
import { fetchBrushLeft } from '../api/automation.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { Decision } from './clauses.tsx'
import { DecidedRow } from './decided-row.tsx'
import { Moment } from './figure.tsx'
import { Loaded } from './loaded.tsx'
import { Section } from './section.tsx'

const everyMs = 10_000

const marks: Readonly<Record<WireBrushLeft['why'], readonly [IconName, string]>> = {
  rules: ['m-off', 'faint'],
  bounds: ['m-part', 'warn'],
  size: ['m-part', 'warn'],
}

function Row({ of: one }: { of: WireBrushLeft }) {
  const text = words.value.brush
  return (
    <DecidedRow
      mark={marks[one.why]}
      state={text.leftWhys[one.why]}
      title={one.title}
      size={one.size}
      about={null}
      why={() => (
        <Decision rule={text.picked} clauses={one.clauses} reason={undefined} isDecided={one.why !== 'rules'} />
      )}
    />
  )
}

export function BrushLeft({ id }: { id: number }) {
  const text = words.value.brush
  const left = useResource(`brush-left ${id}`, (signal) => fetchBrushLeft(id, signal), everyMs)
  return (
    <Section title={text.notTaken}>
      <Loaded of={left} own>
        {({ items, looked }) => {
          if (looked === undefined) return <Empty title={text.neverLooked} body="" />
          if (looked.full) return <Empty title={text.wasFull} body="" />
          return (
            <>
              <p class="faint small">
                {text.lookedAt(grouped(looked.seen), grouped(looked.known))} <Moment seconds={looked.at} />
              </p>
              {items.length === 0 ? (
                <Empty title={text.allTaken} body="" />
              ) : (
                <ul class="dls brushed">
                  {items.map((one) => (
                    <Row key={one.torrent_id} of={one} />
                  ))}
                </ul>
              )}
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}
