import { homedir } from 'node:os'
import { posix } from 'node:path'
import { compileArgument } from '../../../src/permission/rules/argument-test.ts'
import { Readings } from '../../../src/permission/readings/readings.ts'
import { CallArguments } from '../../../src/permission/rules/call-arguments.ts'

/** The folder that relative paths are relative to. */
export const folder = '/srv/project'

/** Returns whether a path or address is among the readings of a text that rules look at. */
export function pathsReadIn(text: string): (path: string) => boolean {
  return among(new Readings(text).inPlaces({ home: homedir(), folders: [folder] }))
}

/** Returns whether an address is among the readings of the URI of a resource. */
export function addressesReadIn(uri: string): (address: string) => boolean {
  return among(new Readings(uri).asAddresses)
}

/** Returns whether a rule that denies a value of the argument `path` denies these arguments. */
export function isDenied(args: Readonly<Record<string, unknown>>, value: string): boolean {
  const pattern = { path: ['path'], conditions: [{ kind: 'equals', value }] } as const
  return new CallArguments(args, []).holds(compileArgument(pattern, { narrows: true }))
}

function among(readings: readonly string[]): (value: string) => boolean {
  const known = new Set(readings.flatMap((reading) => [folded(reading), foldedPath(reading)]))
  return (value) => known.has(folded(value)) || known.has(foldedPath(value))
}

/** Without differences that a file system may ignore, and with one sign for bytes that are no characters. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\0/gu, '')
    .replaceAll(/(?:\uFFFD|%[89a-f][0-9a-f])+/gi, '\uFFFD')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

/** `folded` for a path, resolved, without a slash before a drive, and blanks and dots at the end of a segment. */
function foldedPath(path: string): string {
  const resolved = posix.normalize(folded(path).replaceAll('\\', '/'))
  return resolved
    .replace(/^\/(?=[a-z]:)/, '')
    .replaceAll(/(?<=[^/.\s])[. ]+(?=\/|$)/g, '')
    .replace(/(?<=.)\/$/, '')
}
