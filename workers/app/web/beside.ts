/** What stands beside the screen that is shown, and goes with it. */
import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

export const beside = signal<(() => ComponentChildren) | undefined>(undefined)
