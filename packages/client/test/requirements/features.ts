import type { Requirement } from '../requirements.ts'

/** Features of servers, and requests that servers may send. */
export const features: readonly Requirement[] = [
  {
    id: 'F1',
    behaviour: 'Lists and calls tools; a failure of a tool is a result, and every kind of content is kept.',
    levels: 'MMMMM',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F2',
    behaviour: 'Makes no decisions based on tool annotations.',
    levels: '-MMMM',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F3',
    behaviour: 'Validates structured content against the output schema of the tool.',
    levels: '--SSS',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F4',
    behaviour: 'Does not fetch schemas from the network, and keeps schemas unchanged.',
    levels: '---MM',
    page: '2026-07-28/basic',
  },
  {
    id: 'F5',
    behaviour:
      'Lists resources and templates and reads them; both error codes for a missing resource are recognized.',
    levels: 'MMMMM',
    page: '2026-07-28/server/resources',
  },
  {
    id: 'F6',
    behaviour: 'Subscribes to changes of resources.',
    levels: 'OOOOO',
    page: '2026-07-28/server/resources',
  },
  {
    id: 'F7',
    behaviour: 'Lists prompts and gets them with arguments.',
    levels: 'OOOOO',
    page: '2026-07-28/server/prompts',
  },
  {
    id: 'F8',
    behaviour: 'Requests completions, with the arguments resolved so far if the revision supports it.',
    levels: 'OOOOO',
    page: '2026-07-28/server/utilities/completion',
  },
  {
    id: 'F9',
    behaviour: 'Sets the level of log messages, for the session or with each request.',
    levels: 'OOOOO',
    page: '2026-07-28/server/utilities/logging',
  },
  {
    id: 'F10',
    behaviour: 'Answers requests for roots and reports changes of them.',
    levels: 'OOOOO',
    page: '2026-07-28/client/roots',
  },
  {
    id: 'F11',
    behaviour: 'Passes sampling requests to a model, with tools if declared.',
    levels: 'OOOOO',
    page: '2026-07-28/client/sampling',
  },
  {
    id: 'F12',
    behaviour: 'Passes forms to a person, fills in defaults, and distinguishes decline and cancel.',
    levels: '--OOO',
    page: '2026-07-28/client/elicitation',
  },
  {
    id: 'F13',
    behaviour:
      'Opens a URL only with consent, never fetches it, and continues when the server reports completion.',
    levels: '---OO',
    page: '2026-07-28/client/elicitation',
  },
  {
    id: 'F14',
    behaviour:
      'Answers an `input_required` result with a new request that has the answers of that round and the exact `requestState`.',
    levels: '----M',
    page: '2026-07-28/basic/patterns/mrtr',
  },
  {
    id: 'F15',
    behaviour:
      'Listens with `subscriptions/listen`, from acknowledgement to end, and assigns each notification to its subscription.',
    levels: '----O',
    page: '2026-07-28/basic/patterns/subscriptions',
  },
  {
    id: 'F16',
    behaviour: 'Invalidates a list when the server reports a change.',
    levels: 'SSSSS',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F17',
    behaviour: 'Reuses a result for its `ttlMs`, only for the same request and the same user.',
    levels: '----S',
    page: '2026-07-28/server/utilities/caching',
  },
  {
    id: 'F18',
    behaviour: 'Runs a tool as a task: polls it, gets its result, cancels it.',
    levels: '---OO',
    page: '2025-11-25/basic/utilities/tasks',
  },
  {
    id: 'F19',
    behaviour: 'Declares the extensions that the host enables and exposes those of the server.',
    levels: 'OOOOO',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'F20',
    behaviour: 'Propagates trace context in `_meta`.',
    levels: 'OOOOO',
    page: '2026-07-28/basic',
  },
  {
    id: 'F21',
    behaviour: 'Loads icons only from permitted sources and without credentials; it currently loads none.',
    levels: '---MM',
    page: '2026-07-28/basic',
  },
  {
    id: 'S1',
    behaviour:
      'Opens only permitted URLs: no private addresses for untrusted servers, no scheme other than HTTP, nothing through a shell.',
    levels: 'SSSMM',
    page: '2025-11-25/basic/security_best_practices',
  },
]
