/** Torrents that a person brings: magnet links, addresses and files, to one downloader at a time. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { SelectField, TextArea, TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireDownloader } from '../../contract/downloaders.ts'
import {
  magnetCharactersMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  savePathBytesMax,
} from '../../limits.ts'
import type { Answer } from '../api/call.ts'
import { addTorrent } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { pushOutcome } from '../model/push.ts'
import { type AddAnswer, base64Of, sourcesMax, type TypedSource, typedSources } from '../model/torrent-sources.ts'
import { useForm } from '../use-form.ts'
import { areLimits, LimitFields, limitsOf } from './limit-fields.tsx'
import { FailureWords } from './note.tsx'
import { OutcomeRow } from './outcome-row.tsx'
import { ReasonWords } from './reason.tsx'
import { filesWanted, TorrentFileChoice, useFileChoice } from './torrent-file-choice.tsx'

interface Added {
  readonly name: string
  readonly answer: Answer<AddAnswer>
}

function Outcome({ added: { name, answer } }: { added: Added }) {
  const text = words.value.torrent
  const outcome = pushOutcome(answer)
  return (
    <OutcomeRow outcome={outcome} title={answer.ok ? answer.value.title : name} isWhole>
      {!answer.ok ? (
        <FailureWords failure={answer.failure} />
      ) : outcome === 'skipped' ? (
        text.isThere(answer.value.downloader)
      ) : outcome === 'pushed' ? (
        text.isAdded(answer.value.downloader)
      ) : (
        <ReasonWords reason={answer.value.reason} />
      )}
    </OutcomeRow>
  )
}

export function AddTorrents(props: {
  downloaders: readonly WireDownloader[]
  /** Chosen or dropped before the dialog came. */
  files: Signal<readonly File[]>
  /** Links that came with the address of this page. */
  brought: string
  categories: readonly string[]
  onAdded: () => Promise<unknown>
  onClose: () => void
}) {
  const text = words.value.torrent
  const usual = props.downloaders.find((one) => one.default) ?? props.downloaders[0]
  const form = useForm(
    {
      sources: props.brought,
      downloader: String(usual?.id ?? ''),
      category: '',
      tags: '',
      savePath: '',
      paused: false,
      sequential: false,
      upload: '',
      download: '',
    },
    { asks: false },
  )
  const added = useSignal<readonly Added[]>([])
  const at = useSignal<readonly [number, number] | undefined>(undefined)
  const files = props.files.value
  const { sources, wrong } = typedSources(form.values.sources)
  const total = sources.length + files.length
  const choice = useFileChoice(total === 1 ? files[0] : undefined)
  const isNoneChosen = choice.value?.chosen.size === 0
  const isRight = total > 0 && total <= sourcesMax && wrong.length === 0 && !isNoneChosen && areLimits(form.values)
  const place = () => {
    const { category, tags, savePath, paused, sequential, upload, download } = form.values
    const limits = limitsOf(form.values)
    return {
      downloader_id: Number(form.values.downloader),
      ...(category.trim() === '' ? {} : { category: category.trim() }),
      ...(tags.trim() === '' ? {} : { tags: tags.trim() }),
      ...(savePath.trim() === '' ? {} : { save_path: savePath.trim() }),
      paused,
      ...(sequential ? { sequential } : {}),
      ...(upload.trim() === '' ? {} : { upload_limit: limits.upload_limit }),
      ...(download.trim() === '' ? {} : { download_limit: limits.download_limit }),
      ...filesWanted(choice.value),
    }
  }
  const submit = () =>
    form.run('add', isRight, async () => {
      const all: readonly (TypedSource | File)[] = [...sources, ...files]
      added.value = []
      const wanted = place()
      const failed: string[] = []
      const left: File[] = []
      // One after another: each changes the free space that the next one is judged by.
      for (const [index, one] of all.entries()) {
        at.value = [index + 1, all.length]
        const body = one instanceof File ? { file: base64Of(new Uint8Array(await one.arrayBuffer())) } : one.body
        const answer = await addTorrent({ ...body, ...wanted })
        added.value = [...added.value, { name: one.name, answer }]
        if (answer.ok && answer.value.success) continue
        if (one instanceof File) left.push(one)
        else failed.push(one.body.magnet ?? one.body.address ?? '')
      }
      at.value = undefined
      // What did not work stands there for another try; that nothing else does is no fault.
      form.restart({ ...form.values, sources: failed.join('\n') })
      props.files.value = left
      await props.onAdded()
    })

  return (
    <Dialog title={text.addTitle} look="wide" onClose={props.onClose}>
      <form
        class="su-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextArea
          label={text.sources}
          {...form.typed('sources')}
          rows={4}
          maxLength={magnetCharactersMax * 4}
          hint={text.sourcesHint}
          error={
            form.wrong(wrong.length > 0, text.sourcesWrong(wrong[0] ?? '')) ??
            form.wrong(total === 0, text.sourcesNeeded) ??
            form.wrong(total > sourcesMax, text.sourcesMany(grouped(sourcesMax)))
          }
        />
        <div class="btns">
          <label class="btn file-pick">
            <Icon name="file" />
            {text.chooseFiles}
            <input
              class="vh"
              type="file"
              accept=".torrent,application/x-bittorrent"
              multiple
              onChange={(event) => {
                props.files.value = [...props.files.value, ...(event.currentTarget.files ?? [])]
                event.currentTarget.value = ''
              }}
            />
          </label>
          <span class="faint small">{text.dropHint}</span>
        </div>
        {files.length === 0 ? null : (
          <ul class="rows names small">
            {files.map((file) => (
              <li key={file.name}>
                <span class="grow cut">{file.name}</span>
                <button
                  class="btn quiet icon"
                  type="button"
                  aria-label={text.leaveOut(file.name)}
                  onClick={() => {
                    props.files.value = files.filter((one) => one !== file)
                  }}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <TorrentFileChoice choice={choice} error={form.wrong(isNoneChosen, text.filesNeeded)} />
        <SelectField
          label={words.value.torrents.downloader}
          value={form.values.downloader}
          options={props.downloaders.map((one) => ({ value: String(one.id), label: one.name }))}
          onChoose={(downloader) => form.set({ downloader })}
        />
        <div class="two-f">
          <TextField
            label={words.value.torrents.category}
            {...form.typed('category')}
            maxLength={pushCategoryCharactersMax}
            choices={props.categories}
          />
          <TextField label={words.value.torrents.tags} {...form.typed('tags')} maxLength={pushTagsCharactersMax} />
        </div>
        <TextField
          label={words.value.search.savePath}
          {...form.typed('savePath')}
          maxLength={savePathBytesMax}
          hint={words.value.search.savePathHint}
        />
        <LimitFields form={form} />
        {(['paused', 'sequential'] as const).map((name) => (
          <label key={name} class="tick">
            <input
              type="checkbox"
              checked={form.values[name]}
              onChange={(event) => form.set({ [name]: event.currentTarget.checked })}
            />
            {name === 'paused' ? text.startPaused : text.inOrder}
          </label>
        ))}
        <div role="status">
          {added.value.length === 0 ? null : (
            <ul class="rows small">
              {added.value.map((one) => (
                <Outcome key={one.name} added={one} />
              ))}
            </ul>
          )}
        </div>
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={props.onClose}>
            {words.value.common.close}
          </button>
          <button class="btn primary" type="submit" aria-disabled={form.busy === undefined ? undefined : 'true'}>
            {at.value === undefined
              ? total > 1
                ? text.addSome(grouped(total))
                : text.add
              : text.adding(grouped(at.value[0]), grouped(at.value[1]))}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Files and links that are dropped on the page, wherever that is. */
export function useDropped(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (isFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (!isFiles(event)) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])].filter((file) =>
        file.name.toLowerCase().endsWith('.torrent'),
      )
      if (files.length > 0) onFiles(files)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('drop', drop)
    }
  }, [onFiles])
}
