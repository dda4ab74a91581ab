/** The folders that what is complete goes into. */

import { Icon } from '#shared/pages/icon.tsx'
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import { words } from '../locales/words.ts'
import { RowButtons } from './row-buttons.tsx'

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
      <RowButtons
        isOfFile={library.from_file}
        name={library.name}
        text={text}
        editHash={`#/library/${library.id}`}
        onDefault={library.default ? undefined : () => props.onChange(bodyOf(library, { default: true }))}
        onRemove={props.onRemove}
      />
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
