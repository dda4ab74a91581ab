import { z } from '@hono/zod-openapi'
import { templateGroups, templateTypes, templateVariableTypes } from '../core/vocabulary.ts'
import { templateTitleCharactersMax, templateTypeCharactersMax } from '../limits.ts'
import { declareRoute, emptyBody } from './route.ts'

const wireField = z
  .object({
    key: z.string(),
    type: z.enum(templateVariableTypes).exclude(['list']),
    desc: z.string(),
    sample: z.string().meta({ description: '示例值的文本，类似凭据的内容已遮盖' }),
  })
  .meta({ id: 'TemplateField' })

const wireVariable = z
  .object({
    key: z.string(),
    type: z.enum(templateVariableTypes),
    desc: z.string(),
    sample: z.string().optional().meta({ description: '示例值的文本；列表没有' }),
    item: z.array(wireField).optional().meta({ description: '列表每一项的字段' }),
  })
  .meta({ id: 'TemplateVariable' })
export type WireTemplateVariable = z.infer<typeof wireVariable>

const wireEvent = z
  .object({
    type: z.enum(templateTypes),
    group: z.enum(templateGroups),
    name: z.string(),
    desc: z.string(),
    no_title: z.boolean().meta({ description: '只有正文' }),
    vars: z.array(wireVariable),
    sample_title: z.string().meta({ description: '未改动时发出的标题，用示例数据生成' }),
    sample_text: z.string().meta({ description: '未改动时发出的正文，用示例数据生成' }),
    title: z.string().meta({ description: '当前模板；空表示使用内置文本。只读调用者得到空值' }),
    text: z.string().meta({ description: '当前模板；空表示使用内置文本。只读调用者得到空值' }),
    customized: z.boolean(),
    updated_at: z.int().meta({ description: 'Unix 秒；从未改动为 0' }),
    builtin_title: z.string().meta({ description: '内置的标题模板' }),
    builtin_text: z.string().meta({ description: '内置的正文模板' }),
  })
  .meta({ id: 'TemplateEvent' })
export type WireTemplateEvent = z.infer<typeof wireEvent>

const wireTemplates = z.object({
  groups: z.array(z.object({ key: z.enum(templateGroups), name: z.string(), desc: z.string() })),
  common_vars: z.array(wireVariable),
  events: z.array(wireEvent),
})
export type WireTemplates = z.infer<typeof wireTemplates>

export const listTemplates = declareRoute({
  operationId: 'listTemplates',
  method: 'get',
  path: '/templates',
  permission: 'read',
  feature: 'templates',
  summary: '消息模板：分组、变量和每个事件的模板',
  answers: { 200: wireTemplates },
})

const texts = {
  title: z.string().max(templateTitleCharactersMax),
  /** Its bound is one of bytes; what is wrong with it is said with its line. */
  text: z.string(),
}

export const previewTemplate = declareRoute({
  operationId: 'previewTemplate',
  method: 'post',
  path: '/templates/preview',
  permission: 'read',
  feature: 'templates',
  summary: '用示例数据生成预览，不保存',
  body: z.strictObject({ type: z.string().min(1).max(templateTypeCharactersMax), ...texts }),
  answers: { 200: z.object({ title: z.string(), text: z.string() }) },
  failures: ['not_found'],
})

const templateType = z.object({ type: z.string().min(1).max(templateTypeCharactersMax) })

export const saveTemplate = declareRoute({
  operationId: 'saveTemplate',
  method: 'put',
  path: '/templates/{type}',
  permission: 'operate',
  feature: 'templates',
  summary: '保存一个事件的模板；标题和正文都为空则恢复默认',
  params: templateType,
  body: z.strictObject(texts),
  answers: { 200: wireEvent },
  failures: ['not_found'],
})

export const resetTemplate = declareRoute({
  operationId: 'resetTemplate',
  method: 'delete',
  path: '/templates/{type}',
  permission: 'operate',
  feature: 'templates',
  summary: '恢复一个事件的内置文本',
  params: templateType,
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
  failures: ['not_found'],
})
