/** What belongs to a symbol beside its callers and calls: members, its place among types, where a change is felt, names the index cannot follow. */
import type { NodeAnswer } from '../../contract/wire.ts'
import { Folded } from '../components/folded.tsx'
import { Meter } from '../components/meter.tsx'
import { SectionHead } from '../components/section-head.tsx'
import { ShownOf } from '../components/shown-of.tsx'
import { KindWord, Place, SymbolLink } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { symbolWords, words } from '../locales/words.ts'
import { href } from '../model/address.ts'

export function Members({ answer }: { answer: NodeAnswer }) {
  const text = symbolWords.value
  const { members } = answer
  if (members.total === 0) return null
  return (
    <section class="sec" data-rows="members">
      <SectionHead title={text.members} count={grouped(members.total)} end={text.usedBy} />
      <Folded
        items={members.items}
        first={12}
        more={text.showAll}
        class="res members"
        row={(member) => (
          <li key={member.id} class="row">
            <KindWord kind={member.kind} />
            <SymbolLink
              node={member}
              dir="down"
              class={member.depth === 2 ? 'deep' : ''}
              title={member.signature ?? ''}
            />
            {member.overrides === undefined ? null : (
              <span class="faint small nowrap wide-only">{text.overrides(member.overrides.baseTypeName)}</span>
            )}
            <span class="num small" title={text.memberUses(member.fanIn, member.fanOut)}>
              {grouped(member.fanIn)}
            </span>
          </li>
        )}
      />
      <ShownOf {...members} />
    </section>
  )
}

type Relatives = NonNullable<NodeAnswer['hierarchy']>['ancestors']

function Tree({ list, title }: { list: Relatives; title: string }) {
  const text = symbolWords.value
  if (list.total === 0) return null
  return (
    <div>
      <h3 class="kh">
        {title} <span class="faint">{grouped(list.total)}</span>
      </h3>
      <Folded
        items={list.items}
        first={12}
        more={text.showAll}
        class="res tree"
        row={(one) => (
          <li key={`${one.parentId} ${one.id}`} class={`row d${Math.min(one.depth, 6)}`}>
            <span class="faint small nowrap">{text[one.relation]}</span>
            <SymbolLink node={one} dir="up" />
            {one.hiddenSubtypes === 0 ? null : (
              <span class="faint small nowrap">{text.hiddenSubtypes(one.hiddenSubtypes)}</span>
            )}
            <Place file={one.file} line={one.line} />
          </li>
        )}
      />
      <ShownOf {...list} />
    </div>
  )
}

export function Hierarchy({ answer }: { answer: NodeAnswer }) {
  const text = symbolWords.value
  const { hierarchy } = answer
  if (hierarchy === null) return null
  return (
    <section class={`sec${hierarchy.bounded ? ' open' : ''}`} data-rows="hierarchy">
      <SectionHead
        title={text.hierarchy}
        count={
          text.direct(hierarchy.direct) +
          (hierarchy.implementers === 0 ? '' : `, ${text.implementers(hierarchy.implementers)}`)
        }
      />
      {hierarchy.bounded ? <p class="faint small">{text.bounded}</p> : null}
      <Tree list={hierarchy.ancestors} title={text.above} />
      <Tree list={hierarchy.descendants} title={text.below} />
    </section>
  )
}

export function Reach({ answer }: { answer: NodeAnswer }) {
  const text = symbolWords.value
  const { blast } = answer
  if (blast === null || blast.topFiles.length === 0) return null
  const most = Math.max(...blast.topFiles.map((file) => file.symbols))
  return (
    <section class="sec" data-rows="reach">
      <SectionHead title={text.where} count={text.testsFiles(blast.files)} end={text.symbolsHere} />
      <Folded
        items={blast.topFiles}
        first={12}
        more={text.showAll}
        class="res reach"
        row={(file) => (
          <li key={file.file}>
            <a href={href('file', file.file)} data-row>
              <span class="mono cut-head">
                <bdi>{file.file}</bdi>
              </span>
              {file.test ? <span class="tag">{words.value.test}</span> : <span />}
              <Meter part={file.symbols} of={most} />
              <span class="num small">{grouped(file.symbols)}</span>
            </a>
          </li>
        )}
      />
      <ShownOf shown={blast.topFiles.length} total={blast.files} />
    </section>
  )
}

export function Outside({ answer, lineHref }: { answer: NodeAnswer; lineHref: (line: number) => string }) {
  const text = symbolWords.value
  const { outsideIndex } = answer
  if (outsideIndex.total === 0) return null
  const byName = Map.groupBy(outsideIndex.samples, (one) => one.name)
  return (
    <section class="sec">
      <SectionHead title={text.outside} count={grouped(outsideIndex.total)} />
      <p class="faint small outside-why">{text.outsideText(outsideIndex.total)}</p>
      <ul class="outside">
        {[...byName].map(([name, uses]) => (
          <li key={name}>
            <span class="mono">{name}</span>{' '}
            {[...new Set(uses.map((one) => one.line))].slice(0, 6).map((line) => (
              <a key={line} class="faint small" href={lineHref(line)} aria-label={words.value.code.line(line)}>
                :{line}
              </a>
            ))}
          </li>
        ))}
      </ul>
      <ShownOf shown={outsideIndex.samples.length} total={outsideIndex.total} />
    </section>
  )
}
