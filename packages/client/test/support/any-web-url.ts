import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@"

const segment = fc.string({
  unit: fc.oneof(
    { arbitrary: fc.constantFrom(...PLAIN.split('')), weight: 4 },
    { arbitrary: anyCharacter.map(encodeURIComponent), weight: 1 },
  ),
})

/** Like `webUrl` of fast-check, which builds a map of all characters for those that it escapes. */
export const anyWebUrl: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), fc.array(segment))
  .map(([scheme, authority, path]) => [`${scheme}://${authority}`, ...path].join('/'))
