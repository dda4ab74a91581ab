/** Pages of a site for a report: made fit to be shown, looked at here, and only then saved to be sent. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireConsoleSite, WireFixture } from '../../contract/console-sites.ts'
import { makeSiteFixture } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { useActions } from '../use-actions.ts'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { Section } from './section.tsx'

/** One file, as it is attached to a report. It does not say which site it was. */
function save(kind: string, pages: NonNullable<WireFixture['pages']>): void {
  const text = JSON.stringify({ format: 'wharf-fixture-1', kind, pages }, null, 2)
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${kind}-fixture.json`
  link.click()
  URL.revokeObjectURL(address)
}

export function SiteFixture({ settings }: { readonly settings: WireConsoleSite }) {
  const text = words.value.site.fixture
  const { act, isBusy, failure } = useActions()
  const made = useSignal<WireFixture | undefined>(undefined)

  async function make(): Promise<void> {
    const answer = await act(() => makeSiteFixture(settings.id))
    made.value = answer?.ok ? answer.value : undefined
  }

  const pages = made.value?.pages
  const replaced: Readonly<Record<string, number | undefined>> = made.value?.replaced ?? {}
  return (
    <Section title={text.title}>
      <div class="su-form">
        <p class="muted">{text.lead}</p>
        <FailureNote failure={failure.value} />
        {made.value === undefined || pages !== undefined ? null : (
          <Note tone="bad" role="alert">
            <ReasonWords reason={made.value.reason} todo />
          </Note>
        )}
        {pages === undefined ? null : (
          <>
            <ul class="rows small">
              {Object.entries(text.masked).map(([what, label]) => (
                <li key={what}>
                  <span class="good">
                    <Icon name="m-done" />
                  </span>
                  <span class="grow">{label}</span>
                  <span class="muted">{grouped(replaced[what] ?? 0)}</span>
                </li>
              ))}
            </ul>
            <p role="status">
              <b>{text.look}</b>
            </p>
            {pages.map(({ page, text: content }) => (
              <details key={page}>
                <summary class="mono">{page}</summary>
                <textarea class="input mono" rows={12} readOnly spellcheck={false} aria-label={page} value={content} />
              </details>
            ))}
          </>
        )}
        <div class="btns">
          {pages === undefined ? null : (
            <button class="btn primary" type="button" onClick={() => save(settings.kind, pages)}>
              {text.save}
            </button>
          )}
          <button class="btn" type="button" disabled={isBusy} onClick={() => void make()}>
            <Icon name="refresh" />
            {isBusy ? text.making : pages === undefined ? text.make : text.again}
          </button>
        </div>
      </div>
    </Section>
  )
}
