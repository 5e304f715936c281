import { expect, test, vi } from 'vitest'
import { takeServerCallback } from '../src/sign-in/server-callback.ts'

test('the code of a sign-in to a server leaves the address bar before anything else happens', () => {
  const replaceState = vi.fn<History['replaceState']>()
  const at = (href: string): string | undefined =>
    takeServerCallback({ location: new URL(href), history: { replaceState } })
  expect(at('https://tools.example/?code=c&state=s')).toBeUndefined()
  expect(replaceState).not.toHaveBeenCalled()
  const url = 'https://tools.example/oauth-callback?code=c&state=s'
  expect(at(url)).toBe(url)
  expect(replaceState).toHaveBeenCalledExactlyOnceWith(null, '', '/#/servers')
})
