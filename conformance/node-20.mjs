/** Preloaded with `--import`: lets the suite's runner start on a Node whose `fs` has no `globSync` yet. */
import fs from 'node:fs'
import { register } from 'node:module'

if (!('globSync' in fs)) register('./node-20-hooks.mjs', import.meta.url)
