/** The filter rules in their order: what each asks is changed where it stands, and tried on what turned up before it is kept. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { listenForKeys } from '#shared/pages/keys.ts'
import { Empty } from '#shared/pages/note.tsx'
import type { RuleTrial, WireCondition, WireStoredRule } from '../../contract/console-rules.ts'
import { changeRule, fetchRules, fetchRulesText, orderRules, removeRule, tryRules } from '../api/automation.ts'
import type { Answer } from '../api/call.ts'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { beside } from '../beside.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { filterFields } from '../model/rule-form.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useForm } from '../use-form.ts'
import { ConfirmRemoval } from './confirm-removal.tsx'
import type { Wider } from './feed-item-why.tsx'
import { FormFrame } from './form-frame.tsx'
import { List } from './loaded.tsx'
import { FailureNote } from './note.tsx'
import { OrderedRules } from './ordered-rules.tsx'
import { RuleTrialFigures, shareText } from './rule-trial.tsx'
import { RulesText } from './rules-text.tsx'
import { hasRoomBeside } from './side-panel.tsx'

type Conditions = readonly WireCondition[]

/** What was changed and is not stored, by the rule's number. */
interface Draft {
  readonly changed: Readonly<Record<number, Conditions>>
}

const unchanged: Draft = { changed: {} }

function withChange(rule: WireStoredRule, { changed }: Draft): WireStoredRule {
  const conditions = changed[rule.id]
  return conditions === undefined ? rule : { ...rule, rule: { ...rule.rule, conditions: [...conditions] } }
}

/** One after another; the first that is refused ends it. */
async function storeAll(rules: readonly WireStoredRule[]): Promise<Answer<unknown>> {
  for (const { id, name, enabled, rule } of rules) {
    const answer = await changeRule(id, { name, enabled, rule })
    if (!answer.ok) return answer
  }
  return { ok: true, value: undefined }
}

/** `wider` is what one of them would ask by another part of the page: it becomes a change that is not stored. */
export function FilterRules({ wider }: { wider: Signal<Wider | undefined> }) {
  const text = words.value.rules
  const rules = useResource('rules', fetchRules)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const { failure, after, removing } = useActions<WireStoredRule>(rules)
  const form = useForm(unchanged)
  const trial = useSignal<Answer<RuleTrial> | undefined>(undefined)
  const written = useSignal<string | undefined>(undefined)
  const items = rules.state.value.data?.items ?? []
  const changedRules = items.filter(({ id }) => form.values.changed[id] !== undefined)

  useEffect(
    () =>
      listenForKeys(
        () => false,
        (key) => {
          const draft = document.querySelector<HTMLFormElement>('form.dry')
          return key === '^s' && draft !== null ? () => draft.requestSubmit() : undefined
        },
      ),
    [],
  )

  function placeOf({ downloader_id: id, category, tags, save_path }: WireStoredRule['rule']['target']): string {
    const named = downloaders.state.value.data?.items.find((one) => one.id === id)?.name
    const downloader = id === 0 ? text.defaultDownloader : (named ?? `#${id}`)
    return [downloader, category, ...tags, save_path].filter((part) => part !== '').join(' · ')
  }

  async function tryAll(draft: Draft): Promise<void> {
    const asked = items.filter(({ enabled }) => enabled).map((rule) => withChange(rule, draft))
    trial.value = await tryRules(asked.map(({ id, name, rule }) => ({ id, name, rule })))
  }

  function change({ id, rule }: WireStoredRule, conditions: Conditions): void {
    const { [id]: _, ...others } = form.values.changed
    const isAsStored = JSON.stringify(conditions) === JSON.stringify(rule.conditions)
    const draft = { changed: isAsStored ? others : { ...others, [id]: conditions } }
    form.set(draft)
    void tryAll(draft)
  }

  const by = wider.value
  useEffect(() => {
    const rule = items.find(({ id }) => id === by?.id)
    if (by === undefined || rule === undefined) return
    // A sheet above the rules goes first: nothing below it moves.
    if (beside.value !== undefined && !hasRoomBeside()) beside.value = undefined
    else {
      wider.value = undefined
      change(rule, by.conditions)
      // What it would do stands there.
      scrollTo(0, 0)
    }
  }, [by, beside.value])

  function discard(): void {
    form.restart(unchanged)
    trial.value = undefined
  }

  async function write(): Promise<void> {
    const answer = await fetchRulesText()
    if (answer.ok) written.value = answer.value.text
    else await after(answer)
  }

  if (written.value !== undefined)
    return (
      <section class="sec">
        <header>
          <h2>{text.rules}</h2>
        </header>
        <RulesText
          text={written.value}
          onSaved={() => {
            written.value = undefined
            void rules.reload()
          }}
          onLeave={() => {
            written.value = undefined
          }}
        />
      </section>
    )

  const told = trial.value?.ok === true ? trial.value.value : undefined
  return (
    <>
      {changedRules.length === 0 ? (
        trial.value === undefined ? null : (
          <RuleTrialFigures trial={trial.value} />
        )
      ) : (
        <FormFrame
          form={form}
          isRight
          class="su-form dry"
          send={() => storeAll(changedRules.map((rule) => withChange(rule, form.values)))}
          onSaved={async () => {
            await rules.reload()
            discard()
          }}
          submitWords={words.value.common.save}
          beside={
            <button class="btn" type="button" onClick={discard}>
              {text.discard}
            </button>
          }
        >
          <h2>{text.notSaved(grouped(changedRules.length))}</h2>
          {trial.value === undefined ? null : <RuleTrialFigures trial={trial.value} />}
        </FormFrame>
      )}
      <section class="sec">
        <header class="head-row">
          <h2>{text.rules}</h2>
          <span class="end btns">
            {items.length === 0 ? null : (
              <button class="btn quiet" type="button" onClick={() => void tryAll(form.values)}>
                {text.tryIt}
              </button>
            )}
            <button class="btn quiet" type="button" onClick={() => void write()}>
              {text.editText}
            </button>
            <a class="btn" href="#/rules/new">
              <Icon name="plus" />
              {text.add}
            </a>
          </span>
        </header>
        <FailureNote failure={failure.value} />
        <List of={rules} skeletonRows={2} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
          {({ items: stored, left }) => (
            <OrderedRules
              items={stored}
              formHash="#/rules/"
              actionOf={({ rule }) => text.actions[rule.action]}
              placeOf={({ rule }) => (rule.action === 'take' ? placeOf(rule.target) : undefined)}
              countOf={({ id, taken }) => {
                const share = told?.rules.find((one) => one.id === id)
                return share === undefined ? text.taken(grouped(taken)) : shareText(share)
              }}
              editing={{
                fields: filterFields,
                conditionsOf: (rule) => withChange(rule, form.values).rule.conditions,
                // The form offers the fields of filter rules alone.
                onConditions: (rule, conditions) => change(rule, conditions as Conditions),
              }}
              last={
                <>
                  <b>{text.otherwise}</b>{' '}
                  <span class="faint small">{text.left(grouped(told?.tried.left ?? left))}</span>
                </>
              }
              onOrder={(ids) => void orderRules(ids).then(after)}
              onSwitch={({ id, name, enabled, rule }) =>
                void changeRule(id, { name, enabled: !enabled, rule }).then(after)
              }
              onRemove={(rule) => {
                removing.value = rule
              }}
            />
          )}
        </List>
        <ConfirmRemoval wanted={removing} text={text} remove={removeRule} after={after} />
      </section>
    </>
  )
}
