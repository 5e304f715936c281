import type { Finding } from '../documents/config-document.ts'
import type { BrokenVariable, Piece } from '../variables/variables.ts'

/** The finding about a broken variable, or undefined for any other piece. */
export function brokenVariable(piece: Piece): Omit<Finding, 'severity'> | undefined {
  return isBroken(piece) ? findings[piece.kind](piece) : undefined
}

function isBroken(piece: Piece): piece is BrokenVariable {
  return Object.hasOwn(findings, piece.kind)
}

const plainDefault = { expected: 'a default of plain text', fix: 'write the default as plain text' }

const findings: Readonly<
  Record<BrokenVariable['kind'], (piece: BrokenVariable) => Omit<Finding, 'severity'>>
> = {
  unterminated: () => ({
    code: 'variable_unterminated',
    message: 'unterminated variable: ${ without }',
    found: 'an unterminated variable',
    expected: 'a closing }',
    fix: 'close it with }',
  }),
  cyclic: (piece) => ({
    code: 'variable_cyclic',
    message: `the default of the variable ${nameOf(piece)} is the variable itself`,
    found: 'a variable that refers to itself',
    ...plainDefault,
  }),
  nested: () => ({
    code: 'variable_nested',
    message: 'a variable is nested in another one',
    found: 'a nested variable',
    ...plainDefault,
  }),
  unknown: (piece) => ({
    code: 'variable_unsupported',
    message: `unsupported variable of kind ${/^\w+/.exec(nameOf(piece))?.[0] ?? '…'}`,
    found: 'a variable of the host',
    expected: 'an environment variable',
    fix: 'write the value itself, or read it from the environment',
  }),
}

function nameOf(piece: BrokenVariable): string {
  return 'name' in piece ? piece.name : ''
}
