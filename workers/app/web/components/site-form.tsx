/** Adding and changing a site, with a try before anything is stored. */

import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireConsoleSite, WireSiteTrial } from '../../contract/console-sites.ts'
import {
  siteAddressCharactersMax,
  siteCredentialCharactersMax,
  siteDisplayNameCharactersMax,
  siteNameCharactersMax,
  siteOverridesCharactersMax,
  siteUserAgentCharactersMax,
} from '../../limits.ts'
import { type ApiFailure, addSite, changeSite, testSite } from '../api-client.ts'
import { words } from '../locales/words.ts'
import {
  type CredentialKind,
  type DraftField,
  faultyFields,
  type SiteDraft,
  siteBodyOf,
  suggestedName,
  testBodyOf,
} from '../model/site-form.ts'
import { TextArea, TextField, Tick } from './field.tsx'
import { FailureNote, FailureWords } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TestReport } from './test-report.tsx'
import { TriedFigures } from './tried-figures.tsx'

type TestOutcome = { readonly result: WireSiteTrial } | { readonly failure: ApiFailure }

function SiteTestReport({ outcome }: { outcome: TestOutcome }) {
  const text = words.value.siteForm
  const works = 'result' in outcome && outcome.result.works
  return (
    <TestReport
      title={text.testTitle}
      works={works}
      said={works ? text.testOk : text.testFailed}
      reason={
        'failure' in outcome ? (
          <FailureWords failure={outcome.failure} />
        ) : (
          <ReasonWords reason={outcome.result.reason} todo />
        )
      }
    >
      {'result' in outcome && outcome.result.figures !== undefined ? (
        <TriedFigures username={outcome.result.username ?? ''} figures={outcome.result.figures} />
      ) : null}
    </TestReport>
  )
}

export function SiteForm(props: {
  draft: SiteDraft
  stored: WireConsoleSite | undefined
  credential: CredentialKind
  canSignIn: boolean
  onSaved: (site: WireConsoleSite) => void
}) {
  const { stored, credential } = props
  const text = words.value.siteForm
  const draft = useSignal(props.draft)
  /** The name follows the display name until someone writes one. */
  const isNameOwn = useSignal(props.draft.name !== '')
  const tried = useSignal(false)
  const busy = useSignal<'save' | 'test' | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const outcome = useSignal<TestOutcome | undefined>(undefined)
  const faulty = faultyFields(draft.value)

  const set = (change: Partial<SiteDraft>) => {
    draft.value = { ...draft.value, ...change }
  }
  const errorOf = (field: DraftField) => (tried.value && faulty.has(field) ? text.faults[field] : undefined)
  const bind = (field: Exclude<keyof SiteDraft, 'enabled' | 'autoSignIn' | 'noProxy' | 'kind'>) => ({
    value: draft.value[field],
    onText: (value: string) => set({ [field]: value }),
  })

  async function test(): Promise<void> {
    tried.value = true
    if (faulty.has('address') || faulty.has('proxy') || faulty.has('others') || busy.value !== undefined) return
    busy.value = 'test'
    const answer = await testSite(testBodyOf(draft.value, credential, stored?.id))
    outcome.value = answer.ok ? { result: answer.value } : { failure: answer.failure }
    busy.value = undefined
  }

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    tried.value = true
    if (faulty.size > 0 || busy.value !== undefined) return
    busy.value = 'save'
    failure.value = undefined
    const body = siteBodyOf(draft.value, credential)
    const answer = stored === undefined ? await addSite(body) : await changeSite(stored.id, body)
    busy.value = undefined
    if (answer.ok) props.onSaved(answer.value)
    else failure.value = answer.failure
  }

  const advancedFaulty = (
    [
      'proxy',
      'inactivityDays',
      'remindBeforeDays',
      'capacityGib',
      'intervalMs',
      'utcOffset',
      'userAgent',
      'others',
    ] as const
  ).some((field) => errorOf(field) !== undefined)
  return (
    <form class="su-form" autocomplete="off" onSubmit={(event) => void save(event)}>
      <div class="two-f">
        <TextField
          label={text.displayName}
          value={draft.value.displayName}
          maxLength={siteDisplayNameCharactersMax}
          onText={(value) => set({ displayName: value, ...(isNameOwn.value ? {} : { name: suggestedName(value) }) })}
        />
        <TextField
          label={text.name}
          address
          value={draft.value.name}
          maxLength={siteNameCharactersMax}
          onText={(value) => {
            isNameOwn.value = value !== ''
            set({ name: value.toLowerCase() })
          }}
          hint={text.nameHint}
          error={errorOf('name')}
        />
      </div>
      <TextField
        label={text.address}
        address
        {...bind('address')}
        maxLength={siteAddressCharactersMax}
        hint={text.addressHint}
        error={errorOf('address')}
      />
      {credential === 'api_key' ? null : (
        <TextField
          label={text.cookie}
          secret
          autocomplete="new-password"
          {...bind('cookie')}
          maxLength={siteCredentialCharactersMax}
          hint={stored?.has_cookie ? text.stored : text.cookieHint}
        />
      )}
      {credential === 'cookie' ? null : (
        <TextField
          label={text.apiKey}
          secret
          autocomplete="new-password"
          {...bind('apiKey')}
          maxLength={siteCredentialCharactersMax}
          hint={stored?.has_api_key ? text.stored : credential === 'either' ? text.eitherHint : text.apiKeyHint}
        />
      )}
      <div class="ticks">
        <Tick checked={draft.value.enabled} onChange={(on) => set({ enabled: on })}>
          {text.enabled} <span class="faint small">{text.enabledHint}</span>
        </Tick>
        {props.canSignIn ? (
          <Tick checked={draft.value.autoSignIn} onChange={(on) => set({ autoSignIn: on })}>
            {text.autoSignIn} <span class="faint small">{text.autoSignInHint}</span>
          </Tick>
        ) : null}
      </div>
      <details class="advanced" open={advancedFaulty || undefined}>
        <summary>{text.advanced}</summary>
        <div class="three-f">
          <TextField
            label={text.inactivityDays}
            number
            {...bind('inactivityDays')}
            maxLength={4}
            hint={text.inactivityHint}
            error={errorOf('inactivityDays')}
          />
          <TextField
            label={text.remindBeforeDays}
            number
            {...bind('remindBeforeDays')}
            maxLength={4}
            hint={text.remindHint}
            error={errorOf('remindBeforeDays')}
          />
          <TextField
            label={text.capacity}
            number
            {...bind('capacityGib')}
            maxLength={7}
            hint={text.capacityHint}
            error={errorOf('capacityGib')}
          />
          <TextField
            label={text.interval}
            number
            {...bind('intervalMs')}
            maxLength={5}
            hint={text.intervalHint}
            error={errorOf('intervalMs')}
          />
          <TextField
            label={text.utcOffset}
            number
            {...bind('utcOffset')}
            maxLength={4}
            hint={text.utcOffsetHint}
            error={errorOf('utcOffset')}
          />
        </div>
        {credential === 'api_key' ? null : (
          <TextField
            label={text.userAgent}
            {...bind('userAgent')}
            maxLength={siteUserAgentCharactersMax}
            hint={text.userAgentHint}
            error={errorOf('userAgent')}
          />
        )}
        <TextField
          label={text.proxy}
          secret
          autocomplete="new-password"
          {...bind('proxy')}
          maxLength={siteAddressCharactersMax}
          hint={stored?.proxy_host === undefined ? text.proxyHint : text.proxyStored(stored.proxy_host)}
          error={errorOf('proxy')}
        />
        {stored?.proxy_host === undefined ? null : (
          <div class="ticks">
            <Tick checked={draft.value.noProxy} onChange={(on) => set({ noProxy: on })}>
              {text.noProxy}
            </Tick>
          </div>
        )}
        <TextArea
          label={text.overrides}
          {...bind('others')}
          maxLength={siteOverridesCharactersMax}
          hint={text.overridesHint}
          error={errorOf('others')}
        />
      </details>
      {outcome.value === undefined ? null : <SiteTestReport outcome={outcome.value} />}
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <div class="su-act">
        <button class="btn" type="button" disabled={busy.value !== undefined} onClick={() => void test()}>
          <Icon name="refresh" />
          {busy.value === 'test' ? text.testing : outcome.value === undefined ? text.test : text.testAgain}
        </button>
        <button class="btn primary" type="submit" disabled={busy.value !== undefined}>
          {stored === undefined ? words.value.sites.add : words.value.common.save}
        </button>
      </div>
    </form>
  )
}
