/** The codes of findings that are not issues of a configuration file, with their meaning, by stage. */
export const ownCodes = {
  any: {
    ok: 'nothing is wrong',
    not_reached: 'skipped, because an earlier stage failed',
    not_active: 'skipped, because nothing is started',
    not_applicable: 'skipped, because it does not apply to this transport',
  },
  permissions: {
    syntax: 'a rules file is not valid JSON',
    file_unreadable: 'a rules file cannot be read',
    permissions_invalid: 'a rule, mode or field of a rules file is invalid, or means something else here',
    permissions_useless: 'a rules file that only restricts would allow calls, which has no effect',
  },
  trust: {
    untrusted: 'the entry comes with the project and nobody has trusted it',
    disabled: 'the entry is disabled',
  },
  binary: {
    program_missing: 'there is no such program in PATH or at that path',
    program_not_executable: 'the file may not be executed',
    interpreter_missing: 'the interpreter in the first line of the program does not exist',
    shebang_line_ending:
      'the first line of the program ends with a carriage return, which becomes part of the name',
  },
  spawn: {
    start_failed: 'the operating system cannot start the program',
    connection_refused: 'nothing listens at that address',
    host_unknown: 'there is no host of that name',
    tls_untrusted: 'the certificate is not signed by a known authority',
    tls_failed: 'the TLS connection cannot be made for another reason',
    tls_expiring: 'the certificate expires within two weeks',
    address_refused: 'the address may not be opened from here',
    connection_failed: 'the connection cannot be made for another reason',
  },
  'first-byte': {
    module_missing: 'the program does not find one of its modules',
    exited_at_start: 'the program exits with code 0 instead of waiting for messages',
    crashed_at_start: 'the program exits with an error before its first message',
    silent_start: 'the server sends nothing within the start timeout',
    stdout_text: 'the program writes text to its standard output, which is for messages only',
    http_not_found: 'there is nothing at the path of the URL (HTTP 404)',
    http_method_refused: 'the path of the URL does not accept messages (HTTP 405)',
    http_status: 'the server answers with another error status',
    html_answer: 'the URL is that of a web page',
    redirected: 'the server redirects to another origin, which is not followed',
  },
  era: {
    initialize_refused: 'the server answers the handshake with an error',
    initialize_timeout: 'the server sends something, but does not answer the handshake in time',
    version_unsupported: 'both sides have no revision of the protocol in common',
    handshake_invalid: 'the answer to the handshake is not valid',
    connection_lost: 'the connection ends during the handshake',
  },
  authorization: {
    sign_in_needed: 'a person has to sign in',
    token_expired: 'the token has expired',
    token_refused: 'the server refuses the token',
    access_denied: 'the server refuses access with these credentials (HTTP 403)',
    metadata_missing: 'the server requires a token and does not say where to get one',
    resource_mismatch: 'the metadata of the server describes another URL',
    authorization_failed: 'the authorization fails for another reason',
  },
  list: {
    list_silent: 'the server does not answer tools/list in time',
    list_refused: 'the server answers tools/list with an error',
    list_failed: 'the list of tools cannot be read',
  },
  schema: {
    schema_refused: 'a model provider does not accept the schema of a tool, which is left out for it',
  },
  names: {
    name_shortened: 'the name of a tool is too long and is cut',
    name_collision: 'two tools would have the same name, so they get a hash or are left out',
    tool_repeated: 'the server lists a tool twice',
  },
  tokens: {
    tokens_high: 'the definitions of the tools take a large part of the context of a model',
  },
  latency: {
    slow_start: 'the start takes more than half of its timeout',
    ping_failed: 'the server does not answer a ping',
  },
  exit: {
    exit_killed: 'the program ignores the end of its input and SIGTERM, and is killed',
    processes_left: 'processes of the server are still running',
  },
} as const

type CodesByStage = typeof ownCodes

/** The code of a finding that is not an issue of a configuration file. */
export type OwnCode = { [S in keyof CodesByStage]: keyof CodesByStage[S] }[keyof CodesByStage]
