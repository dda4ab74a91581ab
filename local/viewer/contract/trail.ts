import { z } from 'zod'
import { trailHopsMax, trailNameCharsMax, trailNoteCharsMax } from '../limits.ts'

/** A trail as a client sends it: ids only. Names and places are read from the index. */
export const trailInput = z.strictObject({
  name: z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, ' '))
    .pipe(z.string().min(1, 'a trail needs a name').max(trailNameCharsMax)),
  note: z.string().max(trailNoteCharsMax).optional(),
  hops: z
    .array(z.strictObject({ id: z.string().min(1).max(2000), dir: z.string().max(20).optional() }))
    .min(1, 'a trail needs a hop')
    .max(trailHopsMax),
})
export type TrailInput = z.infer<typeof trailInput>
