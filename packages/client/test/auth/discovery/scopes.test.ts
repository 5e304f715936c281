import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  coversScope,
  type ScopeSources,
  selectScope,
  unionOfScopes,
} from '../../../src/auth/discovery/scopes.ts'
import { GENERATED_TIMEOUT_MS, inputs } from '../../support/generated.ts'

describe('the scope to ask for', () => {
  const resourceMetadata = { scopes_supported: ['read', 'write'] }
  const table: readonly (readonly [sources: Partial<ScopeSources>, scope: string | undefined])[] = [
    [{}, undefined],
    [{ challenged: 'a b' }, 'a b'],
    [{ challenged: 'a', resourceMetadata, configured: 'c' }, 'a'],
    [{ resourceMetadata, configured: 'c' }, 'read write'],
    [{ resourceMetadata: {}, configured: 'c' }, 'c'],
    [{ challenged: '', resourceMetadata: { scopes_supported: [] } }, undefined],
    [{ serverMetadata: { scopes_supported: ['x', 'offline_access'] } }, undefined],
    [{ wantsRefreshToken: true }, undefined],
    [{ wantsRefreshToken: true, challenged: 'a', serverMetadata: {} }, 'a'],
    [{ wantsRefreshToken: true, challenged: 'a', serverMetadata: { scopes_supported: ['a'] } }, 'a'],
    [
      { wantsRefreshToken: true, challenged: 'a', serverMetadata: { scopes_supported: ['offline_access'] } },
      'a offline_access',
    ],
    [{ wantsRefreshToken: true, serverMetadata: { scopes_supported: ['offline_access'] } }, 'offline_access'],
  ]
  test.each(table)('from %j is %j', (sources, scope) => {
    expect(selectScope({ wantsRefreshToken: false, ...sources })).toBe(scope)
  })
})

test('a union holds every value once, in the order of their first appearance', () => {
  expect(unionOfScopes('b a', undefined, ' a  c ', '')).toBe('b a c')
  expect(unionOfScopes()).toBeUndefined()
  expect(unionOfScopes('', ' ')).toBeUndefined()
})

test(
  'a union covers what it was made of',
  () => {
    const scope = fc.array(fc.constantFrom('a', 'b', 'c', 'd:e', '')).map((values) => values.join(' '))
    fc.assert(
      fc.property(scope, scope, (one, other) => {
        const union = unionOfScopes(one, other)
        expect(coversScope(union, one) && coversScope(union, other)).toBe(true)
        expect(coversScope(one, other)).toBe(unionOfScopes(one, other) === unionOfScopes(one))
      }),
      inputs(200),
    )
  },
  GENERATED_TIMEOUT_MS,
)
