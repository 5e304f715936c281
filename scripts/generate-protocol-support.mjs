// Writes docs/protocol-support.md from packages/client/test/requirements.ts; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const target = fileURLToPath(new URL('../docs/protocol-support.md', import.meta.url))
const source = fileURLToPath(new URL('../packages/client/test/requirements.ts', import.meta.url))

const areas = [
  ['N', 'Opening a connection'],
  ['B', 'Messages'],
  ['T', 'Standard input and output'],
  ['H', 'HTTP'],
  ['F', 'Features'],
  ['S', 'Security'],
  ['A', 'Authorization'],
]

const words = { M: 'must', S: 'should', O: 'optional', X: 'must not', '-': '' }

const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })
const made = document(module.requirements, module.revisions)
if (!process.argv.includes('--check')) writeFileSync(target, made)
else if (readFileSync(target, 'utf8') !== made) {
  process.stderr.write(
    'docs/protocol-support.md is not current; run node scripts/generate-protocol-support.mjs\n',
  )
  process.exit(1)
}

function document(requirements, revisions) {
  const sections = areas.map(([letter, title]) => {
    const rows = requirements.filter(({ id }) => id.startsWith(letter))
    return `## ${title}\n\n${table(rows, revisions)}`
  })
  return `${[heading(requirements), ...sections, gaps(requirements)].join('\n\n').trimEnd()}\n`
}

function heading(requirements) {
  const held = requirements.filter(({ status }) => status === undefined).length
  return `# What the client supports of the protocol

Made by \`scripts/generate-protocol-support.mjs\` from \`packages/client/test/requirements.ts\`; do not edit.

Each row is a behaviour that the specification asks of a client, or allows it, with its level in each revision. A row
without *planned* is proven by at least one test whose title cites its id. ${held} of ${requirements.length} rows hold; if others
are left, they are listed at the end with the reason.`
}

function table(rows, revisions) {
  const head = `| id | the client … | ${revisions.join(' | ')} |`
  const rule = `| --- | --- |${' --- |'.repeat(revisions.length)}`
  return [head, rule, ...rows.map(line)].join('\n')
}

function line(requirement) {
  const { id, behaviour, page, levels } = requirement
  const cells = [...levels].map((level) => cell(requirement, words[level]))
  const link = `https://modelcontextprotocol.io/specification/${page}`
  return `| [${id}](${link}) | ${behaviour} | ${cells.join(' | ')} |`
}

function cell({ status }, word) {
  return status === 'planned' && word !== '' ? `${word}, *planned*` : word
}

/** Gaps with the same reason are one gap. */
function gaps(requirements) {
  const idsByReason = new Map()
  for (const { id, status, reason } of requirements) {
    if (status === 'planned') idsByReason.set(reason, [...(idsByReason.get(reason) ?? []), id])
  }
  if (idsByReason.size === 0) return ''
  const lines = [...idsByReason].map(([reason, ids]) => `- **${ids.join(', ')}**: ${reason}.`)
  return `## Not yet\n\n${lines.join('\n')}`
}
