import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * A mutant in terms that survive moves of lines.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} code The line of the source in which it starts.
 * @property {number} column Where in `code` it starts, from 1.
 * @property {string} from The text that was replaced.
 * @property {string} to
 * @property {string} status As in Stryker's report.
 * @property {string | undefined} statusReason As in Stryker's report.
 * @property {string | undefined} reason Why no test can find it, if that is declared.
 */

/** Mutants that no test can find, because the program behaves the same, each with its reason. */
export const declarations = JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'))

/**
 * Describes the mutants of a run of Stryker.
 *
 * @returns {readonly Mutant[]}
 */
export function describeMutants(results) {
  const texts = new Map()
  return results.map(({ fileName, location, replacement, status, statusReason }) => {
    const file = relative(process.cwd(), fileName)
    if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8').split('\n'))
    const lines = texts.get(file)
    const { line, column } = location.start
    const code = lines[line - 1].trim()
    const mutant = {
      file,
      line,
      code,
      column: column - lines[line - 1].indexOf(code),
      from: inOneLine(textAt(lines, location)),
      to: inOneLine(replacement),
      status,
      statusReason,
    }
    return { ...mutant, reason: declarations.find((declared) => isSame(declared, mutant))?.reason }
  })
}

/** Declarations for the files of these mutants that are wrong: a test finds the mutant, or it does not exist. */
export function staleDeclarations(mutants) {
  const files = new Set(mutants.map(({ file }) => file))
  return declarations.filter((declared) => {
    const found = mutants.filter((mutant) => isSame(declared, mutant))
    return (
      files.has(declared.file) && !(found.length > 0 && found.every(({ status }) => status === 'Survived'))
    )
  })
}

function isSame(declared, mutant) {
  return ['file', 'code', 'column', 'from', 'to'].every((key) => declared[key] === mutant[key])
}

/** Lines and columns count from 1; the end is not included. */
function textAt(lines, { start, end }) {
  const inside = lines.slice(start.line - 1, end.line)
  inside[inside.length - 1] = inside.at(-1).slice(0, end.column - 1)
  inside[0] = inside[0].slice(start.column - 1)
  return inside.join('\n')
}

function inOneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim()
}
