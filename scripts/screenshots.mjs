// `npm run screenshots`: pictures of every page of the console, which are checked too.
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { importSource } from './import-source.mjs'

const usage = `usage: npm run screenshots -- [FOLDER] [options]
  FOLDER        where to write the pictures. Default: screenshots in the folder of the system for temporary files
  --only NAME   one scene; may be given more than once
  --readme      only the pictures of the README, into docs/images
`

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    readme: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) process.stdout.write(usage)
else await (options.readme ? writeReadmePictures() : main())

async function main() {
  const { takeScreenshots } = await importSource(scene('screenshots.ts'))
  const folder = resolve(positionals[0] ?? `${process.env['TMPDIR'] ?? '/tmp'}/screenshots`)
  mkdirSync(folder, { recursive: true })
  const { pictures, problems } = await takeScreenshots({ folder, only: options.only })
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  process.stdout.write(`${pictures} pictures in ${folder}, ${problems.length} problems\n`)
  process.exit(problems.length === 0 ? 0 : 1)
}

async function writeReadmePictures() {
  const { takeReadmePictures } = await importSource(scene('readme-pictures.ts'))
  const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const pictures = await takeReadmePictures()
  for (const [name, { png }] of pictures) writeFileSync(`${folder}${name}.png`, png)
  const texts = Object.fromEntries([...pictures].map(([name, { text }]) => [name, text]))
  writeFileSync(`${folder}texts.json`, `${JSON.stringify(texts, undefined, 2)}\n`)
  process.exit()
}

/** @param {string} name */
function scene(name) {
  return fileURLToPath(new URL(`../packages/console/test/scenes/${name}`, import.meta.url))
}
