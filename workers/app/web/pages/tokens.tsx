import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireToken } from '../../contract/console.ts'
import {
  mcpPath,
  type Scope,
  scopes,
  type TokenLifetime,
  tokenLifetimes,
  torznabPrefix,
} from '../../core/vocabulary.ts'
import { tokenNameCharactersMax } from '../../limits.ts'
import { createToken, fetchTokens, revokeToken } from '../api/account.ts'
import { Options, Ticks } from '../components/field.tsx'
import { Moment } from '../components/figure.tsx'
import { FormFrame } from '../components/form-frame.tsx'
import { lastUsedColumn } from '../components/last-used.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { NameField } from '../components/name-field.tsx'
import { Section } from '../components/section.tsx'
import { ShownOnce } from '../components/shown-once.tsx'
import { AskButton, type Column, RowName, Table } from '../components/table.tsx'
import { home } from '../home.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useForm } from '../use-form.ts'

function TokenForm({
  onCreated,
  onClose,
}: {
  onCreated: (token: WireToken, text: string) => void
  onClose: () => void
}) {
  const text = words.value.tokens
  const form = useForm({ name: '', scopes: ['app:read'] as readonly Scope[], lifetime: '90d' as TokenLifetime })
  const { lifetime } = form.values
  const chosen = form.values.scopes
  const name = form.values.name.trim()
  return (
    <Dialog title={text.add} onClose={onClose}>
      <FormFrame
        form={form}
        look="dialog"
        isRight={name !== '' && chosen.length > 0}
        send={() => createToken({ name, scopes: [...chosen], lifetime })}
        onSaved={(made) => onCreated(made.token, made.text)}
        submitWords={text.create}
        onCancel={onClose}
      >
        <NameField of={form} max={tokenNameCharactersMax} hint={text.nameHint} />
        <Ticks
          legend={text.scopes}
          {...form.chosen('scopes')}
          options={scopes.map((value) => ({ value, label: text.scopeNames[value], hint: text.scopeHints[value] }))}
          error={form.wrong(chosen.length === 0, text.scopeNeeded, 'scopes')}
        />
        <Options
          legend={text.lifetime}
          {...form.chosen('lifetime')}
          options={tokenLifetimes.map((value) => ({ value, label: text.lifetimes[value] }))}
        />
      </FormFrame>
    </Dialog>
  )
}

/** Where other programs find the owner's sites. */
function Programs() {
  const text = words.value.tokens
  const address = `${home}${torznabPrefix}`
  return (
    <Section title={text.programs}>
      <p class="muted pad">{text.programsBody}</p>
      <dl class="kv">
        <dt>{text.allSites}</dt>
        <dd class="code wrap-any">{address}</dd>
        <dt>{text.oneSite}</dt>
        <dd class="code wrap-any">
          {address}/<i>{text.siteName}</i>
        </dd>
        <dt>{text.agents}</dt>
        <dd class="code wrap-any">{`${home}${mcpPath}`}</dd>
      </dl>
    </Section>
  )
}

export function TokensPage() {
  const text = words.value.tokens
  const tokens = useResource('tokens', fetchTokens)
  const adding = useSignal(false)
  const fresh = useSignal<{ name: string; secret: string } | undefined>(undefined)
  const actions = useActions<WireToken>(tokens)
  const nowSeconds = Date.now() / 1000
  const columns: readonly Column<WireToken>[] = [
    { head: words.value.common.name, td: 'name', cell: RowName },
    {
      head: text.scopes,
      td: 'scopes',
      cell: ({ scopes }) =>
        scopes.map((scope) => (
          <span class="tag" key={scope}>
            {text.scopeNames[scope]}
          </span>
        )),
    },
    { head: text.created, td: 'nowrap wide-only', cell: (token) => <Moment seconds={token.created_at} /> },
    {
      head: text.expires,
      td: 'nowrap',
      cell: ({ expires_at: end }) => (
        <>
          <span class="phone-only faint">{text.expires} </span>
          {end === undefined ? (
            <span class="muted">{text.noEnd}</span>
          ) : end <= nowSeconds ? (
            <span class="bad">{text.expired}</span>
          ) : (
            <Moment seconds={end} />
          )}
        </>
      ),
    },
    lastUsedColumn(text),
    {
      head: text.revoke,
      isSpoken: true,
      td: 'num act',
      cell: (token) => <AskButton word={text.revoke} of={token} wanted={actions.removing} danger />,
    },
  ]

  return (
    <ListScreen
      screen="tokens"
      of={tokens}
      text={text}
      add={setting(adding, true)}
      skeletonRows={4}
      actions={actions}
      remove={revokeToken}
      notes={
        fresh.value === undefined ? null : (
          <ShownOnce
            lead={text.shownOnce(fresh.value.name)}
            label={text.text}
            secret={fresh.value.secret}
            done={text.done}
            onDone={setting(fresh, undefined)}
          />
        )
      }
      beside={
        <>
          <Programs />
          {adding.value ? (
            <TokenForm
              onClose={setting(adding, false)}
              onCreated={(token, secret) => {
                adding.value = false
                fresh.value = { name: token.name, secret }
                void tokens.reload()
              }}
            />
          ) : null}
        </>
      }
    >
      {({ items }) => <Table class="tokens" columns={columns} rows={items} keyOf={({ id }) => id} />}
    </ListScreen>
  )
}
