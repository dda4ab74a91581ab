/** Adding and changing a folder of the library. */

import { TextField, Tick } from '#shared/pages/field.tsx'
import type { LibraryBody, WireLibrary } from '../../contract/console-libraries.ts'
import { libraryNameCharactersMax, libraryPathBytesMax } from '../../limits.ts'
import { addLibrary, changeLibrary } from '../api/media.ts'
import { words } from '../locales/words.ts'
import { isLibraryPath } from '../model/media-query.ts'
import { useForm } from '../use-form.ts'
import { useKnownPlaces } from '../use-known-places.ts'
import { Choice } from './field.tsx'
import { FormFrame } from './form-frame.tsx'
import { NameField } from './name-field.tsx'

export function LibraryForm(props: {
  stored: WireLibrary | undefined
  /** Kinds without a folder: the first of a kind is the default, whatever is said. */
  emptyKinds: readonly LibraryBody['media_type'][]
  submitWords: string
  onSaved: () => void
}) {
  const { stored } = props
  const text = words.value.library
  const form = useForm({
    kind: stored?.media_type ?? props.emptyKinds[0] ?? ('movie' as LibraryBody['media_type']),
    name: stored?.name ?? '',
    path: stored?.path ?? '',
    mode: stored?.mode ?? ('move' as LibraryBody['mode']),
    isDefault: stored?.default ?? false,
  })
  const { kind, mode } = form.values
  const choicesOf = useKnownPlaces(undefined)
  const name = form.values.name.trim()
  const pathWrong = !isLibraryPath(form.values.path)
  const isFirst = props.emptyKinds.includes(kind)
  const body: LibraryBody = {
    name,
    media_type: kind,
    path: form.values.path.trim(),
    mode,
    default: form.values.isDefault || isFirst,
  }

  return (
    <FormFrame
      form={form}
      isRight={name !== '' && !pathWrong}
      send={() => (stored === undefined ? addLibrary(body) : changeLibrary(stored.id, body))}
      onSaved={props.onSaved}
      submitWords={props.submitWords}
    >
      <Choice
        legend={text.kind}
        name="kind"
        {...form.chosen('kind')}
        options={(['movie', 'tv'] as const).map((value) => ({ value, label: text.kinds[value] }))}
      />
      <div class="two-f">
        <NameField of={form} max={libraryNameCharactersMax} />
        <TextField
          label={text.path}
          code
          {...form.typed('path')}
          maxLength={libraryPathBytesMax}
          choices={choicesOf('folders')}
          hint={text.pathHint}
          error={form.wrong(pathWrong, text.pathNeeded, 'path')}
        />
      </div>
      <Choice
        legend={text.mode}
        name="mode"
        {...form.chosen('mode')}
        options={(['move', 'keep'] as const).map((value) => ({
          value,
          label: text.modes[value],
          hint: text.modeHints[value],
        }))}
      />
      {isFirst ? null : <Tick {...form.ticked('isDefault')}>{text.isDefault}</Tick>}
    </FormFrame>
  )
}
