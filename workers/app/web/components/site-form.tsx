/** Adding and changing a site, with a try before anything is stored. */

import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { TextArea, TextField, Tick } from '#shared/pages/field.tsx'
import type { WireOwnDefinition } from '../../contract/console-definitions.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import {
  capacityGibMax,
  cookieTextCharactersMax,
  inactivityDaysMax,
  siteAddressCharactersMax,
  siteCredentialCharactersMax,
  siteDisplayNameCharactersMax,
  siteIntervalMsMax,
  siteNameCharactersMax,
  siteOverridesCharactersMax,
  siteUserAgentCharactersMax,
  utcOffsetMinutesMax,
} from '../../limits.ts'
import { addSite, changeSite, testSite } from '../api/sites.ts'
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
import { digitsOf } from '../model/typed-number.ts'
import { useForm, useTrial } from '../use-form.ts'
import { DefinitionQuestions } from './definition-questions.tsx'
import { FormFrame } from './form-frame.tsx'
import { SiteOverrideFields } from './site-override-fields.tsx'
import { TestButton, TestReport } from './test-report.tsx'
import { TriedFigures } from './tried-figures.tsx'

/** What the server calls the fields. */
const wireFields: Readonly<Record<DraftField, string>> = {
  name: 'name',
  address: 'address',
  proxy: 'proxy',
  inactivityDays: 'inactivity_days',
  remindBeforeDays: 'remind_before_days',
  capacityGib: 'capacity_gib',
  intervalMs: 'overrides.request_interval_ms',
  utcOffset: 'overrides.utc_offset_minutes',
  userAgent: 'overrides.user_agent',
  headers: 'overrides.headers',
  hosts: 'overrides.hosts',
  others: 'overrides',
}
const triedFields: readonly DraftField[] = ['address', 'proxy', 'headers', 'hosts', 'others']
const advancedFields = (Object.keys(wireFields) as DraftField[]).filter((field) => !['name', 'address'].includes(field))

export function SiteForm(props: {
  draft: SiteDraft
  stored: WireConsoleSite | undefined
  /** What the site is made from, where that is a definition of the owner's. */
  own?: WireOwnDefinition | undefined
  /** `cookie` or `overrides`: what of it is meant, from where one comes. */
  show?: string | undefined
  credential: CredentialKind
  canSignIn: boolean
  onSaved: (site: WireConsoleSite) => void | Promise<void>
}) {
  const { stored, credential } = props
  const text = words.value.siteForm
  const form = useForm(props.draft)
  /** The name follows the display name until someone writes one. */
  const isNameOwn = useSignal(props.draft.name !== '')
  const draft = form.values
  const faulty = faultyFields(draft)
  const checked = (field: DraftField) => ({
    ...form.typed(field),
    error: form.wrong(faulty.has(field), text.faults[field], wireFields[field]),
  })

  const body = testBodyOf(draft, credential, stored?.id)
  const wanted = JSON.stringify(body)
  /** What was tried last. */
  const tried = useSignal<string | undefined>(undefined)
  const trial = useTrial(form, () => {
    tried.value = wanted
    return testSite(body)
  })
  const isTriable = !triedFields.some((field) => faulty.has(field))
  const start = testBodyOf(props.draft, credential, stored?.id)
  const isOtherwise = JSON.stringify(body.overrides) !== JSON.stringify(start.overrides)
  const hasFailed =
    tried.value === wanted && !(trial.outcome !== undefined && 'result' in trial.outcome && trial.outcome.result.works)
  const advanced = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const folded = advanced.current
    if (folded === null) return
    if (props.show === 'overrides') {
      folded.open = true
      folded.scrollIntoView()
      folded.querySelector('summary')?.focus()
    }
    // The only long field that is not folded away.
    if (props.show === 'cookie') folded.closest('form')?.querySelector('textarea')?.focus()
  }, [props.show])
  const hasAdvancedFault = advancedFields.some((field) => checked(field).error !== undefined)
  return (
    <FormFrame
      form={form}
      isRight={faulty.size === 0}
      send={() => {
        const body = siteBodyOf(draft, credential)
        return stored === undefined ? addSite(body) : changeSite(stored.id, body)
      }}
      onSaved={props.onSaved}
      // How the site is asked and read is tried before it is kept; what was tried in vain is kept when that is said twice.
      before={async () =>
        !isOtherwise || tried.value === wanted || faulty.size > 0 || (await trial.run(isTriable))?.works === true
      }
      submitWords={
        isOtherwise && hasFailed
          ? text.keepAnyway
          : stored === undefined
            ? words.value.sites.add
            : words.value.common.save
      }
      beside={<TestButton form={form} of={trial} isRight={isTriable} text={text} />}
    >
      <div class="two-f">
        <TextField
          label={text.displayName}
          value={draft.displayName}
          maxLength={siteDisplayNameCharactersMax}
          onText={(value) =>
            form.set({ displayName: value, ...(isNameOwn.value ? {} : { name: suggestedName(value) }) })
          }
        />
        <TextField
          label={text.name}
          address
          {...checked('name')}
          maxLength={siteNameCharactersMax}
          onText={(value) => {
            isNameOwn.value = value !== ''
            form.set({ name: value.toLowerCase() })
          }}
          hint={text.nameHint}
        />
      </div>
      <TextField
        label={text.address}
        address
        {...checked('address')}
        maxLength={siteAddressCharactersMax}
        hint={text.addressHint}
      />
      {props.own === undefined ? null : (
        <DefinitionQuestions
          own={props.own}
          answered={stored?.answered ?? []}
          answers={draft.answers}
          choices={draft.choices}
          onAnswers={(answers) => form.set({ answers })}
          onChoices={(choices) => form.set({ choices })}
        />
      )}
      {credential === 'api_key' ? null : (
        <TextArea
          label={text.cookie}
          secret
          rows={2}
          {...form.typed('cookie')}
          maxLength={cookieTextCharactersMax}
          hint={
            stored?.has_cookie
              ? text.stored
              : credential === 'none'
                ? words.value.definitions.cookieHint
                : text.cookieHint
          }
          error={form.wrong(false, '', 'cookie')}
        />
      )}
      {credential === 'cookie' || credential === 'none' ? null : (
        <TextField
          label={text.apiKey}
          secret
          autocomplete="new-password"
          {...form.typed('apiKey')}
          maxLength={siteCredentialCharactersMax}
          hint={stored?.has_api_key ? text.stored : credential === 'either' ? text.eitherHint : text.apiKeyHint}
        />
      )}
      <div class="ticks">
        <Tick {...form.ticked('enabled')}>
          {text.enabled} <span class="faint small">{text.enabledHint}</span>
        </Tick>
        {props.canSignIn ? (
          <Tick {...form.ticked('autoSignIn')}>
            {text.autoSignIn} <span class="faint small">{text.autoSignInHint}</span>
          </Tick>
        ) : null}
      </div>
      <details class="tight" ref={advanced} open={hasAdvancedFault || undefined}>
        <summary>{text.advanced}</summary>
        <div class="three-f">
          <TextField
            label={text.inactivityDays}
            number
            {...checked('inactivityDays')}
            maxLength={digitsOf(inactivityDaysMax)}
            hint={text.inactivityHint}
          />
          <TextField
            label={text.remindBeforeDays}
            number
            {...checked('remindBeforeDays')}
            maxLength={digitsOf(inactivityDaysMax)}
            hint={text.remindHint}
          />
          <TextField
            label={text.capacity}
            number
            {...checked('capacityGib')}
            maxLength={digitsOf(capacityGibMax)}
            hint={text.capacityHint}
          />
          <TextField
            label={text.interval}
            number
            {...checked('intervalMs')}
            maxLength={digitsOf(siteIntervalMsMax)}
            hint={text.intervalHint}
          />
          <TextField
            label={text.utcOffset}
            number
            {...checked('utcOffset')}
            maxLength={digitsOf(-utcOffsetMinutesMax)}
            hint={text.utcOffsetHint}
          />
        </div>
        <TextField
          label={text.userAgent}
          {...checked('userAgent')}
          maxLength={siteUserAgentCharactersMax}
          hint={text.userAgentHint}
        />
        <SiteOverrideFields
          draft={draft}
          set={form.set}
          hasPages={draft.kind === 'nexusphp'}
          headersError={checked('headers').error}
          hostsError={checked('hosts').error}
        />
        <TextField
          label={text.proxy}
          secret
          autocomplete="new-password"
          {...checked('proxy')}
          maxLength={siteAddressCharactersMax}
          hint={stored?.proxy_host === undefined ? text.proxyHint : text.proxyStored(stored.proxy_host)}
        />
        {stored?.proxy_host === undefined ? null : (
          <div class="ticks">
            <Tick {...form.ticked('noProxy')}>{text.noProxy}</Tick>
          </div>
        )}
        <TextArea
          label={text.overrides}
          {...checked('others')}
          maxLength={siteOverridesCharactersMax}
          hint={text.overridesHint}
        />
      </details>
      <TestReport of={trial} works={({ works }) => works} text={text} tell="todo">
        {({ figures, username }) =>
          figures === undefined ? null : <TriedFigures username={username ?? ''} figures={figures} />
        }
      </TestReport>
    </FormFrame>
  )
}
