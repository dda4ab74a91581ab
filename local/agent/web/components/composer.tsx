/** Where the next prompt is written: sent at once, put in the queue, or given to the model with its next step. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { typedInto } from '#shared/pages/set.ts'
import type { Message, SessionRecord } from '../../core/session/message.ts'
import type { Delivery } from '../../core/vocabulary.ts'
import type { ApiFailure } from '../api/ask.ts'
import { routes } from '../api/routes.ts'
import { sessionWords, words } from '../locales/words.ts'
import { dollars } from '../model/amounts.ts'
import { partsOf } from '../model/attachments.ts'
import { contextTokens } from '../model/transcript.ts'
import { catalogueOf } from '../state/catalogue.ts'
import type { PromptDraft } from '../state/prompt-draft.ts'
import { AgentPicker, ModelPicker } from './pickers.tsx'
import { FileSuggestions, ImageStrip, imagesIn } from './prompt-attachments.tsx'
import { FailureNote } from './states.tsx'

const commandsShown = 6

export function Composer(props: {
  record: SessionRecord
  messages: readonly Message[]
  isRunning: boolean
  draft: PromptDraft
  onSent: () => void
}) {
  const { record, isRunning, draft } = props
  const { text } = draft
  const say = sessionWords.value.prompt
  const field = useRef<HTMLTextAreaElement>(null)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const catalogue = catalogueOf(record.location.directory)
  const last = props.messages.findLast((message) => message.type === 'assistant')
  const model = record.model ?? last?.model
  const agent = record.agent ?? last?.agent
  const limit = catalogue?.models.find((one) => one.id === model?.id && one.providerID === model.providerID)?.limit
    .context
  const used = contextTokens(props.messages)
  // What is less than a hundredth of a cent is not told as nothing.
  const cost = dollars(record.cost)
  const typed = /^\/([\w.-]*)$/.exec(text.value)?.[1]
  const commands =
    typed === undefined
      ? []
      : (catalogue?.commands ?? []).filter(({ name }) => name.startsWith(typed)).slice(0, commandsShown)

  async function send(delivery: Delivery): Promise<void> {
    const wanted = text.peek().trim()
    const { chosen, images } = draft
    if (wanted === '' && images.peek().length === 0) return
    const files = partsOf(wanted, record.location.directory, chosen.peek(), images.peek())
    const held = images.peek()
    text.value = ''
    images.value = []
    const sent = await routes.prompt(record.id, wanted, delivery, files)
    failure.value = sent.ok ? undefined : sent.failure
    // What was refused is not lost, nor is what was begun meanwhile.
    if (!sent.ok) images.value = [...held, ...images.peek()]
    if (sent.ok) {
      if (text.peek() === '' && images.peek().length === 0) draft.clear()
      props.onSent()
    } else text.value = [wanted, text.peek()].filter((part) => part !== '').join('\n')
  }
  async function choose(choice: ReturnType<typeof routes.switchAgent>): Promise<void> {
    const chosen = await choice
    failure.value = chosen.ok ? undefined : chosen.failure
  }

  return (
    <form
      class="composer"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void draft.take(imagesIn(event.dataTransfer))
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void send('queue')
      }}
    >
      <FailureNote failure={failure.value} />
      {commands.length === 0 ? null : (
        <ul class="commands" aria-label={say.commands}>
          {commands.map(({ name, description }) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => {
                  text.value = `/${name} `
                  field.current?.focus()
                }}
              >
                <code>/{name}</code> <span class="faint small cut">{words.value.about(description)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <FileSuggestions directory={record.location.directory} field={field} draft={draft} />
      <ImageStrip draft={draft} />
      <label class="vh" for="prompt">
        {say.label}
      </label>
      <textarea
        id="prompt"
        class="input"
        rows={2}
        data-prompt
        ref={field}
        placeholder={say.placeholder}
        value={text.value}
        onInput={typedInto(text)}
        onPaste={(event) => {
          const images = imagesIn(event.clipboardData)
          if (images.length === 0) return
          event.preventDefault()
          void draft.take(images)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void send('queue')
        }}
      />
      <div class="c-f">
        <span class="btns">
          <AgentPicker
            catalogue={catalogue}
            value={agent ?? ''}
            label={sessionWords.value.agent}
            usual={agent === undefined}
            onChoose={(agent) => void choose(routes.switchAgent(record.id, agent))}
          />
          <span class="wide-only">
            <ModelPicker
              catalogue={catalogue}
              value={model}
              label={sessionWords.value.model}
              onChoose={(chosen) => void choose(routes.switchModel(record.id, chosen))}
            />
          </span>
          {limit === undefined || used === 0 ? null : (
            <span class="faint small wide-only">
              {sessionWords.value.meter(Math.round((100 * used) / limit), Number(cost) > 0 ? `$${cost}` : '')}
            </span>
          )}
        </span>
        <span class="btns">
          {isRunning ? (
            <button class="btn" type="button" title={say.steerHint} onClick={() => void send('steer')}>
              {say.steer}
            </button>
          ) : null}
          <button class="btn primary" type="submit">
            <Icon name="send" />
            {isRunning ? say.queue : say.send}
            <kbd class="wide-only">Ctrl ↵</kbd>
          </button>
        </span>
      </div>
      <span class="vh">{words.value.keys.send}</span>
    </form>
  )
}
