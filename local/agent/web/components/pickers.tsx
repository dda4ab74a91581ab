/** Which agent and which model. An empty choice leaves it to the configuration. */
import type { ModelRef } from '../../core/session/message.ts'
import { homeWords } from '../locales/words.ts'
import type { Catalogue } from '../state/catalogue.ts'

export function AgentPicker(props: {
  catalogue: Catalogue | undefined
  value: string
  label: string
  usual: boolean
  onChoose: (agent: string) => void
}) {
  const agents = props.catalogue?.agents ?? []
  return (
    <select
      class="input sel"
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChoose(event.currentTarget.value)}
    >
      {props.usual || !agents.some(({ id }) => id === props.value) ? (
        <option value={props.usual ? '' : props.value}>{props.usual ? homeWords.value.task.usual : props.value}</option>
      ) : null}
      {agents.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  )
}

function modelKey({ providerID, id, variant }: ModelRef): string {
  return JSON.stringify([providerID, id, variant ?? ''])
}

function modelOfKey(key: string): ModelRef | undefined {
  if (key === '') return undefined
  const [providerID, id, variant] = JSON.parse(key) as [string, string, string]
  return { providerID, id, ...(variant === '' ? {} : { variant }) }
}

export function ModelPicker(props: {
  catalogue: Catalogue | undefined
  value: ModelRef | undefined
  label: string
  onChoose: (model: ModelRef) => void
}) {
  const models = (props.catalogue?.models ?? []).filter(({ enabled }) => enabled)
  const value = props.value === undefined ? '' : modelKey(props.value)
  const choices = models.flatMap(({ providerID, id, name, variants }) => [
    { key: modelKey({ providerID, id }), name },
    ...variants.map((variant) => ({
      key: modelKey({ providerID, id, variant: variant.id }),
      name: `${name}, ${variant.id}`,
    })),
  ])
  return (
    <select
      class="input sel"
      aria-label={props.label}
      value={value}
      onChange={(event) => {
        const chosen = modelOfKey(event.currentTarget.value)
        if (chosen !== undefined) props.onChoose(chosen)
      }}
    >
      {choices.some(({ key }) => key === value) ? null : (
        <option value={value}>{props.value?.id ?? homeWords.value.task.usual}</option>
      )}
      {choices.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
}
