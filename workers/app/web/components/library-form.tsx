/** Adding and changing a folder of the library. */

import { useSignal } from '@preact/signals'
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import { libraryNameCharactersMax, libraryPathBytesMax } from '../../limits.ts'
import { type ApiFailure, addLibrary, changeLibrary } from '../api-client.ts'
import { chosen, ticked, typed } from '../bind-field.ts'
import { words } from '../locales/words.ts'
import { isLibraryPath } from '../model/media-query.ts'
import { Choice, TextField, Tick } from './field.tsx'
import { FailureNote } from './note.tsx'

export function LibraryForm(props: {
  stored: WireLibrary | undefined
  /** Kinds without a folder: the first of a kind is the default, whatever is said. */
  emptyKinds: readonly LibraryBody['media_type'][]
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.library
  const kind = useSignal<LibraryBody['media_type']>(stored?.media_type ?? props.emptyKinds[0] ?? 'movie')
  const name = useSignal(stored?.name ?? '')
  const path = useSignal(stored?.path ?? '')
  const mode = useSignal<LibraryBody['mode']>(stored?.mode ?? 'move')
  const isDefault = useSignal(stored?.default ?? false)
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const nameMissing = name.value.trim() === ''
  const pathWrong = !isLibraryPath(path.value)

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (nameMissing || pathWrong || busy.value) return
    busy.value = true
    failure.value = undefined
    const body: LibraryBody = {
      name: name.value.trim(),
      media_type: kind.value,
      path: path.value.trim(),
      mode: mode.value,
      default: isDefault.value || props.emptyKinds.includes(kind.value),
    }
    const answer = stored === undefined ? await addLibrary(body) : await changeLibrary(stored.id, body)
    busy.value = false
    if (answer.ok) props.onSaved()
    else failure.value = answer.failure
  }

  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <Choice
        legend={text.kind}
        name="kind"
        {...chosen(kind)}
        options={(['movie', 'tv'] as const).map((value) => ({ value, label: text.kinds[value] }))}
      />
      <div class="two-f">
        <TextField
          label={text.name}
          {...typed(name)}
          maxLength={libraryNameCharactersMax}
          error={tried.value && nameMissing ? text.nameNeeded : undefined}
        />
        <TextField
          label={text.path}
          code
          {...typed(path)}
          maxLength={libraryPathBytesMax}
          hint={text.pathHint}
          error={tried.value && pathWrong ? text.pathNeeded : undefined}
        />
      </div>
      <Choice
        legend={text.mode}
        name="mode"
        {...chosen(mode)}
        options={(['move', 'keep'] as const).map((value) => ({
          value,
          label: text.modes[value],
          hint: text.modeHints[value],
        }))}
      />
      {props.emptyKinds.includes(kind.value) ? null : <Tick {...ticked(isDefault)}>{text.isDefault}</Tick>}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="su-act">
        <button class="btn primary" type="submit" disabled={busy.value}>
          {props.submitWords}
        </button>
      </div>
    </form>
  )
}
