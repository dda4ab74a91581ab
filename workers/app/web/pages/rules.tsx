/** One filter rule: added or changed. Their list stands beside the feeds. */
import type { RuleLikeBody } from '../../contract/console-rules.ts'
import { fetchRules, startRule } from '../api/automation.ts'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { FormScreen } from '../components/form-screen.tsx'
import { Loaded } from '../components/loaded.tsx'
import { RuleForm } from '../components/rule-form.tsx'
import { words } from '../locales/words.ts'
import { ruleLikeOf } from '../model/rule-like.ts'
import { useResource } from '../resource.ts'

export function RulesPage({
  form = 'new',
  query,
}: {
  readonly form?: 'new' | number
  readonly query: URLSearchParams
}) {
  const text = words.value.rules
  const like = form === 'new' ? ruleLikeOf(query) : undefined
  const start = useResource(like && `rule like ${query}`, (signal) => startRule(like as RuleLikeBody, signal))
  const rules = useResource('rules', fetchRules)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  return (
    <FormScreen screen="feeds" form={form} of={rules} listHash="#/feeds" text={text} goneBody={text.emptyBody}>
      {({ data, ...row }) => {
        const about = { rules: data.items, downloaders: downloaders.state.value.data?.items ?? [] }
        if (like === undefined) return <RuleForm {...row} {...about} />
        return <Loaded of={start}>{(begun) => <RuleForm {...row} {...about} start={begun} />}</Loaded>
      }}
    </FormScreen>
  )
}
