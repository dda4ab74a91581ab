/** A plan for the next level of a site: simulated, shown with where its figures come from, and carried out after one yes. */
import { useSignal } from '@preact/signals'
import type { IconName } from '#shared/pages/icon.tsx'
import type { WirePlanCondition, WirePlanStep, WireSitePlan } from '../../contract/site-plans.ts'
import type { Answer } from '../api/call.ts'
import { decideOnPlan, fetchSitePlan, makePlan, type PlanAnswer } from '../api/sites.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, pointsText } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { DecidedRow } from './decided-row.tsx'
import { Moment } from './figure.tsx'
import { amountText, dateText } from './level-text.ts'
import { Loaded } from './loaded.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { Section } from './section.tsx'
import { StateMark } from './state-mark.tsx'

const everyMs = 5000
const daySeconds = 86_400

const planMarks: Readonly<Record<WireSitePlan['state'], readonly [IconName, string]>> = {
  proposed: ['m-guess', 'acc'],
  running: ['m-part', 'acc'],
  reached: ['m-done', 'good'],
  stopped: ['m-off', 'faint'],
  replaced: ['m-off', 'faint'],
}
const stepMarks: Readonly<Record<WirePlanStep['state'], readonly [IconName, string]>> = {
  waiting: ['m-off', 'faint'],
  begun: ['m-part', 'acc'],
  done: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
}

function headlineOf({ level, planned_at: at, made_at: madeAt, steps }: WireSitePlan): string {
  const text = words.value.sitePlan
  if (at === undefined) return text.headlineUndated(level)
  const days = grouped(Math.ceil(Math.max(0, at - madeAt) / daySeconds))
  return steps.length === 0 ? text.headlineNothing(level, days) : text.headline(level, days, grouped(steps.length))
}

function Conditions({ list, caption }: { list: readonly WirePlanCondition[]; caption: string }) {
  const text = words.value.siteWatch
  const plan = words.value.sitePlan
  const dated = (unix: number | undefined) =>
    unix === undefined ? <span class="tag guess">{text.noDate}</span> : dateText(unix)
  return (
    <table class="fold lvl site-plan">
      <thead>
        <tr>
          <th scope="col">{caption}</th>
          <th scope="col" class="num">
            {text.have}
          </th>
          <th scope="col" class="num">
            {text.need}
          </th>
          <th scope="col" class="num">
            {plan.perDay}
          </th>
          <th scope="col" class="num">
            {text.when}
          </th>
          <th scope="col" class="num">
            {plan.withPlan}
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((one) => (
          <tr key={one.condition}>
            <th scope="row" class="name">
              {text.conditions[one.condition]}
              {one.pace_from === undefined ? null : <span class="sub faint">{plan.paceFrom[one.pace_from]}</span>}
            </th>
            <td class="num">
              {one.have === undefined ? (
                <span class="faint">{one.met === true ? '∞' : text.untold}</span>
              ) : (
                amountText(one.condition, one.have)
              )}
              {one.adds === undefined ? null : (
                <span class="sub good">{plan.adds(amountText(one.condition, one.adds))}</span>
              )}
            </td>
            <td class="num muted of">{one.need === undefined ? '—' : amountText(one.condition, one.need)}</td>
            <td class="num">
              {one.per_day === undefined ? '—' : amountText(one.condition, one.per_day)}
              {one.adds_per_day === undefined ? null : (
                <span class="sub good">{plan.adds(amountText(one.condition, one.adds_per_day))}</span>
              )}
            </td>
            <td class="num dt">{one.met === true ? text.met : dated(one.at)}</td>
            <td class="num dt">{one.met === true ? text.met : dated(one.planned_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Step({ step }: { step: WirePlanStep }) {
  const text = words.value.sitePlan
  return (
    <DecidedRow
      mark={stepMarks[step.state]}
      state={text.stepStates[step.state]}
      title={step.title}
      size={step.size}
      about={step.downloader === undefined ? text.kinds[step.kind] : `${text.kinds[step.kind]} · ${step.downloader}`}
      why={() => (
        <p class="small muted">
          {step.kind === 'seed'
            ? text.whySeed(step.downloader ?? '')
            : text.whyPush(step.free_until === undefined ? '—' : dateText(step.free_until))}{' '}
          {text.brings(
            joined(bytesAmount(step.size)),
            step.bonus_per_day === undefined ? undefined : pointsText(step.bonus_per_day),
            step.points_per_day === undefined ? undefined : pointsText(step.points_per_day),
          )}
        </p>
      )}
    >
      {step.reason === undefined ? null : (
        <p class={step.state === 'failed' ? 'small bad' : 'small faint'}>
          <ReasonWords reason={step.reason} todo />
        </p>
      )}
    </DecidedRow>
  )
}

function Plan({ plan }: { plan: WireSitePlan }) {
  const text = words.value.sitePlan
  const watch = words.value.siteWatch
  const [mark, tone] = planMarks[plan.state]
  return (
    <>
      <p class="pad">
        <StateMark mark={mark} tone={tone}>
          {text.states[plan.state]}
        </StateMark>{' '}
        <b>{headlineOf(plan)}</b>{' '}
        <span class="muted">({plan.at === undefined ? text.asNowNever : text.asNow(dateText(plan.at))})</span>
      </p>
      <Conditions list={plan.conditions} caption={watch.asksFor(plan.level)} />
      {(plan.any_of ?? []).map((list, at) => (
        <Conditions key={list.map(({ condition }) => condition).join()} list={list} caption={watch.oneOf(at + 1)} />
      ))}
      {plan.gaps.map((gap) => (
        <p class="small warn pad" key={gap}>
          {text.gaps[gap]}
        </p>
      ))}
      {plan.unread.map(({ name, reason }) => (
        <p class="small warn pad" key={name}>
          {name}: {reason === undefined ? null : <ReasonWords reason={reason} todo />}
        </p>
      ))}
      {plan.steps.length === 0 ? null : (
        <ol class="dls">
          {plan.steps.map((step) => (
            <Step key={step.info_hash ?? step.torrent_id} step={step} />
          ))}
        </ol>
      )}
      {plan.keeps.count === 0 ? null : (
        <p class="small muted pad">{text.keeps(grouped(plan.keeps.count), joined(bytesAmount(plan.keeps.size)))}</p>
      )}
      <p class="small faint pad">
        {watch.pace(plan.pace_days)} {text.figuresOf} <Moment seconds={plan.read_at} />
      </p>
    </>
  )
}

export function SitePlan({ site }: { readonly site: string }) {
  const text = words.value.sitePlan
  const shown = useResource(`plan ${site}`, (signal) => fetchSitePlan(site, signal), everyMs)
  const { act, isBusy, failure } = useActions(shown)
  const refusal = useSignal<NonNullable<WirePlanStep['reason']> | undefined>(undefined)

  async function run(ask: () => Promise<Answer<PlanAnswer | WireSitePlan>>): Promise<void> {
    const answer = await act(ask)
    refusal.value = answer?.ok && !('id' in answer.value) ? answer.value.reason : undefined
  }
  const plan = shown.state.value.data?.plan
  const isOpen = plan?.state === 'proposed'
  return (
    <Section title={text.title}>
      <p class="muted pad">{text.lead}</p>
      <FailureNote failure={failure.value} />
      {refusal.value === undefined ? null : (
        <p class="warn pad" role="alert">
          <ReasonWords reason={refusal.value} todo />
        </p>
      )}
      <Loaded of={shown} skeletonRows={1}>
        {({ plan: one }) => (one === undefined ? null : <Plan plan={one} />)}
      </Loaded>
      <div class="btns pad">
        {plan !== undefined && isOpen && plan.steps.length > 0 ? (
          <button
            class="btn primary"
            type="button"
            disabled={isBusy}
            onClick={() => run(() => decideOnPlan(site, plan.id, 'carry-out'))}
          >
            {text.carryOut(grouped(plan.steps.length))}
          </button>
        ) : null}
        {plan?.state === 'running' ? (
          <button
            class="btn"
            type="button"
            disabled={isBusy}
            onClick={() => run(() => decideOnPlan(site, plan.id, 'stop'))}
          >
            {text.stop}
          </button>
        ) : (
          <button class="btn" type="button" disabled={isBusy} onClick={() => run(() => makePlan(site))}>
            {isBusy ? text.busy : plan === undefined ? text.make : text.again}
          </button>
        )}
      </div>
    </Section>
  )
}
