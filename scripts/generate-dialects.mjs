// Writes docs/dialects.md from the tables that the bridge reads and writes with; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const { dialects } = await load('dialects/all.ts')
const { outcomeOf } = await load('read/read-entry.ts')
const { defaultPolicy } = await load('spec/policy.ts')
const { specFieldPaths } = await load('spec/spec-fields.ts')

const target = fileURLToPath(new URL('../docs/dialects.md', import.meta.url))

const heading = `# Dialects

Made by \`scripts/generate-dialects.mjs\` from the tables that configurations are read with; do not edit.

Every host has its own way of writing servers down. Each is read into one canonical definition, and \`explainConfig\` says of
every field of a file what became of it:

- **kept**: it means here what it means there, under the same name.
- **translated**: it goes on under another name, in another unit or in other words.
- **dropped**: it is left out, with a warning. Whatever is not in a table is dropped too.
- **refused**: it narrows what a server may do in a way that cannot be had here, so its server is left out. The same
  happens to a field that is not in a table and whose name sounds like that: filters, approval, switches, sandboxes.

Writing works by the same tables. What was written is read back, and whatever is not the same is reported as a loss; a server
that could do more than before is not written.`

const variables = `## Variables

A definition keeps variables in one syntax: \`\${env:NAME}\`, \`\${env:NAME:-default}\`, \`\${input:id}\`, \`\${secret:NAME}\`,
\`\${file:path}\`, \`\${context:path}\`, \`\${workspaceFolder}\`, \`\${workspaceFolderBasename}\`, \`\${configFolder}\`, \`\${userHome}\`, \`\${pathSeparator}\`, and
\`$\${\` for a literal \`\${\`. They are replaced when a server starts, once, and what they are replaced by is never looked at again.
Under the authority of a session, only inputs, secrets of the store and the calling context may be used.`

const made = `${[heading, overview(), matrix(), variables, policies(), ...dialects.map(section)].join('\n\n')}\n`
if (!process.argv.includes('--check')) writeFileSync(target, made)
else if (readFileSync(target, 'utf8') !== made) {
  process.stderr.write('docs/dialects.md is not current; run node scripts/generate-dialects.mjs\n')
  process.exit(1)
}

/** Loads a source file: built packages are bundles without these modules. */
async function load(file) {
  const path = fileURLToPath(new URL(`../packages/bridge/src/config/${file}`, import.meta.url))
  const options = { configFile: false, resolve: { conditions: ['@toolbridge/source', 'node'] } }
  const { module } = await runnerImport(path, options)
  return module
}

function overview() {
  const rows = dialects.map(({ name, title, format, root, write, preset }) => [
    title,
    `\`${name}\``,
    format.toUpperCase(),
    root.key === 'an array' ? root.key : `\`${root.key}\``,
    write === undefined ? 'read' : 'read, written',
    syntaxOf(preset),
    preset['vars.unset'] ?? defaultPolicy['vars.unset'],
  ])
  const columns = ['host', 'name', 'format', 'servers under', 'here', 'variables', 'unset variable']
  return `## Which there are\n\n${table(columns, rows)}`
}

function syntaxOf(preset) {
  const syntax = preset['vars.syntax'] ?? defaultPolicy['vars.syntax']
  return syntax.length === 0 ? 'none' : syntax.map(code).join(' ')
}

/** Canonical field by dialect: what it is called there. */
function matrix() {
  const groups = [dialects.slice(0, 6), dialects.slice(6, 13), dialects.slice(13)]
  const tables = groups.map((group) => {
    const rows = Object.entries(specFieldPaths).map(([specField, path]) => [
      code(path),
      ...group.map((dialect) => namesOf(dialect, specField)),
    ])
    return table(['field', ...group.map(({ title }) => title)], rows)
  })
  return `## Field by dialect\n\nWhat each canonical field is called; – where the dialect cannot say it.\n\n${tables.join('\n\n')}`
}

function namesOf({ fields, root }, specField) {
  const own = flat(fields).filter(
    ({ rule }) => rule.inner === undefined && rule.specFields.includes(specField),
  )
  const beside =
    root.beside?.[specField]?.split(' ').map((name) => `${code(name)} (beside the servers)`) ?? []
  const names = [...own.map(({ key }) => code(key)), ...beside]
  return names.length === 0 ? '–' : names.join(' ')
}

/** The fields of a table with those inside of groups. */
function flat(fields, before = '') {
  return Object.entries(fields).flatMap(([key, rule]) => [
    { key: before + key, rule },
    ...(rule.inner === undefined ? [] : flat(rule.inner, `${before}${key}.`)),
  ])
}

function policies() {
  const presets = dialects.filter(({ preset }) => Object.keys(preset).length > 0)
  const names = Object.keys(defaultPolicy).filter((policy) =>
    presets.some(({ preset }) => policy in preset && policy !== 'vars.syntax'),
  )
  const rows = names.map((policy) => [
    code(policy),
    shown(defaultPolicy[policy]),
    presets
      .filter(({ preset }) => policy in preset)
      .map(({ title, preset }) => `${title}: ${shown(preset[policy])}`)
      .join('; '),
  ])
  return `## Policies\n\nWhere hosts disagree about what to do, a dialect presets these, and each can be set by itself. What is said of names,\nvariables, paths, environments, results, sources, \`config.transport\`, \`config.both\` and \`stop\` is what a bridge does with the\nservers of that dialect. The rest tells what the host does and is shown by \`config explain\`: a bridge starts servers, asks,\ngates and speaks the protocol as its own options and the fields of the entry say.\n\n${table(['policy', 'default', 'differs in'], rows)}`
}

function section({ title, name, locations, fields }) {
  const rows = flat(fields).map(({ key, rule }) => [
    code(key),
    outcomeOf(key, rule),
    intoWhat(rule),
    rule.note ?? '',
  ])
  const files = locations.length === 0 ? '' : `${locations.map(locationLine).join('\n')}\n\n`
  return `## ${title} (\`${name}\`)\n\n${files}${table(['field', 'outcome', 'canonical', 'note'], rows)}`
}

function locationLine({ scope, platforms, path, variable }) {
  const on = platforms === undefined ? '' : ` on ${platforms.join(', ')}`
  const what = variable?.replaces === undefined ? 'names the file' : `stands for \`${variable.replaces}\``
  const by = variable === undefined ? '' : `; \`${variable.name}\` ${what}`
  return `- ${scope}${on}: \`${path}\`${by}`
}

function intoWhat({ specFields }) {
  return specFields.map((specField) => code(specFieldPaths[specField])).join(', ')
}

function shown(value) {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join(', ')
  return typeof value === 'object'
    ? Object.entries(value)
        .map((pair) => pair.join(' '))
        .join(', ')
    : String(value)
}

function code(text) {
  return `\`${text.replaceAll('|', '\\|')}\``
}

function table(columns, rows) {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
