/** The folders that what is complete goes into. */

import { Icon } from '#shared/pages/icon.tsx'
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import { words } from '../locales/words.ts'

function bodyOf({ id: _, ...stored }: WireLibrary, change: Partial<LibraryBody>): LibraryBody {
  return { ...stored, ...change }
}

function Row(props: { library: WireLibrary; onChange: (body: LibraryBody) => void; onRemove: () => void }) {
  const { library } = props
  const text = words.value.library
  return (
    <li class="dl">
      <div class="dl-h">
        <span class="muted">
          <Icon name="folder" />
        </span>
        <b>{library.name}</b>
        <span class="faint">{text.kinds[library.media_type]}</span>
        {library.default ? <span class="tag on">{text.defaultTag}</span> : null}
      </div>
      <div class="dl-b">
        <span class="mono small faint cut">{library.path}</span>
        <span class="small faint">{text.modes[library.mode]}</span>
      </div>
      <div class="btns">
        <a class="btn" href={`#/library/${library.id}`} aria-label={`${text.edit} ${library.name}`}>
          {text.edit}
        </a>
        {library.default ? null : (
          <button class="btn quiet" type="button" onClick={() => props.onChange(bodyOf(library, { default: true }))}>
            {text.makeDefault}
          </button>
        )}
        <button
          class="btn danger quiet"
          type="button"
          aria-label={`${text.remove} ${library.name}`}
          onClick={props.onRemove}
        >
          <Icon name="trash" />
          <span class="wide-only">{text.remove}…</span>
        </button>
      </div>
    </li>
  )
}

export function LibraryFolders(props: {
  libraries: readonly WireLibrary[]
  onChange: (id: number, body: LibraryBody) => void
  onRemove: (library: WireLibrary) => void
}) {
  return (
    <ul class="dls">
      {props.libraries.map((library) => (
        <Row
          key={library.id}
          library={library}
          onChange={(body) => props.onChange(library.id, body)}
          onRemove={() => props.onRemove(library)}
        />
      ))}
    </ul>
  )
}
