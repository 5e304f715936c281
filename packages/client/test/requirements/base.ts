import type { Requirement } from '../requirements.ts'

/** Negotiation, messages, and rules for every request. */
export const base: readonly Requirement[] = [
  {
    id: 'N1',
    behaviour:
      'Opens with `initialize` in the newest revision that has a handshake, checks the revision that the server selects, and sends `notifications/initialized`.',
    levels: 'MMMMX',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'N2',
    behaviour:
      'Sends `server/discover` first and falls back to the handshake if the response, or no response on stdio, indicates an older server.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N3',
    behaviour:
      'After error -32022, selects a common revision from those the server supports and retries, once per connection.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N4',
    behaviour: 'Caches the era of a server, and detects it again if the cached era is wrong.',
    levels: '----S',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N5',
    behaviour: 'Includes the revision and its capabilities in `_meta` of every request.',
    levels: 'XXXXM',
    page: '2026-07-28/basic',
  },
  {
    id: 'N6',
    behaviour: 'Includes its name and version in `_meta` of every request.',
    levels: '----S',
    page: '2026-07-28/basic',
  },
  {
    id: 'N7',
    behaviour: 'After a fallback, the handshake has no headers and no `_meta` of the newer revision.',
    levels: 'MMMM-',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N8',
    behaviour: 'Switches to the newer revision if the handshake is refused with error -32022 that names one.',
    levels: '----O',
    page: '2026-07-28/basic/versioning',
  },
  {
    id: 'N9',
    behaviour: 'Closes the connection if there is no common revision.',
    levels: 'SSSSS',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'N10',
    behaviour: 'Does not use features that the negotiated revision does not have.',
    levels: 'SSMMM',
    page: '2025-11-25/basic/lifecycle',
  },
  {
    id: 'B1',
    behaviour: 'Gives every request a unique id that is not null.',
    levels: 'MMMMM',
    page: '2026-07-28/basic',
  },
  {
    id: 'B2',
    behaviour: 'Splits a batch and handles each message separately.',
    levels: 'OM---',
    page: '2025-03-26/basic',
  },
  {
    id: 'B3',
    behaviour:
      'Answers `ping` at any time, and unknown requests with error -32601; without a handshake it ignores both.',
    levels: 'MMMMX',
    page: '2025-11-25/basic/utilities/ping',
  },
  {
    id: 'B4',
    behaviour: 'Never sends a response: servers send no requests.',
    levels: '----M',
    page: '2026-07-28/basic/patterns',
  },
  {
    id: 'B5',
    behaviour: 'Treats a result without `resultType` as complete and rejects an unknown `resultType`.',
    levels: '----M',
    page: '2026-07-28/basic',
  },
  {
    id: 'B6',
    behaviour:
      'Has a timeout for every request, cancels requests that it abandons, ignores late responses, and never cancels `initialize`.',
    levels: 'SSSSS',
    page: '2026-07-28/basic/patterns/cancellation',
  },
  {
    id: 'B7',
    behaviour: 'Cancels over HTTP with a notification; without a handshake, by closing the response stream.',
    levels: '-MMMM',
    page: '2026-07-28/basic/patterns/cancellation',
  },
  {
    id: 'B8',
    behaviour: 'Treats cursors as opaque, including an empty one.',
    levels: 'MMMMM',
    page: '2026-07-28/server/utilities/pagination',
  },
  {
    id: 'B9',
    behaviour: 'Uses unique progress tokens among pending requests, and ignores progress for unknown tokens.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/patterns/progress',
  },
  {
    id: 'B10',
    behaviour: 'Ignores unknown notifications and responses without a pending request.',
    levels: 'SSSSS',
    page: '2026-07-28/basic',
  },
  {
    id: 'B11',
    behaviour: 'Never responds to a notification, and responds to a request once.',
    levels: 'MMMMM',
    page: '2026-07-28/basic',
  },
  {
    id: 'B12',
    behaviour: 'Stops work on a request that the server cancels, and does not respond to it.',
    levels: 'SSSS-',
    page: '2025-11-25/basic/utilities/cancellation',
  },
  {
    id: 'B13',
    behaviour: 'Reports its own errors so that they cannot be mistaken for errors of the server.',
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
