/** Category and tags of all that is chosen. What they have in common stands there; what is not touched is not written. */
import { Dialog } from '#shared/pages/dialog.tsx'
import { TextField } from '#shared/pages/field.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import { pushCategoryCharactersMax, pushTagsCharactersMax } from '../../limits.ts'
import type { TorrentChange } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { useForm } from '../use-form.ts'

function common(values: readonly string[]): string {
  const [first = '', ...others] = values
  return others.every((one) => one === first) ? first : ''
}

export function TorrentLabels(props: {
  torrents: readonly WireTorrent[]
  /** How many there are, of which those may be a part. */
  count: string
  categories: readonly string[]
  onChange: (change: TorrentChange) => Promise<void>
  onClose: () => void
}) {
  const text = words.value.torrent
  const stored = {
    category: common(props.torrents.map(({ category }) => category ?? '')),
    tags: common(props.torrents.map(({ tags }) => tags ?? '')),
  }
  const form = useForm(stored, { asks: false })
  const { category, tags } = form.values
  const changes: readonly TorrentChange[] = [
    ...(category.trim() === stored.category ? [] : [{ kind: 'category', category: category.trim() } as const]),
    ...(tags.trim() === stored.tags ? [] : [{ kind: 'tags', tags: tags.trim() } as const]),
  ]
  return (
    <Dialog title={text.labelsTitle(props.count)} onClose={props.onClose}>
      <form
        class="su-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          props.onClose()
          void changes.reduce<Promise<void>>(
            (before, change) => before.then(() => props.onChange(change)),
            Promise.resolve(),
          )
        }}
      >
        <TextField
          label={words.value.torrents.category}
          {...form.typed('category')}
          maxLength={pushCategoryCharactersMax}
          choices={props.categories}
        />
        <TextField
          label={words.value.torrents.tags}
          {...form.typed('tags')}
          maxLength={pushTagsCharactersMax}
          hint={text.tagsHint}
        />
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={props.onClose}>
            {words.value.common.cancel}
          </button>
          <button class="btn primary" type="submit">
            {text.change}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
