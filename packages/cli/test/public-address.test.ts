import { expect, test } from 'vitest'
import { exposureWarnings } from '../src/public-address.ts'
import { runInProcess } from './in-process.ts'

test.each([
  [
    '--host',
    'http://tools.example',
    'invalid --host "http://tools.example": expected an address of this machine',
  ],
  ['--host', '0.0.0.0:80', 'Give the port with --port'],
  ['--host', '', 'invalid --host ""'],
  ['--public-url', 'tools.example', 'invalid --public-url: expected only scheme and name, such as https://'],
  ['--public-url', 'ftp://tools.example', 'invalid --public-url'],
  ['--public-url', 'https://tools.example/path', 'invalid --public-url'],
  ['--public-url', 'https://ada:secret@tools.example', 'invalid --public-url'],
])('serve refuses %s %s with what to write', async (option, value, message) => {
  const { code, stdout, stderr } = await runInProcess(['serve', option, value])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('secret')
})

test.each(['--host=0.0.0.0', '--public-url=https://tools.example'])(
  'serve --stdio refuses %s',
  async (option) => {
    const { code, stderr } = await runInProcess(['serve', '--stdio', option])
    expect(code).toBe(2)
    expect(stderr).toContain('is about the gateway')
  },
)

test.each([
  {},
  { hostname: '::1' },
  { hostname: '127.0.0.2' },
  { hostname: '0.0.0.0', publicUrl: 'https://a.example' },
])('a gateway at %o needs no warning', (address) => {
  expect(exposureWarnings(address, 'http://127.0.0.1:4545')).toEqual([])
})

test('a gateway that others reach without TLS warns, with what to do', () => {
  expect(exposureWarnings({ hostname: '0.0.0.0' }, 'http://127.0.0.1:4545')).toEqual([
    expect.stringMatching(/not encrypted\. Put a proxy with TLS in front of http:\/\/127\.0\.0\.1:4545/),
  ])
  expect(exposureWarnings({ publicUrl: 'http://tools.example' }, 'http://127.0.0.1:4545')).toEqual([
    expect.stringContaining('unencrypted to http://tools.example'),
  ])
  expect(exposureWarnings({ publicUrl: 'http://localhost:8080' }, 'http://127.0.0.1:4545')).toEqual([])
})
