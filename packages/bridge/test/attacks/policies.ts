import { homedir } from 'node:os'
import type { Policy } from './attack.ts'
import { folder } from './servers/linux-path.ts'

function inside(place: string): (touched: string) => boolean {
  return (touched) => touched === place || touched.startsWith(`${place}/`)
}

function outside(place: string): (touched: string) => boolean {
  return (touched) => !inside(place)(touched)
}

function denying(match: string, forbids: Policy['forbids']): Policy {
  return { rules: { mode: 'allow', deny: [match] }, forbids }
}

function allowing(match: string, forbids: Policy['forbids']): Policy {
  return { rules: { mode: 'ask', allow: [match] }, forbids }
}

const inEtc = inside('/etc')

// Places.
export const etc = denying('mcp://*/*(path=/etc/**)', inEtc)
export const askEtc: Policy = { rules: { mode: 'allow', ask: ['mcp://*/*(path=/etc/**)'] }, forbids: inEtc }
export const anyEtc = denying('mcp://*/*(**=/etc/**)', inEtc)
export const editsEtc = denying('mcp://*/*(edits.path=/etc/**)', inEtc)
export const filesEtc = denying('mcp://*/*(files=/etc/**)', inEtc)
export const linksEtc = denying('mcp://*/*(links=/etc/**)', inEtc)
export const pointerEtc = denying('mcp://*/*(/path=/etc/**)', inEtc)
export const countedPath = denying('mcp://*/*(path=/etc/**, count=5)', inEtc)
export const optionsEtc = denying('mcp://*/*(options.file=/etc/**)', inEtc)
export const shadow = denying('mcp://*/*(path="/etc/shadow")', (touched) => touched === '/etc/shadow')
export const keys = denying('mcp://*/*(path=~/.ssh/**)', inside(`${homedir()}/.ssh`))
export const windows = denying('mcp://*/*(path=C:/Windows/**)', (touched) => /^c:\/windows\//i.test(touched))
export const resourceEtc = denying('resource://*/file:///etc/**', inEtc)
export const out = allowing('mcp://*/*(path=out/**)', outside(`${folder}/out`))
export const optionsOut = allowing('mcp://*/*(options.file=out/**)', outside(`${folder}/out`))
export const code = allowing('mcp://*/*(path=/code/**)', outside('/code'))

// Addresses.
export const internal = denying(
  'mcp://*/*(url=https://internal.example/**)',
  inside('https://internal.example'),
)
export const admin = denying(
  'mcp://*/*(url=https://docs.example/admin/**)',
  inside('https://docs.example/admin'),
)
export const publicDocs = allowing(
  'mcp://*/*(url=https://docs.example/public/**)',
  outside('https://docs.example/public'),
)

// Control files.
const controlFile =
  /(?:^|\/)(?:\.mcp\.json|\.vscode\/mcp\.json|\.claude\.json|\.cursor\/mcp\.json|\.toolbridge(?:\/.*)?)$/
export const control: Policy = { rules: { mode: 'allow' }, forbids: (touched) => controlFile.test(touched) }
export const ownControl: Policy = {
  rules: { mode: 'allow', controlFiles: ['/srv/policy/*'] },
  forbids: inside('/srv/policy'),
}

// Words, flags and numbers.
function deniedValue(argument: string, value: string | number | boolean): Policy {
  const match = { match: 'mcp://*/*', arguments: { [argument]: { equals: value } } }
  return { rules: { mode: 'allow', deny: [match] }, forbids: (touched) => touched === `${argument} ${value}` }
}

export const main = deniedValue('branch', 'main')
export const force = deniedValue('force', true)
export const unverified = deniedValue('verify', false)
export const five = deniedValue('count', 5)
export const thousand = deniedValue('count', 1_000)
export const one = deniedValue('count', 1)
export const none = deniedValue('count', 0)
export const mainText = denying('mcp://*/*(branch=main)', (touched) => touched === 'branch main')
export const releases = denying('mcp://*/*(branch=release-*)', (touched) =>
  touched.startsWith('branch release-'),
)
export const forceText = denying('mcp://*/*(force=true)', (touched) => touched === 'force true')
export const askForce: Policy = { ...force, rules: { mode: 'allow', ask: ['mcp://*/*(force="true")'] } }
export const fiveText = denying('mcp://*/*(count=5)', (touched) => touched === 'count 5')
export const rival = denying('mcp://*/*(to=*@rival.example)', (touched) => touched.endsWith('@rival.example'))
export const mainAndForce = denying(
  'mcp://*/*(branch="main", force=true)',
  (touched) => touched === 'force true',
)
