import { ConfigError } from '@toolbridge/bridge'
import { checkPermissions } from '@toolbridge/bridge/permissions'
import { describe, expect, test } from 'vitest'

/** Every issue of the rules as `<path>: <message>; <fix>`. */
function issuesOf(rules: unknown): readonly string[] {
  try {
    checkPermissions(rules)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.issues.map(({ path, message, fix }) => `${path}: ${message}; ${fix}`)
  }
  return []
}

const pattern =
  'write mcp:<public name>, mcp://<server>/<tool> or mcp://<server>/<tool>(<argument>=<value>), such as mcp://files/read_*; encode a "(" in a name as %28 in the second form'
const condition = 'write { "/path": "/etc/**" }, with a string, a value, { "equals": … } or a list of those'
const annotation =
  'write { "readOnlyHint": true }, with readOnlyHint, destructiveHint, idempotentHint, openWorldHint to choose from'

describe('an issue of permission rules has its place, what is wrong and what to write', () => {
  test.each<[unknown, string]>([
    [[], ': the permission rules must be an object; write { "mode": "ask" }'],
    [
      { denny: [] },
      '/denny: unknown field "denny" in permission rules; did you mean "deny"? use "mode", "allow", "ask", "deny", "trustAnnotations" and "controlFiles"',
    ],
    [{ deny: 'mcp:*' }, '/deny: "deny" must be a list; write [ … ] around it'],
    [{ mode: 'no' }, '/mode: unknown permission mode "no"; use "ask", "allow", "yolo" or "plan"'],
    [{ mode: 1 }, '/mode: unknown permission mode (not a string); use "ask", "allow", "yolo" or "plan"'],
    [
      { controlFiles: [''] },
      '/controlFiles/0: a list of names contains a value that is not a string; write names in quotes',
    ],
    [
      { deny: [`mcp:${'x'.repeat(4_093)}`] },
      '/deny/0: a text of 4097 characters in a permission rule; at most 4096 are allowed; end it with *, or match several shorter texts',
    ],
    [
      { allow: [`mcp:x(a=${'*a'.repeat(65)})`] },
      '/allow/0: 65 wildcards in one text of a permission rule; at most 64 are allowed; use ** for everything between two texts',
    ],
    [
      { ask: [{ match: 'mcp:x', arguments: { a: ['b', 'c'.repeat(4_097)] } }] },
      '/ask/0/arguments/a: a text of 4097 characters in a permission rule; at most 4096 are allowed; end it with *, or match several shorter texts',
    ],
    [
      { trustAnnotations: ['*a'.repeat(65)] },
      '/trustAnnotations/0: 65 wildcards in one text of a permission rule; at most 64 are allowed; use ** for everything between two texts',
    ],
    [{ deny: [1] }, '/deny/0: a permission rule must be a string or an object; write "mcp:…"'],
    [{ deny: [{}] }, '/deny/0: a permission rule has no "match"; add "match": "mcp:…"'],
    [
      { deny: [{ match: 'mcp:x', when: 1 }] },
      '/deny/0/when: unknown field "when" in a permission rule; use "match", "arguments", "annotations" and "principal"',
    ],
    [
      { deny: [{ match: 'resource:x', arguments: { a: 1 } }] },
      '/deny/0/arguments: "resource:" has no arguments; leave out "arguments", or match mcp: or prompt:',
    ],
    [
      { deny: [{ match: 'prompt:x', annotations: { readOnlyHint: true } }] },
      '/deny/0/annotations: "prompt:" has no annotations; leave out "annotations", or match mcp:',
    ],
    [
      { ask: ['elicitation:x'] },
      '/ask/0: "elicitation:x" cannot be in "ask": a question of a server is already a question; allow it or deny it',
    ],
    [
      { deny: [{ match: 'mcp:x', annotations: [] }] },
      `/deny/0/annotations: "annotations" must be an object; ${annotation}`,
    ],
    [
      { deny: [{ match: 'mcp:x', annotations: { title: true } }] },
      `/deny/0/annotations/title: the annotation "title" is unknown or not a boolean; ${annotation}`,
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: 'a' }] },
      `/deny/0/arguments: "arguments" must be an object; ${condition}`,
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: { a: { equals: 1, or: 2 } } }] },
      `/deny/0/arguments/a: invalid condition on "a"; ${condition}`,
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: { '': 1 } }] },
      `/deny/0/arguments/: invalid condition on ""; ${condition}`,
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: { a: [1, []] } }] },
      `/deny/0/arguments/a: invalid condition on "a"; ${condition}`,
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: { a: 'C:\\x' } }] },
      '/deny/0/arguments/a: the condition on "a" has a "\\" as separator; use "/", also for Windows; write C:/Windows/**',
    ],
    [
      { deny: ['files'] },
      `/deny/0: "files" is not a permission pattern: it does not start with a namespace; ${pattern}`,
    ],
    [
      { deny: [{ match: 'mcp:' }] },
      `/deny/0/match: "mcp:" is not a permission pattern: it has no name after the namespace; ${pattern}`,
    ],
    [
      { deny: ['mcp:a/b'] },
      `/deny/0: "mcp:a/b" is not a permission pattern: it has a "/" but no "//" before the server; ${pattern}`,
    ],
    [
      { deny: ['elicitation://a/b'] },
      `/deny/0: "elicitation://a/b" is not a permission pattern: it can match nothing: after the server, use form or url; ${pattern}`,
    ],
    [
      { deny: ['sampling://a/b'] },
      `/deny/0: "sampling://a/b" is not a permission pattern: it can match nothing: after the server, use message; ${pattern}`,
    ],
    [
      { deny: ['mcp:a?'] },
      `/deny/0: "mcp:a?" is not a permission pattern: it has one of ? [ ] { }; only * is a wildcard; encode them in an address as %3F %5B %5D %7B %7D; ${pattern}`,
    ],
    [
      { deny: ['sampling:a(b=c)'] },
      `/deny/0: "sampling:a(b=c)" is not a permission pattern: it has conditions on arguments, which only tools and prompts have; ${pattern}`,
    ],
    [
      { deny: ['mcp:a( b )'] },
      `/deny/0: "mcp:a( b )" is not a permission pattern: it has a condition that is not <argument>=<value>: (b); ${pattern}`,
    ],
    [
      { deny: ['mcp:a(b="c)'] },
      `/deny/0: "mcp:a(b="c)" is not a permission pattern: it has a quoted value that is not a JSON string: "c; ${pattern}`,
    ],
    [
      { deny: ['mcp:a(b=c\\d)'] },
      `/deny/0: "mcp:a(b=c\\d)" is not a permission pattern: it has a "\\" as separator; use "/", also for Windows: c\\d; ${pattern}`,
    ],
    [
      { allow: [{ match: 1, arguments: { a: 1 } }] },
      '/allow/0: a permission rule has no "match"; add "match": "mcp:…"',
    ],
    [
      { allow: [{ match: 'mpc:x', annotations: { readOnlyHint: true } }] },
      `/allow/0/match: "mpc:x" is not a permission pattern: it does not start with a namespace; did you mean "mcp:"? ${pattern}`,
    ],
    [
      { ask: [{ match: 'elicitation:x' }] },
      '/ask/0/match: "elicitation:x" cannot be in "ask": a question of a server is already a question; allow it or deny it',
    ],
    [
      { allow: [{ match: 'mcp:x', principal: '' }] },
      '/allow/0/principal: a list of names contains a value that is not a string; write names in quotes',
    ],
    [
      { restrictedBy: [{ mode: 'askk' }] },
      '/restrictedBy/0/mode: unknown permission mode "askk"; did you mean "ask"? use "ask", "allow", "yolo" or "plan"',
    ],
    [
      { deny: [{ match: 'mcp:x', arguments: { 'a/b': ['c', '\\d'] } }] },
      '/deny/0/arguments/a~1b: the condition on "a/b" has a "\\" as separator; use "/", also for Windows; write C:/Windows/**',
    ],
    [
      { deny: ['mcp:a(b="c" d)'] },
      `/deny/0: "mcp:a(b="c" d)" is not a permission pattern: it has a quoted value that is not a JSON string: "c" d; ${pattern}`,
    ],
    [
      { deny: [' xyzzy:a'] },
      `/deny/0: " xyzzy:a" is not a permission pattern: it does not start with a namespace; ${pattern}`,
    ],
  ])('%j', (rules, issue) => {
    expect(issuesOf(rules)).toEqual([issue])
  })

  test('and names the rules as the file', () => {
    expect(() => checkPermissions([])).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ file: 'permission rules' })] }),
    )
  })
})

test.each<unknown>([
  {},
  { mode: undefined, allow: undefined },
  { mode: 'plan', trustAnnotations: ['files'], controlFiles: ['/srv/*'] },
  { deny: ['resource://files/a?b[c]{d}', 'prompt:files', '  mcp:x  '] },
  { deny: ['prompt://files/summary(topic=a)', 'mcp:x(a="1, 2", b=\\,c, d=\\(e\\))'] },
  { deny: [{ match: 'prompt:files', arguments: { topic: 'a' } }] },
  { allow: ['elicitation:files'], deny: [{ match: 'resource:files', principal: 'a*' }] },
  { approve: ['mcp:x'], restrictedBy: [{ deny: ['mcp:y'], restrictedBy: [{}] }] },
  { deny: ['mcp:x(a=\\ b)', { match: 'mcp:x', arguments: { a: 'b\\*', c: { equals: 'd\\e' } } }] },
  { deny: [{ match: 'mcp:x', arguments: { a: null, b: 1, c: false, d: { equals: {} }, e: ['f', 1] } }] },
  {
    ask: [
      {
        match: 'mcp:x',
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: true,
        },
      },
    ],
  },
])('rules without an issue: %j', (rules) => {
  expect(issuesOf(rules)).toEqual([])
})
