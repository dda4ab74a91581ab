/** Who a site sees: its cookie and where that came from, the browser it is told, and what the owner says of it beyond its definition. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireConsoleSite, WireSiteTrial, WireSiteUsual } from '../../contract/console-sites.ts'
import type { WireSite } from '../../contract/sites.ts'
import type { ApiFailure } from '../api/call.ts'
import { fetchCookiePush } from '../api/service.ts'
import { changeSite, fetchSiteUsual, testSite } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { grouped, pointsText } from '../model/amounts.ts'
import { changedSite } from '../model/site-form.ts'
import { labelNames, type OneOverride, overridesOf, pathNames, withoutOverride } from '../model/site-overrides.ts'
import { useResource } from '../resource.ts'
import { Moment } from './figure.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { TriedFigures } from './tried-figures.tsx'

interface Shown {
  readonly settings: WireConsoleSite
  readonly live: WireSite | undefined
  readonly reload: () => Promise<unknown>
}

function Cookie({ settings, live }: Pick<Shown, 'settings' | 'live'>) {
  const text = words.value.site.identity
  if (!settings.has_cookie)
    return <dd>{settings.credential === 'cookie' ? <b class="warn">{text.noCookie}</b> : '—'}</dd>
  const { cookie_at: at, cookie_from: from } = settings
  const checked = live?.login.last_probe_at
  return (
    <dd>
      {at === undefined ? null : `${text.age(Math.floor((Date.now() / 1000 - at) / 86_400))}, `}
      {checked === undefined ? (
        <span class="faint">{text.untried}</span>
      ) : (
        <span class={live?.login.last_probe_status === 'ok' ? undefined : 'bad'}>
          {live?.login.last_probe_status === 'ok' ? text.worked : text.failed} <Moment seconds={checked} />
        </span>
      )}
      <span class="s">
        {from === undefined ? (
          text.originUnknown
        ) : (
          <>
            {text.origins[from]} <Moment seconds={at} />
          </>
        )}
      </span>
    </dd>
  )
}

function Renewal({ settings }: { settings: WireConsoleSite }) {
  const text = words.value.site.identity
  const push = useResource('cookie-push', fetchCookiePush)
  const isPushed = push.state.value.data?.enabled === true && settings.cookie_from !== 'pasted'
  return (
    <dd>
      {isPushed ? text.byItself : text.byHand}
      {isPushed || push.state.value.data === undefined ? null : (
        <span class="s">
          <a class="link" href="#/settings">
            {text.letBrowser}
          </a>
        </span>
      )}
    </dd>
  )
}

function agentOf({ overrides, cookie_from: from }: WireConsoleSite, usual: WireSiteUsual | undefined) {
  const own = overrides.user_agent
  if (own === undefined)
    return {
      agent: usual?.user_agent,
      why: usual?.user_agent.includes('wharf/') === false ? 'definition' : 'wharf',
    } as const
  const why = own === navigator.userAgent ? 'this' : from === undefined || from === 'pasted' ? 'own' : 'pushed'
  return { agent: own, why } as const
}

function Identity({ settings, live, usual }: Omit<Shown, 'reload'> & { usual: WireSiteUsual | undefined }) {
  const text = words.value.site.identity
  const { agent, why } = agentOf(settings, usual)
  const takesCookie = settings.credential !== 'api_key'
  const intervalMs = settings.overrides.request_interval_ms ?? usual?.request_interval_ms
  return (
    <section class="sec">
      <header>
        <h2>{text.title}</h2>
        {settings.from_file || !takesCookie ? null : (
          <span class="end">
            <a class="link" href={`#/sites/${settings.id}/edit?show=cookie`}>
              {text.replaceCookie}
            </a>
          </span>
        )}
      </header>
      <dl class="kv sd-kv">
        {takesCookie ? (
          <>
            <dt>{text.cookie}</dt>
            <Cookie settings={settings} live={live} />
          </>
        ) : null}
        {settings.has_cookie ? (
          <>
            <dt>{text.renewed}</dt>
            <Renewal settings={settings} />
          </>
        ) : null}
        {settings.has_api_key ? (
          <>
            <dt>{text.key}</dt>
            <dd>{text.keyStored}</dd>
          </>
        ) : null}
        <dt>{text.userAgent}</dt>
        <dd>
          <span class="mono small">{agent ?? '—'}</span>
          <span class="s">{text.agents[why]}</span>
        </dd>
        <dt>{text.headers}</dt>
        <dd>{usual === undefined ? '—' : usual.adds_headers ? text.addsSome : text.addsNone}</dd>
        <dt>{text.wayOut}</dt>
        <dd>{settings.proxy_host === undefined ? text.direct : text.through(settings.proxy_host)}</dd>
        <dt>{text.pace}</dt>
        <dd>
          {intervalMs === undefined
            ? '—'
            : intervalMs === 0
              ? text.noPause
              : text.interval(pointsText(intervalMs / 1000))}
          {usual?.calls === undefined ? null : `, ${text.calls(grouped(usual.calls))}`}
        </dd>
      </dl>
    </section>
  )
}

/** As the form calls it. */
function partName({ part, name }: OneOverride): string {
  const { siteForm, site } = words.value
  const label = part === 'labels' ? labelNames.find((one) => one === name) : undefined
  const path = part === 'paths' ? pathNames.find((one) => one === name) : undefined
  const what = label !== undefined ? siteForm.labels[label] : path !== undefined ? siteForm.paths[path] : name
  const whole = site.overrides.parts[part]
  return what === undefined ? whole : `${whole}, ${what}`
}

function usualText({ part, usual }: OneOverride): string {
  const text = words.value.site.overrides
  if (usual !== '') return text.usually(usual)
  // What a kind has no word for is not there without the owner's.
  return part === 'hosts' || part === 'headers' ? text.usuallyNone : text.usuallyKind
}

interface Asked {
  readonly one: OneOverride
  /** Undefined while the site is tried. */
  readonly trial: WireSiteTrial | undefined
}

function Overrides({ settings, usual, reload }: Omit<Shown, 'live'> & { usual: WireSiteUsual | undefined }) {
  const text = words.value.site.overrides
  const asked = useSignal<Asked | undefined>(undefined)
  const failure = useSignal<ApiFailure | undefined>(undefined)
  const items = overridesOf(settings.overrides, usual)

  async function ask(one: OneOverride): Promise<void> {
    if (asked.value !== undefined && asked.value.trial === undefined) return
    asked.value = { one, trial: undefined }
    failure.value = undefined
    const { kind, definition, address, id } = settings
    const overrides = withoutOverride(settings.overrides, one)
    const answer = await testSite({ kind, definition, address, overrides, id })
    asked.value = answer.ok ? { one, trial: answer.value } : undefined
    failure.value = answer.ok ? undefined : answer.failure
  }

  async function takeBack(one: OneOverride): Promise<void> {
    const change = { overrides: withoutOverride(settings.overrides, one) }
    const answer = await changeSite(settings.id, changedSite(settings, change))
    failure.value = answer.ok ? undefined : answer.failure
    asked.value = undefined
    await reload()
  }

  return (
    <section class="sec">
      <header>
        <h2>{text.title}</h2>
        {items.length === 0 ? null : <span class="n">{text.yours(grouped(items.length))}</span>}
        {settings.from_file ? null : (
          <span class="end">
            <a class="link" href={`#/sites/${settings.id}/edit?show=overrides`}>
              {text.add}
            </a>
          </span>
        )}
      </header>
      <FailureNote failure={failure.value} />
      {items.length === 0 ? (
        <p class="muted pad">{text.none}</p>
      ) : (
        <ul class="rows ovr">
          {items.map((one) => {
            const name = partName(one)
            const { trial, one: open } = asked.value ?? {}
            const isAsked = open?.part === one.part && open.name === one.name
            return (
              <li key={`${one.part} ${one.name ?? ''}`}>
                <span class="grow">
                  <span class="t">
                    {name}: <bdi>{one.own}</bdi>
                  </span>
                  <span class="s">{usualText(one)}</span>
                  {isAsked ? <Trial one={one} trial={trial} onKeep={() => void takeBack(one)} asked={asked} /> : null}
                </span>
                {settings.from_file || isAsked ? null : (
                  <button
                    class="btn quiet"
                    type="button"
                    aria-label={text.resetOne(name)}
                    onClick={() => void ask(one)}
                  >
                    {text.reset}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** How the site reads without it, before it is gone. */
function Trial(props: {
  one: OneOverride
  trial: WireSiteTrial | undefined
  asked: { value: Asked | undefined }
  onKeep: () => void
}) {
  const { trial } = props
  const text = words.value.site.overrides
  if (trial === undefined)
    return (
      <span class="s" role="status">
        {text.trying}
      </span>
    )
  return (
    <div class="tried" role="status">
      {trial.works ? (
        <p class="small">
          <Icon name="m-done" /> {text.worksWithout}
        </p>
      ) : (
        <p class="small bad">
          {text.failsWithout} <ReasonWords reason={trial.reason} todo />
        </p>
      )}
      {trial.figures === undefined ? null : (
        <ul class="rows">
          <TriedFigures username={trial.username ?? ''} figures={trial.figures} />
        </ul>
      )}
      <div class="btns">
        <button class={trial.works ? 'btn' : 'btn danger'} type="button" onClick={props.onKeep}>
          {trial.works ? text.doReset : text.doResetAnyway}
        </button>
        <button
          class="btn quiet"
          type="button"
          onClick={() => {
            props.asked.value = undefined
          }}
        >
          {text.keep}
        </button>
      </div>
    </div>
  )
}

export function SiteIdentity({ settings, live, reload }: Shown) {
  const usual = useResource(`usual ${settings.id} ${live?.user?.updated_at ?? 0}`, (signal) =>
    fetchSiteUsual(settings.id, signal),
  )
  const { data } = usual.state.value
  return (
    <>
      <Identity settings={settings} live={live} usual={data} />
      <Overrides settings={settings} usual={data} reload={reload} />
    </>
  )
}
