/** Moving what is chosen to another downloader, with its files where they are. */
import { Dialog } from '#shared/pages/dialog.tsx'
import { SelectField, TextField } from '#shared/pages/field.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import { savePathBytesMax } from '../../limits.ts'
import { beginTransfers, fetchDownloaderSettings } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { useForm } from '../use-form.ts'
import { FormFrame } from './form-frame.tsx'

export function TransferDialog(props: { torrents: readonly WireTorrent[]; onClose: () => void }) {
  const text = words.value.transfers
  const from = props.torrents[0]?.downloader_id ?? 0
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const others = (downloaders.state.value.data?.items ?? []).filter(({ id, enabled }) => enabled && id !== from)
  const form = useForm({ to: 0, here: '', there: '' }, { asks: false })
  const { to, here, there } = form.values
  const chosen = to === 0 ? (others[0]?.id ?? 0) : to
  const isHalf = (here.trim() === '') !== (there.trim() === '')
  return (
    <Dialog title={text.title(grouped(props.torrents.length))} onClose={props.onClose}>
      <FormFrame
        form={form}
        look="dialog"
        isRight={chosen !== 0 && !isHalf}
        send={() =>
          beginTransfers({
            from,
            to: chosen,
            task_ids: props.torrents.map(({ task_id }) => task_id),
            ...(here.trim() === '' ? {} : { folder: { from: here.trim(), to: there.trim() } }),
          })
        }
        onSaved={() => {
          props.onClose()
          goTo('#/transfers')
        }}
        submitWords={text.begin}
        onCancel={props.onClose}
      >
        <p class="small muted">{text.how}</p>
        {downloaders.state.value.data !== undefined && others.length === 0 ? (
          <p class="small bad">{text.noOther}</p>
        ) : (
          <SelectField
            label={text.to}
            value={String(chosen)}
            options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
            onChoose={(id) => form.set({ to: Number(id) })}
          />
        )}
        <TextField
          label={text.here}
          code
          {...form.typed('here')}
          maxLength={savePathBytesMax}
          hint={text.folderHint}
          error={form.wrong(isHalf, text.folderHalf)}
        />
        <TextField label={text.there} code {...form.typed('there')} maxLength={savePathBytesMax} />
      </FormFrame>
    </Dialog>
  )
}
