import { test } from 'vitest'
import { extractFile } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources } from '../../support/link-sources.ts'

const child =
  '<script setup lang="ts">\nimport { save } from \'./store.ts\'\nfunction onClick() {\n  save()\n}\n</script>\n<template>\n  <button @click="onClick">go</button>\n</template>\n'
const parent =
  "<template>\n  <my-child :value=\"format(1)\" />\n</template>\n<script>\nimport MyChild from './child.vue'\nimport { format } from './store.ts'\nexport default { components: { MyChild } }\n</script>\n<style>.a { b: c }</style>\n"
const store = 'export function save() {}\nexport function format(value: number) { return value }\n'

test('the script of a Vue file calls, and its markup uses components and functions', ({ expect }) => {
  const edges = linkSources({ 'child.vue': child, 'parent.vue': parent, 'store.ts': store })
    .filter((edge) => edge.kind === 'calls' || edge.kind === 'references')
    .map((edge) => `${edge.from}:${edge.line} ${edge.kind} ${edge.to}`)

  expect(edges).toEqual(
    expect.arrayContaining([
      'child.vue#onClick:4 calls store.ts#save',
      'child.vue#child:8 references child.vue#onClick',
      'parent.vue#parent:2 calls child.vue#child',
      'parent.vue#parent:2 calls store.ts#format',
    ]),
  )
})

test('a Svelte file is read the same way', ({ expect }) => {
  const svelte =
    "<script lang=\"ts\">\n  import Child from './child.vue'\n  import { save } from './store.ts'\n  const run = () => save()\n</script>\n\n<Child on:click={run} />\n{#if true}<p>{save()}</p>{/if}\n"
  const edges = linkSources({ 'app.svelte': svelte, 'child.vue': child, 'store.ts': store })
    .filter((edge) => edge.from.startsWith('app.svelte') && edge.kind !== 'contains')
    .map((edge) => `${edge.from}:${edge.line} ${edge.kind} ${edge.to}`)

  expect(edges).toEqual(
    expect.arrayContaining([
      'app.svelte#run:4 calls store.ts#save',
      'app.svelte#app:7 calls child.vue#child',
      'app.svelte#app:7 references app.svelte#run',
      'app.svelte#app:8 calls store.ts#save',
    ]),
  )
})

test('lines stay where they are in the file', ({ expect }) => {
  const facts = extractFile('parent.vue', parent)

  expect(facts.imports.map((one) => [one.specifier, one.line])).toEqual([
    ['./child.vue', 5],
    ['./store.ts', 6],
  ])
  expect(facts.lines).toBe(9)
})
