/** The map in words: the same modules layer by layer, for phones and for readers of screens. */

import { FileName } from '../components/file-name.tsx'
import { InPlaceLink } from '../components/in-place-link.tsx'
import { Meter } from '../components/meter.tsx'
import type { Placement } from '../layout/map-places.ts'
import { grouped } from '../locales/numbers.ts'
import { mapWords } from '../locales/words.ts'
import { type MapState, mapHref } from '../model/map-address.ts'
import type { MapModule, ShownMap } from './map-data.ts'

export function MapList(props: { placement: Placement; shown: ShownMap; state: MapState }) {
  const text = mapWords.value
  const { placement, shown, state } = props
  const { layers, unlinked, upward } = placement.layering
  const moduleOf = new Map(shown.modules.map((one) => [one.id, one]))
  const most = Math.max(1, ...shown.modules.map((one) => one.dependents.files))
  const pointUp = new Set([...upward].map((key) => key.slice(0, key.indexOf('\n'))))
  const groups = [
    ...layers.map((ids, at) => ({
      title: text.layer(at + 1),
      role: at === 0 ? text.top : at === layers.length - 1 ? text.bottom : '',
      ids,
    })),
    ...(unlinked.length === 0 ? [] : [{ title: text.layer(0), role: '', ids: unlinked }]),
  ]
  return (
    <ol class="maplist" data-rows="modules">
      {groups.map(({ title, role, ids }) => (
        <li key={title}>
          <h2>
            {title} <span class="faint">{role}</span>
          </h2>
          <ul>
            {ids.map((id) => {
              const module = moduleOf.get(id)
              return module === undefined ? null : (
                <Row key={id} module={module} most={most} state={state} isUp={pointUp.has(id)} />
              )
            })}
          </ul>
        </li>
      ))}
    </ol>
  )
}

function Row({ module, most, state, isUp }: { module: MapModule; most: number; state: MapState; isUp: boolean }) {
  const text = mapWords.value
  const { id, label, files, dependents } = module
  return (
    <li class={id === state.chosen ? 'on' : undefined}>
      <InPlaceLink
        to={mapHref({ ...state, chosen: id, isIsolated: state.isIsolated && id === state.chosen })}
        isRow
        isCurrent={id === state.chosen}
      >
        <FileName name={label} title={id} />
        <span class="faint small">{text.files(files)}</span>
        <Meter part={dependents.files} of={most} />
        <span class="small num">
          {grouped(dependents.files)}
          <span class="vh"> {text.elsewhere}</span>
        </span>
        {isUp ? <span class="tag bad">{text.upMark}</span> : null}
      </InPlaceLink>
    </li>
  )
}
