import { defineConfig } from 'drizzle-kit'

export default defineConfig({ dialect: 'sqlite', schema: './workers/app/adapters/d1/schema.ts', out: './migrations' })
