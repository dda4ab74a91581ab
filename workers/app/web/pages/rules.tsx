/** One filter rule: added or changed. Their list stands beside the feeds. */
import { fetchRules } from '../api/automation.ts'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { FormScreen } from '../components/form-screen.tsx'
import { RuleForm } from '../components/rule-form.tsx'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'

export function RulesPage({ form = 'new' }: { readonly form?: 'new' | number }) {
  const text = words.value.rules
  const rules = useResource('rules', fetchRules)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  return (
    <FormScreen screen="feeds" form={form} of={rules} listHash="#/feeds" text={text} goneBody={text.emptyBody}>
      {({ data, ...row }) => (
        <RuleForm {...row} rules={data.items} downloaders={downloaders.state.value.data?.items ?? []} />
      )}
    </FormScreen>
  )
}
