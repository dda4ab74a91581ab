import { exports } from 'cloudflare:workers'
import { test } from 'vitest'

test('an address no family owns answers 404', async ({ expect }) => {
  const answer = await exports.default.fetch('http://wharf.test/api/nowhere')

  expect(answer.status).toBe(404)
})
