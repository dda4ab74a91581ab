import { test } from 'vitest'
import { familyInstructions } from '../../../local/agent/core/model-prompts.ts'

test.for([
  ['claude-sonnet-4-5', 'with edit', 'in one step'],
  ['anthropic/claude-opus-4.7', 'with edit', 'in one step'],
  ['us.anthropic.claude-haiku-4-5-v1:0', 'with edit', 'in one step'],
  ['gpt-5.1-codex', 'with apply_patch', 'do not end with a plan'],
  ['openai/gpt-5', 'with apply_patch', 'in one step'],
  ['o3', 'with apply_patch', 'in one step'],
  ['gemini-3-pro', 'with edit', 'Never assume that a package is there'],
  ['qwen3-coder:30b', 'with edit', 'one JSON object'],
  ['deepseek/deepseek-v3.2', 'with edit', 'one call that changes something at a time'],
  ['moonshotai/kimi-k2', 'with edit', 'one JSON object'],
  ['grok-code-fast-1', 'with edit', 'one JSON object'],
] as const)('%s is told to change files %s, and %s', ([id, tool, more], { expect }) => {
  expect(familyInstructions(id)).toContain(tool)
  expect(familyInstructions(id)).toContain(more)
})

test.for(['', 'nova-pro', 'solo3', 'foo1'])('%j is told only what all are', (id, { expect }) => {
  expect(familyInstructions(id)).toBe('')
})
