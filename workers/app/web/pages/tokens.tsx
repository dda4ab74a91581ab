import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { CreateTokenBody, WireToken } from '../../contract/console.ts'
import { tokenNameCharactersMax } from '../../limits.ts'
import { createToken, fetchTokens, revokeToken } from '../api-client.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { Options, TextField, Ticks } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { Shell } from '../components/shell.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'
import { useForm } from '../use-form.ts'

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
  const form = useForm({ name: '', scopes: ['app:read'] as readonly TokenScope[], lifetime: '90d' as Lifetime })
  const { scopes, lifetime } = form.values
  const name = form.values.name.trim()
  return (
    <Dialog title={text.add} onClose={onClose}>
      <FormFrame
        form={form}
        look="dialog"
        isRight={name !== '' && scopes.length > 0}
        send={() => createToken({ name, scopes: [...scopes], lifetime })}
        onSaved={(made) => onCreated(made.token, made.text)}
        submitWords={text.create}
        onCancel={onClose}
      >
        <TextField
          label={text.name}
          {...form.typed('name')}
          maxLength={tokenNameCharactersMax}
          hint={text.nameHint}
          error={form.wrong(name === '', text.nameNeeded, 'name')}
        />
        <Ticks
          legend={text.scopes}
          {...form.chosen('scopes')}
          options={scopeList.map((value) => ({ value, label: text.scopeNames[value], hint: text.scopeHints[value] }))}
          error={form.wrong(scopes.length === 0, text.scopeNeeded, 'scopes')}
        />
        <Options
          legend={text.lifetime}
          {...form.chosen('lifetime')}
          options={lifetimes.map((value) => ({ value, label: text.lifetimes[value] }))}
        />
      </FormFrame>
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
