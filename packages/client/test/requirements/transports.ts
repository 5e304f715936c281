import type { Requirement } from '../requirements.ts'

/** How messages travel: standard input and output, and HTTP. */
export const transports: readonly Requirement[] = [
  {
    id: 'T1',
    behaviour:
      'Writes one message per line, reads lines however they are cut, takes standard error for no error, and stops a server by ending its input, then SIGTERM, then SIGKILL.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/transports/stdio',
  },
  {
    id: 'T2',
    behaviour:
      'Starts a server that died again and asks anew for the notifications that it was subscribed to.',
    levels: 'OOOOS',
    page: '2026-07-28/basic/transports/stdio',
  },
  {
    id: 'H1',
    behaviour: 'Accepts JSON and event streams, and handles either as the answer to a POST.',
    levels: '-MMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H2',
    behaviour:
      'Names the revision in a header: after the handshake, or from the first request where there is none.',
    levels: '-OMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H3',
    behaviour:
      'Returns the session id with every request, starts a new session when the server has forgotten it, and ends it with DELETE.',
    levels: '-MMMX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H4',
    behaviour:
      'Listens on a GET stream for what the server says on its own, and is content with a server that has none.',
    levels: '-OOOX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H5',
    behaviour: 'Takes up a broken stream from its last event with GET and `Last-Event-ID`.',
    levels: '-SSSX',
    page: '2025-11-25/basic/transports',
  },
  {
    id: 'H6',
    behaviour:
      'Waits as long as `retry` says before it comes back, and takes the end of a primed stream for no failure.',
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
    behaviour: 'Repeats the method, and the name or address that a request is about, in headers.',
    levels: '----M',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H9',
    behaviour:
      'Repeats arguments marked `x-mcp-header` in headers, encoded where they need it, and leaves out tools whose marks are invalid.',
    levels: '----M',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H10',
    behaviour: 'After error -32020 lists the tools again and repeats the call once with the right headers.',
    levels: '----S',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H11',
    behaviour: 'Reads the JSON-RPC error in the body of a response that is no success.',
    levels: '-OOOM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
  {
    id: 'H12',
    behaviour: 'Falls back to the two addresses of HTTP+SSE when a server does not take POSTs.',
    levels: 'MOOOO',
    page: '2024-11-05/basic/transports',
  },
  {
    id: 'H13',
    behaviour: 'Sends no header of the host to another origin because of a redirect.',
    levels: 'SSSSS',
    page: '2025-11-25/basic/security_best_practices',
  },
  {
    id: 'H14',
    behaviour:
      'Reads event streams as the WHATWG standard says: any line end, comments, several lines of data, any cut.',
    levels: 'MMMMM',
    page: '2026-07-28/basic/transports/streamable-http',
  },
]
