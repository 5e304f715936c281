import type { Requirement } from '../requirements.ts'

/** What servers offer and what they may ask for. */
export const features: readonly Requirement[] = [
  {
    id: 'F1',
    behaviour: "Lists and calls tools; a tool's own failure is a result, and every kind of content is kept.",
    levels: 'MMMMM',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F2',
    behaviour: 'Decides nothing by what a server says of its own tools in annotations.',
    levels: '-MMMM',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F3',
    behaviour: 'Checks structured content against the output schema of its tool.',
    levels: '--SSS',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F4',
    behaviour: 'Fetches no schema from the network and keeps schemas as the server wrote them.',
    levels: '---MM',
    page: '2026-07-28/basic',
  },
  {
    id: 'F5',
    behaviour:
      'Lists resources and templates and reads them; a missing one is told by either of its error codes.',
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
    behaviour: 'Asks for completions, with the arguments that are known already where the revision has them.',
    levels: 'OOOOO',
    page: '2026-07-28/server/utilities/completion',
  },
  {
    id: 'F9',
    behaviour: 'Sets the level of log messages: for the session, or with each request.',
    levels: 'OOOOO',
    page: '2026-07-28/server/utilities/logging',
  },
  {
    id: 'F10',
    behaviour: 'Tells its roots when asked, and that they changed.',
    levels: 'OOOOO',
    page: '2026-07-28/client/roots',
  },
  {
    id: 'F11',
    behaviour: 'Has a model answer sampling requests, with tools where that was declared.',
    levels: 'OOOOO',
    page: '2026-07-28/client/sampling',
  },
  {
    id: 'F12',
    behaviour: 'Has a person fill in a form, completes it with defaults, and tells decline and cancel apart.',
    levels: '--OOO',
    page: '2026-07-28/client/elicitation',
  },
  {
    id: 'F13',
    behaviour:
      'Leads a person to an address only with consent, never fetches it, and goes on when told that it is done.',
    levels: '---OO',
    page: '2026-07-28/client/elicitation',
  },
  {
    id: 'F14',
    behaviour:
      'Answers an `input_required` result by a new request with the answers of that round and the exact `requestState`.',
    levels: '----M',
    page: '2026-07-28/basic/patterns/mrtr',
  },
  {
    id: 'F15',
    behaviour:
      'Listens with `subscriptions/listen`, from its acknowledgement to its end, and takes each notification for its own subscription.',
    levels: '----O',
    page: '2026-07-28/basic/patterns/subscriptions',
  },
  {
    id: 'F16',
    behaviour: 'Does not trust a list any more once the server says that it changed.',
    levels: 'SSSSS',
    page: '2026-07-28/server/tools',
  },
  {
    id: 'F17',
    behaviour:
      'Uses a result again for as long as `ttlMs` says, for the same request and the same user only.',
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
    behaviour: 'Declares extensions that the host asks for and tells those of the server.',
    levels: 'OOOOO',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'F20',
    behaviour: 'Hands trace context on in `_meta`.',
    levels: 'OOOOO',
    page: '2026-07-28/basic',
  },
  {
    id: 'F21',
    behaviour:
      'Loads icons, if at all, only from where they may come and without credentials; it loads none.',
    levels: '---MM',
    page: '2026-07-28/basic',
  },
  {
    id: 'S1',
    behaviour:
      'Opens only addresses that it may: no private ones for strangers, no scheme but HTTP, nothing through a shell.',
    levels: 'SSSMM',
    page: '2025-11-25/basic/security_best_practices',
  },
]
