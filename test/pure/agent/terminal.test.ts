import { test } from 'vitest'
import { controlFrame, defaultShell, exitCodeOf } from '../../../local/agent/core/terminal.ts'

test.for([
  [{ SHELL: '/bin/zsh' }, '/bin/zsh'],
  [{ SHELL: 'zsh' }, '/bin/sh'],
  [{ SHELL: '' }, '/bin/sh'],
  [{}, '/bin/sh'],
] as const)('the shell of %o is %s, as a login shell', ([environment, command], { expect }) => {
  expect(defaultShell(environment as Record<string, string>)).toEqual({ command, args: ['-l'] })
})

test.for([
  [{ exitCode: 0 }, 0],
  [{ exitCode: 3, signal: 0 }, 3],
  [{ exitCode: 0, signal: 15 }, 143],
] as const)('a program that ended as %o has the code %i', ([exit, code], { expect }) => {
  expect(exitCodeOf(exit)).toBe(code)
})

test('a control frame begins with a byte of nothing and says where the output goes on', ({ expect }) => {
  const read = (frame: Uint8Array) => [frame[0], JSON.parse(new TextDecoder().decode(frame.subarray(1)))]
  expect(read(controlFrame(7))).toEqual([0, { cursor: 7 }])
  expect(read(controlFrame(7, 5))).toEqual([0, { cursor: 7, dropped: 5 }])
})
