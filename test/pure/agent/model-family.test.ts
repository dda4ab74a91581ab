import { test } from 'vitest'
import { takesThoughts } from '../../../local/agent/core/model-family.ts'

test.for([
  ['deepseek-reasoner', true],
  ['deepseek/deepseek-v3.2', true],
  ['moonshotai/kimi-k2-thinking', true],
  ['glm-4.7', true],
  ['minimax-m2:free', true],
  ['gpt-5', false],
  ['qwen3-coder', false],
  ['paradigm', false],
] as const)('%s is shown its plain thoughts again: %s', ([id, isShown], { expect }) => {
  expect(takesThoughts(id)).toBe(isShown)
})
