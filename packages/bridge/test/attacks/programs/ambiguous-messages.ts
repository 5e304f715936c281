/** JSON text of a message that means one thing to one reader and another to the next; `#` is its id. */
export type AmbiguousMessage = readonly [mechanism: string, text: string]

/** A call with these parameters, written as in JSON text without the braces. */
function call(params: string): string {
  return `{"jsonrpc":"2.0","id":#,"method":"tools/call","params":{${params}}}`
}

const tool = '"name":"folding__use"'
const denied = '"arguments":{"path":"/etc/hostname"}'
const harmless = '"arguments":{"path":"/tmp/x"}'
const params = `"params":{${tool},${harmless}}`

/** Keys that appear twice, or in another case beside the known one. */
export const ambiguousMessages: readonly AmbiguousMessage[] = [
  ['the method twice', `{"jsonrpc":"2.0","id":#,"method":"ping","method":"tools/call",${params}}`],
  ['the method in other case', `{"jsonrpc":"2.0","id":#,"method":"tools/call","Method":"ping",${params}}`],
  [
    'the method in upper case first',
    `{"jsonrpc":"2.0","id":#,"METHOD":"ping","method":"tools/call",${params}}`,
  ],
  ['the id twice', `{"jsonrpc":"2.0","id":"other","id":#,"method":"tools/call",${params}}`],
  ['the id in upper case', `{"jsonrpc":"2.0","ID":"other","id":#,"method":"tools/call",${params}}`],
  ['the version twice', `{"jsonrpc":"1.0","jsonrpc":"2.0","id":#,"method":"tools/call",${params}}`],
  ['the version in other case', `{"jsonrpc":"2.0","JsonRPC":"1.0","id":#,"method":"tools/call",${params}}`],
  [
    'the parameters twice',
    `{"jsonrpc":"2.0","id":#,"method":"tools/call","params":{${tool},${denied}},${params}}`,
  ],
  [
    'the parameters in other case',
    `{"jsonrpc":"2.0","id":#,"method":"tools/call","Params":{${tool},${denied}},${params}}`,
  ],
  [
    'the parameters with a long s',
    `{"jsonrpc":"2.0","id":#,"method":"tools/call","param\u017f":{${tool},${denied}},${params}}`,
  ],
  ['the name of the tool twice', call(`"name":"folding__other",${tool},${harmless}`)],
  ['the name of the tool in other case', call(`${tool},"Name":"folding__other",${harmless}`)],
  ['the name of the tool in upper case first', call(`"NAME":"folding__other",${tool},${harmless}`)],
  ['the name of the tool twice by an escape', call(`"n\\u0061me":"folding__other",${tool},${harmless}`)],
  [
    'the name of the tool in other case by an escape',
    call(`${tool},"\\u004eame":"folding__other",${harmless}`),
  ],
  ['the arguments twice', call(`${tool},${denied},${harmless}`)],
  ['the arguments in other case', call(`${tool},${harmless},"Arguments":{"path":"/etc/hostname"}`)],
  ['the arguments in upper case first', call(`"ARGUMENTS":{"path":"/etc/hostname"},${tool},${harmless}`)],
  ['the arguments with a long s', call(`${tool},${harmless},"argument\u017f":{"path":"/etc/hostname"}`)],
  ['the arguments with a long s by an escape', call(`${tool},${harmless},"argument\\u017f":{}`)],
  ['the metadata twice', call(`${tool},${harmless},"_meta":{"a":1},"_meta":{}`)],
  ['the metadata in other case', call(`${tool},${harmless},"_meta":{},"_Meta":{"a":1}`)],
  ['a key of the metadata twice', call(`${tool},${harmless},"_meta":{"example/a":1,"example/a":2}`)],
  ['an argument twice', call(`${tool},"arguments":{"path":"/etc/hostname","path":"/tmp/x"}`)],
  ['an argument three times', call(`${tool},"arguments":{"path":"/tmp/x","path":"/etc/x","path":"/tmp/x"}`)],
  ['an argument twice by an escape', call(`${tool},"arguments":{"p\\u0061th":"/etc/x","path":"/tmp/x"}`)],
  [
    'an argument twice, far apart',
    call(`${tool},"arguments":{"path":"/etc/x",${others(2_000)},"path":"/tmp/x"}`),
  ],
  ['a nested argument twice', call(`${tool},"arguments":{"options":{"file":"/etc/x","file":"/tmp/x"}}`)],
  ['an object twice', call(`${tool},"arguments":{"options":{"file":"/etc/x"},"options":{"file":"/tmp/x"}}`)],
  [
    'an argument twice in an item of a list',
    call(`${tool},"arguments":{"edits":[{},{"path":"/etc/x","path":"/tmp/x"}]}`),
  ],
  [
    'an argument twice at a depth of fifty',
    call(`${tool},"arguments":{"path":${nested(50, '{"a":"/etc/x","a":"/tmp/x"}')}}`),
  ],
  ['an empty key twice', call(`${tool},"arguments":{"path":"/tmp/x","":1,"":2}`)],
  [
    'an argument twice, after a key with an escaped quote',
    call(`${tool},"arguments":{"\\"":1,"path":"/etc/x","path":"/tmp/x"}`),
  ],
  [
    'an argument twice, after a text with braces and quotes',
    call(`${tool},"arguments":{"a":"{\\"path\\":[\\\\","path":"/etc/x","path":"/tmp/x"}`),
  ],
  [
    'an argument twice with spaces and tabs between',
    call(`${tool}, "arguments" : {"path"\t: "/etc/x" ,\t"path": "/tmp/x"}`),
  ],
  [
    'a key of which a surrogate is escaped, twice',
    call(`${tool},"arguments":{"path":"/tmp/x","\\ud83d\\ude00":1,"\u{1f600}":2}`),
  ],
  ['a number as a key, twice', call(`${tool},"arguments":{"path":"/tmp/x","1":1,"1":2}`)],
]

function others(count: number): string {
  return Array.from({ length: count }, (_, index) => `"field${index}":${index}`).join(',')
}

function nested(levels: number, inner: string): string {
  return `${'['.repeat(levels)}${inner}${']'.repeat(levels)}`
}
