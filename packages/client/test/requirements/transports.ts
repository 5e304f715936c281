import type { Requirement } from '../requirements.ts'

/** Transports: standard input and output, and HTTP. */
export const transports: readonly Requirement[] = [
  {
    id: 'T1',
    behaviour:
      'Writes one message per line, reads lines split at any byte, does not treat standard error as an error, and stops a server by closing its input, then SIGTERM, then SIGKILL.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/transports/stdio',
  },
  {
    id: 'T2',
    behaviour: 'Restarts a server that exited and restores its subscriptions.',
    levels: 'OOOOS',
    page: '2026-07-28/basic/transports/stdio',
  },
  {
    id: 'H1',
    behaviour: 'Accepts JSON and event streams as the response to a POST.',
    levels: '-MMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H2',
    behaviour:
      'Sends the revision in a header: after the handshake, or from the first request if there is none.',
    levels: '-OMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H3',
    behaviour:
      'Sends the session id with every request, opens a new session if the server has lost it, and ends it with DELETE.',
    levels: '-MMMX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H4',
    behaviour: 'Listens on a GET stream for messages of the server, and works with servers that have none.',
    levels: '-OOOX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H5',
    behaviour: 'Resumes a broken stream from its last event with GET and `Last-Event-ID`.',
    levels: '-SSSX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H6',
    behaviour:
      'Waits for the `retry` time before it reconnects, and does not treat the end of a primed stream as a failure.',
    levels: '---M-',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H7',
    behaviour: 'Repeats a request whose stream was lost, if at all, as a new request with a new id.',
    levels: '----M',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H8',
    behaviour: 'Sends the method, and the name or URI of the request, in headers too.',
    levels: '----M',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H9',
    behaviour:
      'Sends arguments marked `x-mcp-header` in headers too, encoded if needed, and leaves out tools with invalid marks.',
    levels: '----M',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H10',
    behaviour:
      'After error -32020, lists the tools again and repeats the call once with the correct headers.',
    levels: '----S',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H11',
    behaviour: 'Reads the JSON-RPC error in the body of an unsuccessful response.',
    levels: '-OOOM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H12',
    behaviour: 'Falls back to HTTP+SSE if a server does not accept POST.',
    levels: 'MOOOO',
    page: '2024-11-05/basic/transports',
  },
  {
    id: 'H13',
    behaviour: 'Does not send headers of the host to another URL origin after a redirect.',
    levels: 'SSSSS',
    page: '2025-11-25/basic/security_best_practices',
  },
  {
    id: 'H14',
    behaviour:
      'Parses event streams by the WHATWG standard: any line ending, comments, multi-line data, split at any byte.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
]
