/**
 * Tables of the App API in D1, a file a capability. Sizes are bytes and times Unix seconds unless a name says otherwise.
 * Secrets are sealed (`SecretBox`) before they reach a row; of tokens and sessions only the SHA-256 is kept, as hex.
 */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './workers/app/adapters/d1/schema/*.ts', out: './migrations' })
