import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ChainedEntry, chainCodes } from '../src/audit/audit-chain.ts'

const codesOf = (byte: string): ReturnType<typeof chainCodes> =>
  chainCodes({ id: 'key', key: createSecretKey(byte.repeat(32), 'hex') })

const writer = 'b1e0d6a4-0000-4000-8000-000000000001'
const entry: ChainedEntry = {
  writer,
  number: 2,
  owner: 'ann',
  at: new Date('2026-03-04T05:06:07.089Z'),
  key_id: 'key',
  payload: Buffer.from('payload'),
}

test.each<[string, Partial<ChainedEntry>]>([
  ['writer', { writer: writer.replace(/1$/, '2') }],
  ['number', { number: 3 }],
  ['owner', { owner: 'bob' }],
  ['time', { at: new Date(entry.at.getTime() + 1) }],
  ['key', { key_id: 'other' }],
  ['event', { payload: Buffer.from('Payload') }],
])('the code of an entry covers its %s [C25]', (_field, changed) => {
  const codes = codesOf('5a')
  const previous = codes.start(writer)
  expect(codes.next(previous, { ...entry, ...changed })).not.toEqual(codes.next(previous, entry))
})

test('the code of an entry covers all entries before it, and the key [C25]', () => {
  const codes = codesOf('5a')
  const [first, other] = [1, 3].map((number) => codes.next(codes.start(writer), { ...entry, number }))
  if (first === undefined || other === undefined) throw new Error('there are two')
  expect(codes.next(first, entry)).toEqual(codes.next(first, { ...entry }))
  expect(codes.next(first, entry)).not.toEqual(codes.next(other, entry))
  expect(codes.next(first, entry)).not.toEqual(codesOf('a5').next(first, entry))
  expect(codes.start(writer)).not.toEqual(codes.start(entry.owner))
})
