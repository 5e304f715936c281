/**
 * The modules that keep the promises of the product, each with the tests that must find every mistake in it. Only tests
 * without child processes and databases.
 *
 * @typedef {object} Module
 * @property {readonly string[]} mutate Sources, as globs.
 * @property {readonly string[]} tests Test files.
 * @property {number} [least] The part of the mutants that has to be killed, in percent. Default: 80.
 */

/** @type {Readonly<Record<string, Module>>} */
export const modules = {
  permission: {
    mutate: [
      'packages/bridge/src/permission/rules/{decide,explain-rules,names-in-any-style,path-scope,rules,subject}.ts',
    ],
    tests: testsIn('bridge/test/permission', 'decisions explain-rules layers path-scope permission-cases'),
    least: 90,
  },
  'permission-arguments': {
    mutate: [
      'packages/bridge/src/permission/rules/{argument-pattern,argument-test,call-arguments,pattern-readings,values}.ts',
      'packages/bridge/src/text/glob.ts',
    ],
    tests: testsIn('bridge/test/permission', 'long-arguments permission-cases readings rule-parts values'),
    least: 90,
  },
  'permission-readings': {
    mutate: ['packages/bridge/src/permission/readings/*.ts'],
    tests: testsIn('bridge/test/permission', 'long-arguments permission-cases readings values'),
    least: 90,
  },
  'permission-files': {
    mutate: [
      'packages/bridge/src/permission/files/*.ts',
      'packages/bridge/src/permission/rules/{check-permissions,dry-run,pattern}.ts',
    ],
    tests: testsIn('bridge/test/permission', 'dry-run permission-files permission-messages'),
  },
  approvals: {
    mutate: ['packages/bridge/src/permission/*.ts', 'packages/bridge/src/permission/{approvals,pins}/*.ts'],
    tests: testsIn(
      'bridge/test/permission',
      'approval-memory asking call-permissions control-file-approvals decisions describe-change explain-permission pins',
    ),
  },
  'control-files': {
    mutate: ['packages/bridge/src/permission/control-files/*.ts'],
    tests: testsIn('bridge/test/permission', 'control-file-links control-files'),
  },
  questions: {
    mutate: [
      'packages/bridge/src/origin.ts',
      'packages/bridge/src/elicitation/{check-url,consent,parse-answer,question-policy,rate-limit,router}.ts',
      'packages/bridge/src/upstream/connections/{calls-in-flight,claim,connection-scope,connection-scopes,server-questions}.ts',
    ],
    tests: [
      ...testsIn('bridge/test/elicitation', 'question-checks question-router'),
      ...testsIn('bridge/test/upstream', 'claim connection-scopes question-sources scopes server-questions'),
    ],
  },
  naming: {
    // The digest is a published algorithm, and mutants in its rounds make every test slow.
    mutate: ['packages/client/src/naming/!(sha256).ts', 'packages/bridge/src/catalog/{model-name,naming}.ts'],
    tests: [
      ...testsIn('client/test/naming', 'tool-names'),
      ...testsIn('bridge/test/catalog', 'naming-choices'),
    ],
  },
  variables: {
    mutate: [
      'packages/bridge/src/config/variables/*.ts',
      'packages/bridge/src/config/resolve/{broken-variable-issue,expand-variables,resolve-environment}.ts',
    ],
    tests: [
      ...testsIn('bridge/test/config', 'resolve-environment session-authority variable-forms variables'),
      ...testsIn('bridge/test/config/dialects', 'variables-by-dialect'),
    ],
  },
  redaction: {
    mutate: [
      'packages/bridge/src/journal/redaction/*.ts',
      'packages/bridge/src/elicitation/redacting-answerer.ts',
      'packages/bridge/src/text/map-texts.ts',
    ],
    tests: testsIn('bridge/test/journal', 'redacted-message redaction redactor secrets'),
  },
  'url-guard': {
    mutate: ['packages/client/src/url-guard/*.ts'],
    tests: testsIn('client/test/url-guard', 'assert-safe-url refusals'),
  },
  sealing: {
    mutate: ['packages/lockbox/src/sealing/*.ts'],
    tests: testsIn('lockbox/test', 'keyring keys-in-memory sealing wrapping-keys'),
  },
}

/**
 * @param {string} folder In `packages`.
 * @param {string} names Names of test files without extension.
 */
function testsIn(folder, names) {
  return names.split(' ').map((name) => `packages/${folder}/${name}.test.ts`)
}
