/** Renders docs/hosts.md. */
import { hosts, versionOf } from './hosts.mjs'

const heading = `# Host configuration, judged by the hosts

Written by \`npm run hosts\`. Do not edit.

Each host below was installed from npm and given configuration files in an empty home folder and project, with stub servers that
record how they were started and a stub model that records which tools it was offered. No account, and no network besides the
npm registry.

- **same**: the host and Toolbridge start the same servers, in the same way, with the same tools.
- **lossy**: less or otherwise than in the file, and Toolbridge reports it.
- **refused**: Toolbridge does not use the server, or does not write it, and reports why.
- **wider**: more is started or allowed than the file says. There must be none.
- **different**: not the same, and not reported. There must be none.`

export function report(results, connections) {
  const names = Object.keys(hosts)
  const versions = names.map((name) => `${hosts[name].title} ${versionOf(hosts[name])}`).join(', ')
  const parts = [
    heading,
    `Versions: ${versions}.`,
    counts(results),
    `## Reading\n\nWhat Toolbridge would start for the files of a host, compared with what the host starts.\n\n${matrix(results, 'read', names)}`,
    `## Writing\n\nWhat a host starts for files that Toolbridge wrote, compared with the definitions. A host with two files is tried with both.\n\n${matrix(results, 'write', names)}`,
    connectionPart(connections),
    details(results),
  ]
  return `${parts.join('\n\n')}\n`
}

const connectionHeading = '## Hosts that start Toolbridge'

/** Replaces the part about connections in a page, or adds it. */
export function withConnections(page, connections) {
  const others = page.split(/^(?=## )/m).filter((part) => !part.startsWith(connectionHeading))
  const before = others.findIndex((part) => part.startsWith('## Differences'))
  return others.toSpliced(before, 0, `${connectionPart(connections)}\n\n`).join('')
}

function connectionPart(connections) {
  const intro = `\`toolbridge connect <host>\` wrote its entry into a file of the host, and the host started \`toolbridge serve --stdio\` by it. Shown are
the requests that arrived at a stub server behind Toolbridge, its tools that the host offered to the model, and the state in the host's list
of servers: \`pending\` until a person has approved the server of a project in the host. Codex lists servers without connecting to them.`
  const rows = connections.map(({ host, file, received, offered, shown = '–', outcome }) => [
    hosts[host].title,
    code([file]),
    code(received),
    code(offered),
    shown,
    isBad(outcome) ? '**no**' : 'yes',
  ])
  const columns = ['host', 'file', 'requests', 'tools', 'shown as', 'works']
  return `${connectionHeading}\n\n${intro}\n\n${table(columns, rows)}`
}

function code(texts) {
  return texts.map((text) => `\`${text}\``).join(', ') || '–'
}

function counts(results) {
  const outcomes = ['same', 'lossy', 'refused', 'wider', 'different']
  const rows = outcomes.map((outcome) => [
    outcome,
    String(results.filter((result) => result.outcome === outcome).length),
  ])
  return table(['outcome', 'cases'], rows)
}

function matrix(results, direction, names) {
  const own = results.filter((result) => result.direction === direction)
  const rows = [...new Set(own.map(({ row }) => row))]
  return table(
    ['case', ...names.map((name) => hosts[name].title)],
    rows.map((row) => [
      row,
      ...names.map((name) => cell(own.filter((each) => each.host === name && each.row === row))),
    ]),
  )
}

function cell(results) {
  return (
    [...new Set(results.map(({ outcome }) => (isBad(outcome) ? `**${outcome}**` : outcome)))].join(', ') ||
    '–'
  )
}

function details(results) {
  const lines = results
    .filter(({ outcome }) => outcome !== 'same')
    .map(
      ({ host, direction, file, row, outcome, detail }) =>
        `- ${hosts[host].title}, ${direction === 'read' ? 'reading' : `writing ${file}`}, ${row}: ${outcome}, ${escaped(detail)}`,
    )
  return `## Differences\n\n${[...new Set(lines)].join('\n')}`
}

/** Paths of a run are not part of the result. */
function escaped(text) {
  return text.replaceAll(/\S+/g, withoutRunFolder).replaceAll('|', String.raw`\|`)
}

function withoutRunFolder(word) {
  const start = word.indexOf('/')
  const folder = word.lastIndexOf('toolbridge-host-')
  const end = word.indexOf('/', folder)
  return start === -1 || folder < start || end === -1 ? word : `${word.slice(0, start)}…${word.slice(end)}`
}

function isBad(outcome) {
  return outcome === 'wider' || outcome === 'different'
}

function table(columns, rows) {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
