/** The try of a connection, before anything is stored: its button, and how it went. */
import type { ComponentChildren } from 'preact'
import { Icon } from '#shared/pages/icon.tsx'
import type { Reason } from '../../core/reason/reason.ts'
import type { Form, Trial } from '../use-form.ts'
import { FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'

export function TestButton<V extends object, R>(props: {
  form: Form<V>
  of: Trial<R>
  isRight: boolean
  text: { readonly test: string; readonly testing?: string; readonly testAgain?: string }
  quiet?: boolean
}) {
  const { form, of, text } = props
  const again = of.outcome === undefined ? undefined : text.testAgain
  return (
    <button
      class={props.quiet ? 'btn quiet' : 'btn'}
      type="button"
      aria-disabled={form.busy === undefined ? undefined : 'true'}
      onClick={() => void of.run(props.isRight)}
    >
      {props.quiet ? null : <Icon name="refresh" />}
      {(form.busy === 'test' ? text.testing : again) ?? text.test}
    </button>
  )
}

export function TestReport<R extends { readonly reason?: Reason | undefined }>(props: {
  of: Trial<R>
  works: (result: R) => boolean
  text: { readonly testTitle: string; readonly testOk: string; readonly testFailed: string }
  /** How the reason of a failure is told. */
  tell?: 'plain' | 'todo'
  /** Beside what is said, and as further lines. */
  beside?: (result: R) => ComponentChildren
  children?: (result: R) => ComponentChildren
}) {
  const { of, text, tell } = props
  if (of.outcome === undefined) return null
  const result = 'result' in of.outcome ? of.outcome.result : undefined
  const works = result !== undefined && props.works(result)
  return (
    <section class={works ? 'sec test' : 'sec test open'} role="status">
      <header>
        <h2>{text.testTitle}</h2>
      </header>
      <ul class="rows checks">
        <li>
          <span class={works ? 'good' : 'bad'}>
            <Icon name={works ? 'm-done' : 'm-bad'} />
          </span>
          <span class="grow">
            <b>{works ? text.testOk : text.testFailed}</b>
            {works ? null : (
              <span class="s">
                {'failure' in of.outcome ? (
                  <FailureWords failure={of.outcome.failure} />
                ) : (
                  <ReasonWords reason={of.outcome.result.reason} plain={tell === 'plain'} todo={tell === 'todo'} />
                )}
              </span>
            )}
          </span>
          {result === undefined ? null : props.beside?.(result)}
        </li>
        {result === undefined ? null : props.children?.(result)}
      </ul>
    </section>
  )
}
