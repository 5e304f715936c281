import type { Row } from './row.ts'

const json = ['--format', 'json']

/** Commands for the store of the running gateway. */
export const lockboxRows: readonly Row[] = [
  {
    command: 'lockbox status',
    args: ['lockbox', 'status', '--data', 'data', ...json],
    code: 0,
    schema: 'lockbox-report status',
    json: { via: 'gateway', keys: { values: { retired: 0 } } },
  },
  {
    command: 'lockbox status',
    args: ['lockbox', 'status', '--data', 'empty'],
    code: 5,
    stderr: /^toolbridge: unreachable: .*empty has no store; "toolbridge serve" creates it\n$/,
  },
  {
    command: 'lockbox rotate',
    args: ['lockbox', 'rotate', '--data', 'data', ...json],
    code: 0,
    schema: 'lockbox-report rotate',
    json: { via: 'gateway', isComplete: true },
    stderr: /^toolbridge: the data keys are encrypted with key \w{16} as before, .* and rotate again\n$/,
  },
  {
    command: 'lockbox rotate',
    args: ['lockbox', 'rotate', '--wrapping-key', '--data', 'data'],
    code: 5,
    stderr:
      /^toolbridge: unreachable: the running gateway .* give a new key, and this one as the previous key\n$/,
  },
  {
    command: 'lockbox audit',
    args: ['lockbox', 'audit', '--data', 'data', ...json],
    code: 0,
    schema: 'lockbox-report audit',
    json: { entries: [] },
  },
  {
    command: 'lockbox audit',
    args: ['lockbox', 'audit', '--limit', 'none', '--data', 'data'],
    code: 2,
    stderr: /^toolbridge: invalid --limit "none": expected a number from 1 to 10000\n$/,
  },
  {
    command: 'lockbox verify',
    args: ['lockbox', 'verify', '--data', 'data', ...json],
    code: 0,
    schema: 'lockbox-report verify',
    json: { isIntact: true },
  },
  {
    command: 'lockbox verify',
    args: ['lockbox', 'verify', '--checkpoint', 'one', '--data', 'data'],
    code: 2,
    stderr: /^toolbridge: invalid --checkpoint "one": expected writer:count:head, as the gateway logs it\n$/,
  },
]
