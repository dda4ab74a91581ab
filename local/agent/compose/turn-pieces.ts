/**
 * What a turn is made of, in pieces of a few files each. An import holds the loop until all that it leads to is read and
 * compiled: of all at once, for longer than anybody may be kept waiting.
 */
export const turnPieces: readonly (() => Promise<unknown>)[] = [
  () => import('@ai-sdk/provider'),
  () => import('../adapters/language-model.ts'),
  () => import('../adapters/model-client.ts'),
  () => import('../runtime/compaction.ts'),
  () => import('../runtime/tools/background-tools.ts'),
  () => import('../runtime/tools/index-tools.ts'),
  () => import('../runtime/tools/memory-tools.ts'),
  () => import('../runtime/step-setup.ts'),
  () => import('../runtime/turn.ts'),
  () => import('../runtime/tools/file-tools.ts'),
  () => import('../runtime/tools/shell-tool.ts'),
  () => import('../runtime/tools/search-tools.ts'),
  () => import('../runtime/tools/web-tool.ts'),
  () => import('../runtime/tools/patch-tool.ts'),
  () => import('../runtime/tools/session-tools.ts'),
  () => import('../runtime/tools/task-tool.ts'),
]
