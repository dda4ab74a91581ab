/** A new session and its first prompt in one go. */
import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { ModelRef } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { goTo } from '../router.ts'
import { catalogueOf } from '../state/catalogue.ts'
import { useForm } from '../state/kit.ts'
import { here } from '../state/sessions.ts'
import { folderOptions } from './folder-choice.tsx'
import { FormFrame } from './form-frame.tsx'
import { AgentPicker, ModelPicker } from './pickers.tsx'
import { SandboxLine } from './sandbox-tag.tsx'

const elsewhere = ':'
/** Longer than any system takes one. */
const pathCharactersMax = 8_192

interface Task {
  readonly text: string
  readonly picked: string | undefined
  readonly folder: string
  readonly agent: string
  readonly model: ModelRef | undefined
  readonly inWorkTree: boolean
}

export function NewTask() {
  const say = homeWords.value.task
  const form = useForm<Task>({
    text: '',
    picked: undefined,
    folder: '',
    agent: '',
    model: undefined,
    inWorkTree: false,
  })
  const { agent, model, inWorkTree } = form.values
  const text = form.values.text.trim()
  const picked = form.values.picked ?? here.value?.directory
  const folder = picked === elsewhere ? form.values.folder.trim() : picked
  const catalogue = picked === elsewhere || folder === undefined ? undefined : catalogueOf(folder)

  async function begin() {
    const created = await routes.create({
      // Who is quicker than the answer that names the folder means the server's own.
      ...(folder === undefined ? {} : { location: { directory: folder } }),
      ...(inWorkTree ? { worktree: true } : {}),
      ...(agent === '' ? {} : { agent }),
      ...(model === undefined ? {} : { model }),
    })
    const sent = created.ok ? await routes.prompt(created.value.data.id, text, 'queue') : created
    return sent.ok ? created : sent
  }

  return (
    <section class="panel new-task">
      <header>
        <h2>{say.title}</h2>
        <kbd class="end wide-only">N</kbd>
      </header>
      <FormFrame
        form={form}
        class="body"
        look="panel"
        isRight={text !== '' && folder !== ''}
        rests={text === '' || folder === ''}
        send={begin}
        onSaved={({ data }) => {
          form.set({ text: '' })
          goTo(sessionHref(data.id))
        }}
        submitWords={
          <>
            <Icon name="send" />
            {say.start}
            <kbd class="wide-only">Ctrl ↵</kbd>
          </>
        }
      >
        <label class="vh" for="task">
          {say.label}
        </label>
        <textarea
          id="task"
          class="input"
          rows={4}
          placeholder={say.placeholder}
          value={form.values.text}
          onInput={({ currentTarget }) => form.set({ text: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        <SelectField
          label={say.project}
          value={picked ?? ''}
          options={[...folderOptions(), { value: elsewhere, label: say.otherProject }]}
          hint={picked === elsewhere ? undefined : picked}
          onChoose={(chosen) => form.set({ picked: chosen })}
        />
        {picked === elsewhere ? (
          <TextField
            label={say.folder}
            {...form.typed('folder')}
            maxLength={pathCharactersMax}
            code
            hint={say.folderHint}
          />
        ) : null}
        <div class="two-f">
          <div class="field">
            <span class="label" aria-hidden="true">
              {say.agent}
            </span>
            <AgentPicker
              catalogue={catalogue}
              value={agent}
              label={say.agent}
              usual
              onChoose={(chosen) => form.set({ agent: chosen })}
            />
          </div>
          <div class="field">
            <span class="label" aria-hidden="true">
              {say.model}
            </span>
            <ModelPicker
              catalogue={catalogue}
              value={model}
              label={say.model}
              onChoose={(chosen) => form.set({ model: chosen })}
            />
          </div>
        </div>
        <Tick {...form.ticked('inWorkTree')}>
          {say.workTree}
          <br />
          <span class="muted small">{say.workTreeHint}</span>
        </Tick>
        <SandboxLine directory={picked === elsewhere ? undefined : folder} />
        {catalogue !== undefined && catalogue.models.length === 0 ? (
          <p class="note warn">
            <Icon name="warn" /> <span>{say.noModels}</span>
          </p>
        ) : null}
      </FormFrame>
    </section>
  )
}
