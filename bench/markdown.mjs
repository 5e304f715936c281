/** Formats the results as a documentation page. */
import { readFileSync } from 'node:fs'
import { rowsOf } from './report.mjs'

/**
 * @typedef {object} Measured
 * @property {Readonly<Record<string, string>>} machine
 * @property {readonly import('./report.mjs').Result[]} results
 * @property {import('./published.mjs').Published} published
 * @property {string} command
 * @property {Date} at
 */

/** @param {Measured} measured */
export function markdownPage({ machine, results, published, command, at }) {
  const notes = readFileSync(new URL('notes.md', import.meta.url), 'utf8')
  return `# Performance of the client

Written by \`${command}\` on ${at.toISOString().slice(0, 10)}; do not edit. The method is described in
[bench](../bench/README.md).

${Object.values(machine)
  .map((line) => `- ${line}`)
  .join('\n')}

${markdownTable(rowsOf(results))}
## Published package

| | |
|---|---:|
| tarball | ${kilobytes(published.tarballBytes)} |
| unpacked, sum of its ${published.fileCount} files | ${kilobytes(published.unpackedBytes)} |
| unpacked, on disk (\`du -sk\`) | ${published.diskUsage} KB |

\`npm ls --omit=dev --all --workspace @toolbridge/client\`:

\`\`\`
${published.dependencies}
\`\`\`

${notes}`
}

/** @param {readonly (readonly string[])[]} rows */
function markdownTable([header = [], ...rows]) {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'))
  return [header, rule, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')
}

/** @param {number} bytes */
function kilobytes(bytes) {
  return `${Math.round(bytes / 1024)} KB`
}
