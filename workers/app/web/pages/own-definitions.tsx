import { useSignal } from '@preact/signals'
import { TextArea, TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { into, setting } from '#shared/pages/set.ts'
import type { WireDefinitionAdded, WireOwnDefinition } from '../../contract/console-definitions.ts'
import { definitionBytesMax, feedAddressCharactersMax } from '../../limits.ts'
import type { ApiFailure } from '../api/call.ts'
import { addOwnDefinition, fetchOwnDefinitions, reloadOwnDefinition, removeOwnDefinition } from '../api/definitions.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { SiteForm } from '../components/site-form.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { ownDraft } from '../model/site-form.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { useActions } from '../use-actions.ts'

/** What came of one text, file or address. */
interface Outcome {
  readonly name: string
  readonly answer: WireDefinitionAdded | undefined
  readonly failure: ApiFailure | undefined
}

/** Those that were refused are shown, up to so many. */
const outcomesShownMax = 50

function Faults({ outcome }: { outcome: Outcome }) {
  const text = words.value.definitions
  const { answer, failure } = outcome
  if (failure !== undefined) return <FailureNote lead={text.refused(outcome.name)} failure={failure} />
  if (answer === undefined || answer.added) return null
  return (
    <>
      <Note tone="bad">
        {text.refused(outcome.name)}
        {answer.reason === undefined ? null : (
          <>
            {' '}
            <ReasonWords reason={answer.reason} />
          </>
        )}
      </Note>
      {answer.faults.length === 0 ? null : (
        <ul aria-label={text.faults}>
          {answer.faults.map((fault) => (
            <li key={`${fault.path} ${fault.rule} ${fault.detail}`}>
              <ReasonWords reason={fault.reason} /> <span class="faint small">{fault.detail}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Adding({ onAdded }: { onAdded: () => void }) {
  const text = words.value.definitions
  const source = useSignal('')
  const address = useSignal('')
  const busy = useSignal<string | undefined>(undefined)
  const outcomes = useSignal<readonly Outcome[]>([])

  async function send(name: string, body: { source: string } | { address: string }): Promise<Outcome> {
    const answer = await addOwnDefinition(body)
    return answer.ok
      ? { name: answer.value.definition?.name ?? name, answer: answer.value, failure: undefined }
      : { name, answer: undefined, failure: answer.failure }
  }

  async function one(name: string, body: { source: string } | { address: string }): Promise<boolean> {
    busy.value = text.checking
    const outcome = await send(name, body)
    outcomes.value = [outcome]
    busy.value = undefined
    onAdded()
    return outcome.answer?.added === true
  }

  async function many(chosen: FileList | null): Promise<void> {
    const files = [...(chosen ?? [])].filter(({ name }) => /\.ya?ml$/i.test(name))
    const found: Outcome[] = []
    for (const [index, file] of files.entries()) {
      busy.value = text.progress(grouped(index), grouped(files.length))
      // One that is too large is refused by the server too; it need not be read for that.
      found.push(await send(file.name, { source: await file.slice(0, definitionBytesMax + 1).text() }))
    }
    outcomes.value = found
    busy.value = undefined
    onAdded()
  }

  const added = outcomes.value.filter(({ answer }) => answer?.added === true)
  const refused = outcomes.value.filter(({ answer }) => answer?.added !== true)
  const isBusy = busy.value !== undefined
  return (
    <section class="sec">
      <form
        class="su-form pad"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (source.value.trim() === '' || isBusy) return
          void one('YAML', { source: source.value }).then((isAdded) => {
            if (isAdded) source.value = ''
          })
        }}
      >
        <TextArea label={text.source} value={source.value} onText={into(source)} maxLength={definitionBytesMax} />
        <div class="su-act">
          <span class="btns">
            <FileButton label={text.files} isBusy={isBusy} onFiles={(files) => void many(files)} />
            <FileButton label={text.folder} isFolder isBusy={isBusy} onFiles={(files) => void many(files)} />
          </span>
          <button class="btn primary" type="submit" disabled={isBusy}>
            {busy.value ?? text.check}
          </button>
        </div>
      </form>
      <form
        class="su-form pad"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (address.value.trim() === '' || isBusy) return
          void one(text.address, { address: address.value.trim() }).then((isAdded) => {
            if (isAdded) address.value = ''
          })
        }}
      >
        <TextField
          label={text.address}
          address
          value={address.value}
          onText={into(address)}
          maxLength={feedAddressCharactersMax}
          hint={text.addressHint}
        />
        <div class="su-act">
          <button class="btn" type="submit" disabled={isBusy}>
            {text.fetch}
          </button>
        </div>
      </form>
      <div class="pad" role="status">
        {added.length === 0 ? null : (
          <Note tone="good">
            {added.length === 1 ? text.added(added[0]?.name ?? '') : text.addedMany(grouped(added.length))}
          </Note>
        )}
        {refused.slice(0, outcomesShownMax).map((outcome) => (
          <Faults key={outcome.name} outcome={outcome} />
        ))}
      </div>
    </section>
  )
}

function FileButton(props: {
  label: string
  isFolder?: boolean
  isBusy: boolean
  onFiles: (files: FileList | null) => void
}) {
  return (
    <label class="btn" aria-disabled={props.isBusy}>
      {props.label}
      <input
        class="vh"
        type="file"
        multiple
        disabled={props.isBusy}
        accept=".yml,.yaml"
        {...(props.isFolder ? { webkitdirectory: true } : {})}
        onChange={(event) => {
          const input = event.currentTarget
          props.onFiles(input.files)
          // The same files can be chosen again.
          input.value = ''
        }}
      />
    </label>
  )
}

function Line({ one, onReload, onRemove }: { one: WireOwnDefinition; onReload: () => void; onRemove: () => void }) {
  const text = words.value.definitions
  const facts = [
    text.login[one.login],
    ...(one.captcha ? [text.captcha] : []),
    ...(one.sites > 0 ? [text.sites(one.sites)] : []),
    ...(one.host === '' ? [] : [text.from(one.host)]),
  ]
  return (
    <li>
      <a class="row-open grow" href={`#/sites/new?own=${encodeURIComponent(one.id)}`}>
        <b class="t">{one.name}</b>
        <span class="s">{facts.join(', ')}</span>
      </a>
      <span class="btns">
        {one.host === '' ? null : (
          <button class="btn" type="button" onClick={onReload}>
            {text.reload}
          </button>
        )}
        <button class="btn" type="button" aria-label={text.removeTitle(one.name)} onClick={onRemove}>
          {text.remove}
        </button>
      </span>
    </li>
  )
}

export function OwnDefinitionsPage() {
  const text = words.value.definitions
  const list = useResource('own-definitions', fetchOwnDefinitions)
  const { act, after, failure, removing } = useActions<WireOwnDefinition>(list)
  const reloaded = useSignal<Outcome | undefined>(undefined)
  const { data } = list.state.value

  async function reload(one: WireOwnDefinition): Promise<void> {
    const answer = await act(() => reloadOwnDefinition(one.id))
    reloaded.value = answer?.ok ? { name: one.name, answer: answer.value, failure: undefined } : undefined
  }

  return (
    <Shell screen="sites" title={text.title}>
      <a class="link back" href="#/sites/new">
        {words.value.sites.add}
      </a>
      <div class="form-column stack">
        <p class="muted">{text.lead}</p>
        <Adding onAdded={() => void list.reload()} />
        <FailureNote failure={failure.value} />
        {reloaded.value === undefined ? null : <Faults outcome={reloaded.value} />}
        <section class="sec">
          <header>
            <h2>{text.title}</h2>
            {data === undefined ? null : <span class="n">{grouped(data.items.length)}</span>}
          </header>
          <Loaded of={list} skeletonRows={3}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title={text.none} body={text.noneBody} />
              ) : (
                <ul class="rows tap choices">
                  {items.map((one) => (
                    <Line key={one.id} one={one} onReload={() => void reload(one)} onRemove={setting(removing, one)} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
      </div>
      <ConfirmRemoval
        wanted={removing}
        text={{ confirmRemove: text.removeTitle, confirmRemoveBody: text.removeBody, doRemove: text.remove }}
        remove={removeOwnDefinition}
        after={after}
      />
    </Shell>
  )
}

/** In the choice of a new site: the owner's definitions, and the way to their screen. */
export function OwnChoices() {
  const text = words.value.definitions
  const list = useResource('own-definitions', fetchOwnDefinitions)
  const { data } = list.state.value
  return (
    <section class="sec">
      <header>
        <h2>{text.ownTitle}</h2>
        {data === undefined ? null : <span class="n">{grouped(data.items.length)}</span>}
      </header>
      <ul class="rows tap choices">
        {(data?.items ?? []).map((one) => (
          <li key={one.id}>
            <a class="row-open grow" href={`#/sites/new?own=${encodeURIComponent(one.id)}`}>
              <b class="t">{one.name}</b>
              <span class="s">{text.login[one.login]}</span>
            </a>
            <Icon name="chev" />
          </li>
        ))}
        <li>
          <a class="row-open grow" href="#/sites/definitions">
            <b class="t">{text.manage}</b>
          </a>
          <Icon name="chev" />
        </li>
      </ul>
    </section>
  )
}

export function NewOwnSite({ id }: { id: string }) {
  const text = words.value.siteForm
  const list = useResource('own-definitions', fetchOwnDefinitions)
  return (
    <Shell screen="sites" title={words.value.sites.add}>
      <a class="link back" href="#/sites/new">
        {text.otherKind}
      </a>
      <div class="form-column">
        <Loaded of={list}>
          {({ items }) => {
            const own = items.find((one) => one.id === id)
            return own === undefined ? (
              <Empty title={words.value.definitions.gone} body={words.value.definitions.noneBody} />
            ) : (
              <>
                <h2 class="form-title">{own.name}</h2>
                <p class="muted">{text.lead}</p>
                <SiteForm
                  key={own.id}
                  draft={ownDraft(own, navigator.userAgent)}
                  stored={undefined}
                  own={own}
                  credential="none"
                  canSignIn={false}
                  onSaved={(site) => goTo(`#/sites/${site.id}`)}
                />
              </>
            )
          }}
        </Loaded>
      </div>
    </Shell>
  )
}
