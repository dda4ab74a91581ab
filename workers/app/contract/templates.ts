import * as z from '#shared/schema/deferred.ts'
import { templateGroups, templateTypes, templateVariableTypes } from '../core/vocabulary.ts'
import { templateTitleCharactersMax, templateTypeCharactersMax } from '../limits.ts'
import { declareRoute, emptyBody } from './route.ts'

const wireField = z
  .object({
    key: z.string(),
    type: z.enum(templateVariableTypes).exclude(['list']),
    desc: z.string(),
    sample: z.string().meta({ description: 'Text of the sample value; what looks like a credential is masked' }),
  })
  .meta({ id: 'TemplateField' })

const wireVariable = z
  .object({
    key: z.string(),
    type: z.enum(templateVariableTypes),
    desc: z.string(),
    sample: z.string().optional().meta({ description: 'Text of the sample value; a list has none' }),
    item: z.array(wireField).optional().meta({ description: 'Fields of each item of a list' }),
  })
  .meta({ id: 'TemplateVariable' })
export type WireTemplateVariable = z.infer<typeof wireVariable>

const wireEvent = z
  .object({
    type: z.enum(templateTypes),
    group: z.enum(templateGroups),
    name: z.string(),
    desc: z.string(),
    no_title: z.boolean().meta({ description: 'There is only a body' }),
    vars: z.array(wireVariable),
    sample_title: z.string().meta({ description: 'Title sent while nothing is changed, made with the sample values' }),
    sample_text: z.string().meta({ description: 'Body sent while nothing is changed, made with the sample values' }),
    title: z
      .string()
      .meta({ description: 'The template; empty for the built-in text, and for a caller who may only read' }),
    text: z
      .string()
      .meta({ description: 'The template; empty for the built-in text, and for a caller who may only read' }),
    customized: z.boolean(),
    updated_at: z.int().meta({ description: 'Unix seconds; 0 when never changed' }),
    builtin_title: z.string().meta({ description: 'The built-in template of the title' }),
    builtin_text: z.string().meta({ description: 'The built-in template of the body' }),
  })
  .meta({ id: 'TemplateEvent' })
export type WireTemplateEvent = z.infer<typeof wireEvent>

const wireTemplates = z.object({
  groups: z.array(z.object({ key: z.enum(templateGroups), name: z.string(), desc: z.string() })),
  common_vars: z.array(wireVariable),
  events: z.array(wireEvent),
})
export type WireTemplates = z.infer<typeof wireTemplates>

export const listTemplates = declareRoute('read', 'get', '/templates', {
  operationId: 'listTemplates',
  feature: 'templates',
  summary: 'Templates of notifications',
  description:
    'Groups, variables with sample values, and the template of every event. A caller who may only read gets empty templates.',
  answers: { 200: wireTemplates },
})

const texts = {
  title: z.string().max(templateTitleCharactersMax),
  /** Its bound is one of bytes; what is wrong with it is said with its line. */
  text: z.string(),
}

export const previewTemplate = declareRoute('read', 'post', '/templates/preview', {
  operationId: 'previewTemplate',
  feature: 'templates',
  summary: 'Preview a template',
  description: 'Renders what is sent with the sample values. Nothing is kept.',
  body: z.strictObject({ type: z.string().min(1).max(templateTypeCharactersMax), ...texts }),
  answers: { 200: z.object({ title: z.string(), text: z.string() }) },
  failures: ['not_found'],
})

const templateType = z.object({ type: z.string().min(1).max(templateTypeCharactersMax) })

export const saveTemplate = declareRoute('operate', 'put', '/templates/{type}', {
  operationId: 'saveTemplate',
  feature: 'templates',
  summary: 'Change the template of an event',
  description: 'Leaving both texts empty brings the built-in ones back.',
  params: templateType,
  body: z.strictObject(texts),
  answers: { 200: wireEvent },
  failures: ['not_found'],
})

export const resetTemplate = declareRoute('operate', 'delete', '/templates/{type}', {
  operationId: 'resetTemplate',
  feature: 'templates',
  summary: 'Bring the built-in template back',
  description: 'Forgets what was written for this event.',
  params: templateType,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
  failures: ['not_found'],
})
