import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { CreateTokenBody, WireToken } from '../../contract/console.ts'
import { tokenNameCharactersMax } from '../../limits.ts'
import { type ApiFailure, createToken, fetchTokens, revokeToken } from '../api-client.ts'
import { typed } from '../bind-field.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { TextField, Tick } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'

type TokenScope = WireToken['scopes'][number]
type Lifetime = CreateTokenBody['lifetime']
const scopeList: readonly TokenScope[] = ['app:read', 'app:write']
const lifetimes: readonly Lifetime[] = ['30d', '90d', '1y', 'never']

function TokenForm({
  onCreated,
  onClose,
}: {
  onCreated: (token: WireToken, text: string) => void
  onClose: () => void
}) {
  const text = words.value.tokens
  const name = useSignal('')
  const scopes = useSignal<readonly TokenScope[]>(['app:read'])
  const lifetime = useSignal<Lifetime>('90d')
  const tried = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const nameMissing = name.value.trim() === ''
  const scopeMissing = scopes.value.length === 0

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (nameMissing || scopeMissing || busy.value) return
    busy.value = true
    const answer = await createToken({ name: name.value.trim(), scopes: [...scopes.value], lifetime: lifetime.value })
    busy.value = false
    if (answer.ok) onCreated(answer.value.token, answer.value.text)
    else failure.value = answer.failure
  }

  return (
    <Dialog title={text.add} onClose={onClose}>
      <form class="su-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={text.name}
          {...typed(name)}
          maxLength={tokenNameCharactersMax}
          autocomplete="off"
          hint={text.nameHint}
          error={tried.value && nameMissing ? text.nameNeeded : undefined}
        />
        <fieldset class="ticks">
          <legend class="label">{text.scopes}</legend>
          {scopeList.map((scope) => (
            <Tick
              key={scope}
              checked={scopes.value.includes(scope)}
              onChange={(on) => {
                scopes.value = scopeList.filter((one) => (one === scope ? on : scopes.value.includes(one)))
              }}
            >
              {text.scopeNames[scope]} <span class="faint small">{text.scopeHints[scope]}</span>
            </Tick>
          ))}
          {tried.value && scopeMissing ? <span class="hint bad">{text.scopeNeeded}</span> : null}
        </fieldset>
        <fieldset>
          <legend class="label">{text.lifetime}</legend>
          <div class="btns">
            {lifetimes.map((one) => (
              <button
                key={one}
                class="opt"
                type="button"
                aria-pressed={one === lifetime.value}
                onClick={() => {
                  lifetime.value = one
                }}
              >
                {text.lifetimes[one]}
              </button>
            ))}
          </div>
        </fieldset>
        {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
        <div class="btns ends-right">
          <button class="btn" type="button" onClick={onClose}>
            {words.value.common.cancel}
          </button>
          <button class="btn primary" type="submit" disabled={busy.value}>
            {text.create}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

export function TokensPage() {
  const text = words.value.tokens
  const tokens = useResource('tokens', fetchTokens)
  const adding = useSignal(false)
  const fresh = useSignal<{ name: string; secret: string } | undefined>(undefined)
  const revoking = useSignal<WireToken | undefined>(undefined)
  const { failure, after } = useAfter(tokens)
  const nowSeconds = Date.now() / 1000

  const open = () => {
    adding.value = true
  }

  return (
    <Shell
      screen="tokens"
      title={words.value.screens.tokens}
      tools={
        <button class="btn primary" type="button" onClick={open}>
          <Icon name="plus" />
          {text.add}
        </button>
      }
    >
      <p class="muted lead">{text.lead}</p>
      {fresh.value === undefined ? null : (
        <ShownOnce
          lead={text.shownOnce(fresh.value.name)}
          label={text.text}
          secret={fresh.value.secret}
          done={text.done}
          onDone={() => {
            fresh.value = undefined
          }}
        />
      )}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <Loaded of={tokens} bones={4}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={text.emptyTitle} body={text.emptyBody} />
          ) : (
            <table class="fold tokens">
              <thead>
                <tr>
                  <th scope="col">{text.name}</th>
                  <th scope="col">{text.scopes}</th>
                  <th scope="col">{text.created}</th>
                  <th scope="col">{text.expires}</th>
                  <th scope="col">{text.lastUsed}</th>
                  <th scope="col">
                    <span class="vh">{text.revoke}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.items.map((token) => (
                  <tr key={token.id}>
                    <td class="name">
                      <b class="cut" title={token.name}>
                        {token.name}
                      </b>
                    </td>
                    <td class="scopes">
                      {token.scopes.map((scope) => (
                        <span class="tag" key={scope}>
                          {text.scopeNames[scope]}
                        </span>
                      ))}
                    </td>
                    <td class="nowrap wide-only">
                      <Moment seconds={token.created_at} />
                    </td>
                    <td class="nowrap">
                      <span class="phone-only faint">{text.expires} </span>
                      {token.expires_at === undefined ? (
                        <span class="muted">{text.noEnd}</span>
                      ) : token.expires_at <= nowSeconds ? (
                        <span class="bad">{text.expired}</span>
                      ) : (
                        <Moment seconds={token.expires_at} />
                      )}
                    </td>
                    <td class="nowrap">
                      <span class="phone-only faint">{text.lastUsed} </span>
                      <Moment seconds={token.last_used_at} none={text.unused} />
                    </td>
                    <td class="num act">
                      <button
                        class="btn danger quiet"
                        type="button"
                        aria-label={`${text.revoke} ${token.name}`}
                        onClick={() => {
                          revoking.value = token
                        }}
                      >
                        {text.revoke}…
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
      {adding.value ? (
        <TokenForm
          onClose={() => {
            adding.value = false
          }}
          onCreated={(token, secret) => {
            adding.value = false
            fresh.value = { name: token.name, secret }
            void tokens.reload()
          }}
        />
      ) : null}
      <ConfirmRemoval
        wanted={revoking}
        title={text.confirm}
        body={text.confirmBody}
        action={text.doRevoke}
        remove={revokeToken}
        after={after}
      />
    </Shell>
  )
}
