import { test } from 'vitest'
import { previewTemplate } from '../../../workers/app/adapters/template-engine.ts'
import type { TemplateEvent } from '../../../workers/app/core/template-event.ts'
import { templateEventOf } from '../../../workers/app/core/template-events.ts'
import { templateRoutes } from '../../../workers/app/http/routes/templates.ts'
import { localeOf } from '../../support/locale-of.ts'

const canary = 'S3cr3tCanary0123456789abcdefXYZ'

/** An event as somebody may write it who copies a real value into a sample or a text. */
const careless: TemplateEvent = {
  ...templateEventOf('push.done'),
  title: `cookie=${canary}`,
  text: `{{ link }} {% for item in items %}{{ item.key }}{% endfor %} Authorization: Bearer ${canary}`,
  vars: [
    { key: 'link', type: 'string', desc: 'd', sample: `https://tracker.example/dl?passkey=${canary}` },
    {
      key: 'items',
      type: 'list',
      desc: 'd',
      item: [{ key: 'key', type: 'string', desc: 'd', sample: canary }],
      more: [],
    },
  ],
}

test('a credential in a sample or a built-in text is masked wherever it would be shown', async ({ expect }) => {
  const routes = templateRoutes(
    {
      locale: localeOf('UTC'),
      templates: {
        preview: (_, texts) => previewTemplate(careless, texts),
        stored: async () => new Map(),
        save: () => Promise.reject(new Error('nothing is stored')),
        render: () => Promise.reject(new Error('nothing is sent')),
      },
    },
    [careless],
  )
  const list = routes.find(({ route }) => route.operationId === 'listTemplates')
  const principal = { kind: 'session', id: 'session', scopes: ['app:read', 'app:write'] } as const
  const answer = await list?.handle({ principal } as unknown as Parameters<typeof list.handle>[0])

  expect(JSON.stringify(answer)).not.toContain(canary)
  expect(answer).toMatchObject({
    ok: true,
    value: {
      body: {
        events: [
          {
            vars: [{ sample: 'https://tracker.example/dl' }, { item: [{ sample: '***' }] }],
            sample_title: 'cookie=***',
            sample_text: 'https://tracker.example/dl *** Authorization: ***',
          },
        ],
      },
    },
  })
})
