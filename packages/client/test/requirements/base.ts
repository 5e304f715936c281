import type { Requirement } from '../requirements.ts'

/** Negotiation, messages and what every request has. */
export const base: readonly Requirement[] = [
  {
    id: 'N1',
    behaviour:
      'Opens with `initialize` in the newest revision that has a handshake, checks the revision that the server chose, and sends `notifications/initialized`.',
    levels: 'MMMMX',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'N2',
    behaviour:
      'Asks `server/discover` first and falls back to the handshake when the answer, or silence on stdio, shows an older server.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N3',
    behaviour:
      'After error -32022 picks a common revision from what the server supports and asks again, once per connection.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N4',
    behaviour: 'Remembers which era a server speaks, and finds out anew when that turns out to be wrong.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N5',
    behaviour: 'Puts the revision and its capabilities into `_meta` of every request.',
    levels: 'XXXXM',
    page: '2026-07-28/basic',
  },
  {
    id: 'N6',
    behaviour: 'Says who it is in `_meta` of every request.',
    levels: '----S',
    page: '2026-07-28/basic',
  },
  {
    id: 'N7',
    behaviour: 'After falling back, its handshake has no header and no `_meta` of the newer revision.',
    levels: 'MMMM-',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N8',
    behaviour:
      'Switches to the newer revision when the handshake is refused with error -32022 that names one.',
    levels: '----O',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N9',
    behaviour: 'Ends the connection when no revision is common to both sides.',
    levels: 'SSSSS',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'N10',
    behaviour: 'Does not ask for what the negotiated revision does not have.',
    levels: 'SSMMM',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'B1',
    behaviour: 'Gives every request an id that is not null and no other request has.',
    levels: 'MMMMM',
    page: '2026-07-28/basic',
  },
  {
    id: 'B2',
    behaviour: 'Takes a batch apart and handles each message by itself.',
    levels: 'OM---',
    page: '2025-03-26/basic',
  },
  {
    id: 'B3',
    behaviour:
      'Answers `ping` at any time, and a request that it does not know with error -32601; without a handshake it drops both.',
    levels: 'MMMMX',
    page: '2025-11-25/basic/utilities/ping',
  },
  {
    id: 'B4',
    behaviour: 'Never sends an answer: the server has no requests of its own.',
    levels: '----M',
    page: '2026-07-28/basic/patterns',
  },
  {
    id: 'B5',
    behaviour:
      'Takes a result without `resultType` as complete and refuses one whose `resultType` it does not know.',
    levels: '----M',
    page: '2026-07-28/basic',
  },
  {
    id: 'B6',
    behaviour:
      'Has a deadline for every request, cancels what it gives up, ignores answers that come late, and never cancels `initialize`.',
    levels: 'SSSSS',
    page: '2026-07-28/basic/patterns/cancellation',
  },
  {
    id: 'B7',
    behaviour:
      'Cancels over HTTP with a notification of its own; without a handshake by closing the stream of the answer instead.',
    levels: '-MMMM',
    page: '2026-07-28/basic/patterns/cancellation',
  },
  {
    id: 'B8',
    behaviour: 'Passes cursors on unread, and follows an empty one like any other.',
    levels: 'MMMMM',
    page: '2026-07-28/server/utilities/pagination',
  },
  {
    id: 'B9',
    behaviour:
      'Uses a progress token once among the requests in flight, and ignores progress for unknown tokens.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/patterns/progress',
  },
  {
    id: 'B10',
    behaviour: 'Ignores notifications that it does not know and answers that nobody waits for.',
    levels: 'SSSSS',
    page: '2026-07-28/basic',
  },
  {
    id: 'B11',
    behaviour: 'Never answers a notification, and a request once.',
    levels: 'MMMMM',
    page: '2026-07-28/basic',
  },
  {
    id: 'B12',
    behaviour: 'Ends its work on a request that the server cancels, and does not answer it.',
    levels: 'SSSS-',
    page: '2025-11-25/basic/utilities/cancellation',
  },
  {
    id: 'B13',
    behaviour: 'Raises errors of its own that cannot be mistaken for errors of the server.',
    levels: '----S',
    page: '2026-07-28/basic',
  },
  {
    id: 'B14',
    behaviour: 'Sends only messages that the schema of the revision allows.',
    levels: 'MMMMM',
    page: '2026-07-28/schema',
  },
]
