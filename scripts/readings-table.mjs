// Writes packages/bridge/test/permission/readings-table/table.json: what Node, Python and Go make of the texts and JSON documents
// in texts.json beside it. The column of a program that is not installed here is kept as it is.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  readByNode,
  readDocumentByNode,
} from '../packages/bridge/test/permission/readings-table/readers/node.mjs'
import { replaceFile } from './replace-file.mjs'

const folder = fileURLToPath(new URL('../packages/bridge/test/permission/readings-table/', import.meta.url))
const given = JSON.parse(readFileSync(`${folder}texts.json`, 'utf8'))
const texts = Object.values(given.texts).flat()
const { documents } = given
const before = existsSync(`${folder}table.json`)
  ? JSON.parse(readFileSync(`${folder}table.json`, 'utf8'))
  : { versions: {}, texts: [], documents: [] }

const columns = {
  node: {
    version: process.version,
    texts: texts.map(readByNode),
    documents: documents.map(readDocumentByNode),
  },
  python: readBy('python', 'python3', ['readers/read.py']),
  go: readBy('go', 'go', ['run', 'readers/read.go']),
}
const table = {
  versions: Object.fromEntries(Object.entries(columns).map(([reader, { version }]) => [reader, version])),
  texts: texts.map((text, index) => ({ text, ...rowOf('texts', index) })),
  documents: documents.map((document, index) => ({ document, ...rowOf('documents', index) })),
}
replaceFile(`${folder}table.json`, `${escaped(JSON.stringify(table, null, 2))}\n`)

/** What a program makes of everything; what the table says if the program is not installed. */
function readBy(reader, command, args) {
  const input = JSON.stringify({ texts, documents })
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: folder, input, encoding: 'utf8' })
  if (error === undefined && status === 0) return JSON.parse(stdout)
  if (error?.code !== 'ENOENT') throw error ?? new Error(`${command} ${args.join(' ')} failed: ${stderr}`)
  process.stderr.write(`${command} is not installed: the column "${reader}" is kept\n`)
  const kept = (rows, key, wanted) =>
    wanted.map((each) => rows.find((row) => row[key] === each)?.[reader] ?? {})
  return {
    version: before.versions[reader],
    texts: kept(before.texts, 'text', texts),
    documents: kept(before.documents, 'document', documents),
  }
}

function rowOf(kind, index) {
  return Object.fromEntries(
    Object.entries(columns).map(([reader, column]) => [reader, sorted(column[kind][index])]),
  )
}

function sorted(readings) {
  return Object.fromEntries(Object.entries(readings).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** Writes out what is not plain ASCII, so that it can be reviewed. */
function escaped(json) {
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
