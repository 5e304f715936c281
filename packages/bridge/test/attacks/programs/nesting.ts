import type { Attack } from '../attack.ts'
import {
  anyEtc,
  askEtc,
  code,
  control,
  editsEtc,
  etc,
  filesEtc,
  five,
  force,
  main,
  optionsEtc,
  optionsOut,
  out,
  ownControl,
  shadow,
} from '../policies.ts'

const tabbed = 'fi\tle:///etc/hostname'
const doubled = '/%2565tc/hostname'
const leader = '/tmp/\u2025/etc/hostname'

/** A value within so many lists. */
function inLists(value: unknown, levels: number): unknown {
  return levels === 0 ? value : [inLists(value, levels - 1)]
}

/** A value within so many objects, under one name. */
function inObjects(name: string, value: unknown, levels: number): unknown {
  return levels === 0 ? value : { [name]: inObjects(name, value, levels - 1) }
}

/** JSON text of a list, in so many lists that are JSON text themselves. */
function inTexts(value: unknown, levels: number): unknown {
  return levels === 0 ? value : JSON.stringify([inTexts(value, levels - 1)])
}

/** Values in lists, objects and JSON text. */
export const nesting: readonly Attack[] = [
  ['the second item of a list', 'url', etc, { path: ['/tmp/x', tabbed] }],
  ['a list in a list, where a question is asked', 'lenient', askEtc, { path: [['/tmp/x'], [[doubled]]] }],
  ['sixty lists', 'folding', etc, { path: inLists(leader, 60) }],
  ['sixty-four lists', 'url', etc, { path: inLists(tabbed, 64) }],
  ['two hundred lists', 'lenient', etc, { path: inLists(doubled, 200) }],
  [
    'two hundred and fifty lists around a plain path',
    'lenient',
    etc,
    { path: inLists('/etc/hostname', 250) },
  ],
  ['an object with a path', 'url', etc, { path: { path: tabbed } }],
  ['sixty objects', 'lenient', etc, { path: inObjects('path', doubled, 60) }],
  ['a hundred objects of any name', 'folding', etc, { path: inObjects('a', leader, 100) }],
  [
    'lists and objects in turn',
    'url',
    etc,
    { path: inLists(inObjects('file', inLists(tabbed, 10), 10), 10) },
  ],
  ['an object keyed by path', 'url', etc, { path: { [tabbed]: 'content' } }],
  ['an object keyed by an encoded path', 'lenient', filesEtc, { files: { '/tmp/x': '', [doubled]: '' } }],
  ['an object keyed by a path with a leader', 'folding', filesEtc, { files: { [leader]: { size: 1 } } }],
  ['objects keyed by path in a list', 'url', filesEtc, { files: [{ '/tmp/x': '' }, { [tabbed]: '' }] }],
  [
    'an object keyed by path within sixty lists',
    'lenient',
    filesEtc,
    { files: inLists({ [doubled]: '' }, 60) },
  ],
  ['an empty list beside a path', 'url', etc, { path: [[], {}, tabbed] }],
  ['values that are no texts beside a path', 'lenient', etc, { path: [null, 1, true, { a: null }, doubled] }],
  ['JSON text of a list', 'url', etc, { path: JSON.stringify(['/tmp/x', tabbed]) }],
  ['JSON text with an escaped tab', 'url', etc, { path: '["fi\\u0009le:///etc/hostname"]' }],
  ['JSON text with an escaped control character', 'url', etc, { path: '["\\u0001file:///etc/hostname"]' }],
  [
    'JSON text with escaped letters and dots',
    'folding',
    etc,
    { path: '["/tmp/\\u2025/\\u0065tc/hostname"]' },
  ],
  ['JSON text with an escaped slash', 'lenient', etc, { path: '["\\/%2565tc\\/hostname"]' }],
  ['JSON text after line breaks', 'lenient', etc, { path: `\n\t ["${doubled}"]\n` }],
  ['JSON text of an object', 'lenient', etc, { path: JSON.stringify({ path: doubled }) }],
  ['JSON text of an object keyed by path', 'folding', filesEtc, { files: JSON.stringify({ [leader]: 'x' }) }],
  ['JSON text in JSON text', 'url', etc, { path: inTexts(tabbed, 2) }],
  ['JSON text in JSON text in JSON text', 'lenient', etc, { path: inTexts(doubled, 3) }],
  ['eight levels of JSON text', 'folding', etc, { path: inTexts(leader, 8) }],
  [
    'JSON text in a list in JSON text',
    'url',
    etc,
    { path: [JSON.stringify([[JSON.stringify({ file: tabbed })]])] },
  ],
  ['JSON text with two hundred lists', 'lenient', etc, { path: JSON.stringify(inLists(doubled, 200)) }],
  ['JSON text where a text must be equal', 'lenient', shadow, { path: '["/etc/sh%2561dow"]' }],
  ['the path of an edit', 'url', editsEtc, { edits: [{ path: '/tmp/x' }, { path: tabbed }] }],
  [
    'the path of an edit in a list of lists',
    'lenient',
    editsEtc,
    { edits: [[{ path: '/tmp/x' }], [[{ path: doubled }]]] },
  ],
  ['the paths of an edit', 'folding', editsEtc, { edits: [{ path: ['/tmp/x', leader] }] }],
  ['edits in JSON text', 'url', editsEtc, { edits: JSON.stringify([{ path: '/tmp/x' }, { path: tabbed }]) }],
  [
    'an edit in JSON text in a list',
    'lenient',
    editsEtc,
    { edits: ['{"path": "/tmp/x"}', JSON.stringify({ path: doubled })] },
  ],
  [
    'edits in JSON text in JSON text',
    'url',
    editsEtc,
    { edits: JSON.stringify([JSON.stringify([{ path: tabbed }])]) },
  ],
  ['the path of an edit in JSON text', 'folding', editsEtc, { edits: [{ path: JSON.stringify([leader]) }] }],
  ['an option in JSON text', 'url', optionsEtc, { options: JSON.stringify({ file: tabbed }) }],
  ['an option that is a list', 'lenient', optionsEtc, { options: { file: ['/tmp/x', [doubled]] } }],
  [
    'an option in JSON text in JSON text',
    'folding',
    optionsEtc,
    { options: JSON.stringify({ file: JSON.stringify([leader]) }) },
  ],
  ['any argument, at any depth', 'url', anyEtc, { options: { options: { options: { file: [tabbed] } } } }],
  [
    'any argument, as the name of a property in JSON text',
    'lenient',
    anyEtc,
    { files: JSON.stringify([{ [doubled]: 1 }]) },
  ],
  ['an item of a list of allowed paths', 'lenient', out, { path: ['out/a', 'out/%252e%252e/x', 'out/b'] }],
  [
    'an item of a deep list of allowed paths',
    'folding',
    out,
    { path: ['out/a', inLists('out/\u2025/x', 60)] },
  ],
  [
    'the name of a property among allowed paths',
    'lenient',
    code,
    { path: { '/code/%252e%252e/etc/x': '/code/a' } },
  ],
  ['a value behind an allowed name', 'url', code, { path: { '/code/a': '/code/.\t./etc/x' } }],
  [
    'a list with a plain path among allowed ones',
    'url',
    code,
    { path: ['/code/a', ['/code/b', ['/etc/x']]] },
  ],
  [
    'an allowed option that is a list',
    'lenient',
    optionsOut,
    { options: { file: ['out/x', 'out/%ff/..%2f..%2fy'] } },
  ],
  ['a word within lists', 'folding', main, { branch: inLists(' main', 60) }],
  ['a flag within lists', 'folding', force, { force: [['no', ['yes']]] }],
  ['a flag in JSON text in JSON text', 'folding', force, { force: inTexts('on', 2) }],
  ['a number within JSON text', 'folding', five, { count: '[["0x5"]]' }],
  ['a control file in a deep list', 'folding', control, { paths: inLists('.vscode/x/\u2025/mcp.json', 60) }],
  [
    'a control file as the name of a property',
    'url',
    control,
    { files: { 'fi\tle:///p/.mc\tp.json': '{}' } },
  ],
  ['a control file in JSON text', 'lenient', control, { paths: JSON.stringify(['a', ['%252emcp.json']]) }],
  ['a control file in JSON text, with an escaped tab', 'url', control, { paths: '[".mc\\tp.json"]' }],
  [
    'a control file in JSON text in JSON text',
    'lenient',
    control,
    { paths: inTexts('.vscode/mcp%252ejson', 3) },
  ],
  [
    'a control file as the name of a property in JSON text',
    'folding',
    control,
    { files: '[{" .mcp.json": ""}]' },
  ],
  [
    'a control file in the arguments of a program',
    'lenient',
    control,
    { args: ['-c', ['x', 'cat y >%252emcp.json']] },
  ],
  [
    'an added control file in a hundred objects',
    'url',
    ownControl,
    { path: inObjects('path', 'fi\tle:/srv/policy/a', 100) },
  ],
]
