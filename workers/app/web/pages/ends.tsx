/** When torrents come to their end: the rules, whether they are carried out, and what is due. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireStoredEndRule } from '../../contract/console-ends.ts'
import type { EndMode } from '../../core/vocabulary.ts'
import { changeEndRule, fetchEndRules, orderEndRules, removeEndRule, setEndMode } from '../api/automation.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { EndItems } from '../components/end-items.tsx'
import { EndRuleForm } from '../components/end-rule-form.tsx'
import { Choice } from '../components/field.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { AddButton } from '../components/list-screen.tsx'
import { List, Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { OrderedRules } from '../components/ordered-rules.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

export function EndsPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.ends
  const rules = useResource('end-rules', fetchEndRules)
  const { failure, after, removing } = useActions<WireStoredEndRule>(rules)
  /** What was clicked stands while the service is told of it. */
  const chosen = useSignal<EndMode | undefined>(undefined)
  if (form !== undefined)
    return (
      <FormScreen screen="ends" form={form} of={rules} listHash="#/ends" text={text} goneBody={text.emptyBody}>
        {({ data, ...row }) => <EndRuleForm {...row} rules={data.items} />}
      </FormScreen>
    )
  return (
    <Shell screen="ends" title={words.value.screens.ends} tools={<AddButton add="#/ends/new">{text.add}</AddButton>}>
      <p class="muted lead">{text.lead}</p>
      <FailureNote failure={failure.value} />
      <Loaded of={rules}>
        {({ mode }) => (
          <Choice
            legend={text.mode}
            name="mode"
            value={chosen.value ?? mode}
            options={(['off', 'dry', 'on'] as const).map((value) => ({
              value,
              label: text.modes[value],
              hint: text.modeHints[value],
            }))}
            onChoose={(wanted) => {
              chosen.value = wanted
              void setEndMode(wanted)
                .then(after)
                .finally(() => {
                  chosen.value = undefined
                })
            }}
          />
        )}
      </Loaded>
      <section class="sec">
        <header>
          <h2>{words.value.rules.rules}</h2>
        </header>
        <List
          of={rules}
          skeletonRows={2}
          empty={
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              <a class="btn" href="#/ends/new">
                <Icon name="plus" />
                {text.add}
              </a>
            </Empty>
          }
        >
          {({ items }) => (
            <OrderedRules
              items={items}
              formHash="#/ends/"
              actionOf={({ rule }) => text.actions[rule.action]}
              countOf={({ ended }) => text.ended(grouped(ended))}
              onOrder={(ids) => void orderEndRules(ids).then(after)}
              onSwitch={({ id, name, enabled, rule }) =>
                void changeEndRule(id, { name, enabled: !enabled, rule }).then(after)
              }
              onRemove={(rule) => {
                removing.value = rule
              }}
            />
          )}
        </List>
      </section>
      <EndItems />
      <ConfirmRemoval wanted={removing} text={text} remove={removeEndRule} after={after} />
    </Shell>
  )
}
