/** What the owner settles for the service as a whole, as it is stored: one shape a matter, with a value for every field. */
import { z } from '@hono/zod-openapi'

export const settingShapes = {
  /** Where the metadata provider is asked; empty for its usual addresses. Its secret is the key. */
  metadata: z.object({ apiUrl: z.string().default(''), imageUrl: z.string().default('') }),
} as const

export type SettingName = keyof typeof settingShapes
export type SettingValue<N extends SettingName> = z.output<(typeof settingShapes)[N]>
