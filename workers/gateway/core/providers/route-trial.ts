import type { GoOnReason } from './model-route.ts'

/** A step at the moment of a request, in the order in which it would be tried. */
export interface TriedStep {
  readonly isKnown: boolean
  readonly isHeldBack: boolean
  readonly isFull: boolean
  /** The request is likely to be longer than its model reads. */
  readonly isTooLong: boolean
}

type Why = 'held_back' | 'full' | 'no_model' | 'too_long'

export interface Fate {
  readonly state: 'asked' | 'reserve' | 'passed_over' | 'never'
  readonly why: Why | undefined
}

/** Where a request would lead, if every step that is asked answered. */
export function fatesOf(steps: readonly TriedStep[], goOnWhen: readonly GoOnReason[]): readonly Fate[] {
  let state: Fate['state'] = 'asked'
  return steps.map((step) => {
    const why = whyNot(step)
    const isPassed = why !== undefined && (why === 'no_model' || goOnWhen.includes(goOnOf[why]))
    if (state === 'never' || !isPassed) {
      const fate = { state, why }
      // Where the request ends with this step, nothing behind it is asked.
      if (state !== 'never') state = why !== undefined || goOnWhen.length === 0 ? 'never' : 'reserve'
      return fate
    }
    return { state: 'passed_over' as const, why }
  })
}

const goOnOf: Readonly<Record<Exclude<Why, 'no_model'>, GoOnReason>> = {
  held_back: 'failed',
  full: 'busy',
  too_long: 'too_long',
}

function whyNot({ isKnown, isHeldBack, isFull, isTooLong }: TriedStep): Why | undefined {
  if (!isKnown) return 'no_model'
  if (isHeldBack) return 'held_back'
  if (isFull) return 'full'
  return isTooLong ? 'too_long' : undefined
}
