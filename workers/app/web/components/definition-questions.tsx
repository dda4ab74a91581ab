import { SelectField, TextField, Tick } from '#shared/pages/field.tsx'
import type { WireOwnDefinition } from '../../contract/console-definitions.ts'
import { siteCredentialCharactersMax } from '../../limits.ts'
import { words } from '../locales/words.ts'

/** What a definition of the owner's asks for. What is typed is a secret; what is chosen is not. */
export function DefinitionQuestions(props: {
  own: WireOwnDefinition
  answered: readonly string[]
  answers: Readonly<Record<string, string>>
  choices: Readonly<Record<string, string>>
  onAnswers: (answers: Record<string, string>) => void
  onChoices: (choices: Record<string, string>) => void
}) {
  const { own, answers, choices } = props
  const choose = (name: string, value: string) => props.onChoices({ ...choices, [name]: value })
  // A cookie has its own place in the form.
  const questions = own.questions.filter(({ name, type }) => !(name === 'cookie' && type === 'text'))
  const typed = questions.filter(({ type }) => type === 'text' || type === 'password')
  const selects = questions.filter(({ type }) => type === 'select')
  const ticks = questions.filter(({ type }) => type === 'checkbox')
  return (
    <>
      {typed.map(({ name, label, type, fallback }) => (
        <TextField
          key={name}
          label={label}
          secret={type === 'password'}
          autocomplete="new-password"
          value={answers[name] ?? ''}
          onText={(value) => props.onAnswers({ ...answers, [name]: value })}
          maxLength={siteCredentialCharactersMax}
          hint={props.answered.includes(name) ? words.value.definitions.answered : fallback}
        />
      ))}
      {selects.map(({ name, label, options = [], fallback }) => (
        <SelectField
          key={name}
          label={label}
          value={choices[name] ?? fallback}
          options={options}
          onChoose={(value) => choose(name, value)}
        />
      ))}
      {ticks.length === 0 ? null : (
        <div class="ticks">
          {ticks.map(({ name, label, fallback }) => (
            <Tick
              key={name}
              checked={(choices[name] ?? fallback).toLowerCase() === 'true'}
              onChange={(on) => choose(name, String(on))}
            >
              {label}
            </Tick>
          ))}
        </div>
      )}
    </>
  )
}
