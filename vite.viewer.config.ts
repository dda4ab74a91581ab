import { defineConfig } from 'vite'
import { pageBuild } from './scripts/page-build.ts'

export default defineConfig(pageBuild('viewer', 4747))
