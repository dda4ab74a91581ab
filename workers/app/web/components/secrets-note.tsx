/** What cannot be read any more because the master key is another one, and the ways out. */
import { Fragment } from 'preact'
import { Note } from '#shared/pages/note.tsx'
import { adoptMasterKey, fetchState } from '../api/account.ts'
import { words } from '../locales/words.ts'
import { consoleState } from '../session.ts'

/** Where each of what is lost is entered or paired again. */
const lostPlaces = [
  ['downloader', '#/downloaders'],
  ['site', '#/sites'],
  ['channel', '#/channels'],
  ['service', '#/settings'],
  ['device', '#/devices'],
  ['feed', '#/feeds'],
] as const

async function goOnWithThisKey(): Promise<void> {
  const adopted = await adoptMasterKey()
  const state = adopted.ok ? await fetchState() : undefined
  if (state?.ok === true) consoleState.value = state.value
}

export function SecretsNote() {
  const secrets = consoleState.value?.secrets
  const lost = consoleState.value?.lost ?? []
  if (secrets === undefined) return null
  const text = words.value.secrets
  return (
    <div class="banner">
      <Note
        tone="bad"
        role="status"
        action={
          secrets === 'changed' ? (
            <button class="link-button" type="button" onClick={() => void goOnWithThisKey()}>
              {text.goOn}
            </button>
          ) : undefined
        }
      >
        <b>{text[secrets]} </b>
        {text.body} {text.wayOut[secrets]}
        <dl class="kv">
          {lostPlaces.map(([kind, place]) => {
            const names = lost.filter((one) => one.kind === kind).map(({ name }) => name)
            return names.length === 0 ? null : (
              <Fragment key={kind}>
                <dt>
                  <a class="link" href={place}>
                    {text.lost[kind]}
                  </a>
                </dt>
                <dd>{names.join(text.joint)}</dd>
              </Fragment>
            )
          })}
        </dl>
      </Note>
    </div>
  )
}
