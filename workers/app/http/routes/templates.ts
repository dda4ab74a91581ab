import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  listTemplates,
  previewTemplate,
  resetTemplate,
  saveTemplate,
  type WireTemplateEvent,
  type WireTemplateVariable,
} from '../../contract/templates.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { mayUse } from '../../core/principal.ts'
import { templateReason } from '../../core/reason/of-fault.ts'
import { redact } from '../../core/redact.ts'
import { isBodyOnly, type TemplateEvent, type TemplateVariable } from '../../core/template-event.ts'
import {
  commonVariables,
  eventIn,
  templateEventOf,
  templateEvents,
  templateGroupTexts,
  variableIn,
} from '../../core/template-events.ts'
import { type OwnerLanguage, templateGroups } from '../../core/vocabulary.ts'
import type { StoredTemplate, TemplateTexts } from '../../ports/messages.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noEvent = failure('not_found', { kind: 'none', what: 'template' })
const builtIn: TemplateTexts = { title: '', text: '' }

export function templateRoutes(
  { templates, locale }: Pick<AppDeps, 'templates' | 'locale'>,
  events: readonly TemplateEvent[] = templateEvents,
): BoundRoute[] {
  /** With the sample data, and masked: samples are there to be looked at by whoever may read. */
  function sampleOf(
    event: TemplateEvent,
    texts: TemplateTexts,
    language: OwnerLanguage,
  ): Result<TemplateTexts, Failure> {
    const sample = templates.preview(event.type, texts, language)
    if (!sample.ok) return failWith(failure('invalid_argument', templateReason(sample.failure)))
    return succeed({ title: redact(sample.value.title), text: redact(sample.value.text) })
  }

  /** What an event is and has is documented in Chinese; its texts and samples are in the owner's language. */
  function toWireEvent(
    event: TemplateEvent,
    stored: StoredTemplate | undefined,
    maySee: boolean,
    language: OwnerLanguage,
  ): WireTemplateEvent {
    const sample = sampleOf(event, builtIn, language)
    if (!sample.ok) throw new Error(`the built-in text of ${event.type} is not right`)
    const own = eventIn(event, language)
    const { title, text } = maySee && stored !== undefined ? stored : builtIn
    return {
      type: event.type,
      group: event.group,
      name: event.name,
      desc: event.desc,
      no_title: isBodyOnly(event),
      vars: own.vars.map(toWireVariable),
      sample_title: sample.value.title,
      sample_text: sample.value.text,
      title,
      text,
      customized: stored !== undefined,
      updated_at: stored?.updatedAtUnix ?? 0,
      builtin_title: redact(own.title),
      builtin_text: redact(own.text),
    }
  }

  return [
    bind(listTemplates, async ({ principal }) => {
      const [stored, { language }] = await Promise.all([templates.stored(), locale.read()])
      const maySee = mayUse(principal, 'app:write')
      return succeed({
        body: {
          groups: templateGroups.map((key) => ({ key, ...templateGroupTexts[key] })),
          common_vars: commonVariables.map((one) => toWireVariable(variableIn(one, language))),
          events: events.map((event) => toWireEvent(event, stored.get(event.type), maySee, language)),
        },
      })
    }),
    bind(previewTemplate, async ({ body }) => {
      const event = templateEventOf(body.type)
      if (event === undefined) return failWith(noEvent)
      const sample = sampleOf(event, body, (await locale.read()).language)
      return sample.ok ? succeed({ body: sample.value }) : sample
    }),
    bind(saveTemplate, async ({ params, body }) => {
      const event = templateEventOf(params.type)
      if (event === undefined) return failWith(noEvent)
      if (isBodyOnly(event) && body.title !== '') return failWith(wrongField('title', { kind: 'rule.body_only' }))
      const { language } = await locale.read()
      const sample = sampleOf(event, body, language)
      if (!sample.ok) return sample
      return succeed({ body: toWireEvent(event, await templates.save(event.type, body), true, language) })
    }),
    bind(resetTemplate, async ({ params }) => {
      const event = templateEventOf(params.type)
      if (event === undefined) return failWith(noEvent)
      await templates.save(event.type, builtIn)
      return succeed({ body: { ok: true as const } })
    }),
  ]
}

function toWireVariable(variable: TemplateVariable): WireTemplateVariable {
  const { key, type, desc } = variable
  if (variable.type !== 'list') return { key, type, desc, sample: redact(String(variable.sample)) }
  return {
    key,
    type,
    desc,
    item: variable.item.map((field) => ({
      key: field.key,
      type: field.type,
      desc: field.desc,
      sample: redact(String(field.sample)),
    })),
  }
}
