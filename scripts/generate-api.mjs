// Generates docs/api.md from the built contract.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operations } from '../packages/api/dist/openapi.js'
import { apiPage } from './api-page.mjs'

writeFileSync(fileURLToPath(new URL('../docs/api.md', import.meta.url)), apiPage(operations))
