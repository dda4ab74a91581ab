/** A new session and its first prompt in one go. */

import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { ModelRef } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { homeWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { goTo } from '../router.ts'
import { catalogueOf } from '../state/catalogue.ts'
import { folders, here } from '../state/sessions.ts'
import { useActions } from '../state/use-actions.ts'
import { AgentPicker, ModelPicker } from './pickers.tsx'
import { SandboxLine } from './sandbox-tag.tsx'
import { FailureNote } from './states.tsx'

const elsewhere = ':'

export function NewTask() {
  const say = homeWords.value.task
  const text = useSignal('')
  const chosenFolder = useSignal<string | undefined>(undefined)
  const typedFolder = useSignal('')
  const agent = useSignal('')
  const model = useSignal<ModelRef | undefined>(undefined)
  const { failure, isBusy, act } = useActions()
  const inWorkTree = useSignal(false)
  const picked = chosenFolder.value ?? here.value?.directory
  const folder = picked === elsewhere ? typedFolder.value.trim() : picked
  const catalogue = picked === elsewhere || folder === undefined ? undefined : catalogueOf(folder)

  async function start(): Promise<void> {
    const wanted = text.peek().trim()
    if (wanted === '' || folder === '') return
    const body = {
      // Who is quicker than the answer that names the folder means the server's own.
      ...(folder === undefined ? {} : { location: { directory: folder } }),
      ...(inWorkTree.peek() ? { worktree: true } : {}),
      ...(agent.peek() === '' ? {} : { agent: agent.peek() }),
      ...(model.peek() === undefined ? {} : { model: model.peek() as ModelRef }),
    }
    const begun = await act(async () => {
      const created = await routes.create(body)
      const sent = created.ok ? await routes.prompt(created.value.data.id, wanted, 'queue') : created
      return sent.ok ? created : sent
    })
    if (begun?.ok !== true) return
    text.value = ''
    goTo(sessionHref(begun.value.data.id))
  }

  return (
    <form
      class="panel new-task"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <header>
        <h2>{say.title}</h2>
        <kbd class="end wide-only">N</kbd>
      </header>
      <div class="body">
        <label class="vh" for="task">
          {say.label}
        </label>
        <textarea
          id="task"
          class="input"
          rows={4}
          placeholder={say.placeholder}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            void start()
          }}
        />
        <div class="field">
          <label for="task-project">{say.project}</label>
          <select
            id="task-project"
            class="input"
            value={picked ?? ''}
            onChange={(event) => {
              chosenFolder.value = event.currentTarget.value
            }}
          >
            {folders.value.map((directory) => (
              <option key={directory} value={directory}>
                {nameOf(directory)}
              </option>
            ))}
            <option value={elsewhere}>{say.otherProject}</option>
          </select>
          {picked === elsewhere ? null : <span class="hint mono cut">{picked}</span>}
        </div>
        {picked === elsewhere ? (
          <div class="field">
            <label for="task-folder">{say.folder}</label>
            <input
              id="task-folder"
              class="input mono"
              value={typedFolder.value}
              onInput={(event) => {
                typedFolder.value = event.currentTarget.value
              }}
            />
            <span class="hint">{say.folderHint}</span>
          </div>
        ) : null}
        <div class="two-f">
          <div class="field">
            <span class="label" aria-hidden="true">
              {say.agent}
            </span>
            <AgentPicker
              catalogue={catalogue}
              value={agent.value}
              label={say.agent}
              usual
              onChoose={(chosen) => {
                agent.value = chosen
              }}
            />
          </div>
          <div class="field">
            <span class="label" aria-hidden="true">
              {say.model}
            </span>
            <ModelPicker
              catalogue={catalogue}
              value={model.value}
              label={say.model}
              onChoose={(chosen) => {
                model.value = chosen
              }}
            />
          </div>
        </div>
        <label class="tick">
          <input
            type="checkbox"
            checked={inWorkTree.value}
            onChange={(event) => {
              inWorkTree.value = event.currentTarget.checked
            }}
          />
          <span>
            {say.workTree}
            <br />
            <span class="muted small">{say.workTreeHint}</span>
          </span>
        </label>
        <SandboxLine directory={picked === elsewhere ? undefined : folder} />
        {catalogue !== undefined && catalogue.models.length === 0 ? (
          <p class="note warn">
            <Icon name="warn" /> <span>{say.noModels}</span>
          </p>
        ) : null}
        <FailureNote failure={failure.value} />
        <div class="btns">
          <button class="btn primary" type="submit" disabled={isBusy || text.value.trim() === '' || folder === ''}>
            <Icon name="send" />
            {say.start}
            <kbd class="wide-only">Ctrl ↵</kbd>
          </button>
        </div>
      </div>
    </form>
  )
}
