/** The codes of issues of configuration files, with their meaning, by the stage that reports them. */
export const issueCodes = {
  file: {
    syntax: 'the file is not valid JSON, TOML or YAML',
    file_missing: 'the file does not exist',
    file_unreadable: 'the file cannot be read',
  },
  variables: {
    env_file_missing: 'the file of environment variables does not exist',
    helper_failed: 'the program that prints headers fails',
    input_missing: 'an input has no value',
    not_for_session: 'the entry uses something of the machine that a platform must not give to its users',
    value_invalid: 'a value cannot be used after its variables were replaced',
    variable_cyclic: 'a variable contains itself',
    variable_literal: 'a reference is used as text, because this format does not replace it here',
    variable_nested: 'a reference contains another one',
    variable_unknown: 'the kind of a variable is unknown',
    variable_unset: 'a variable is not set',
    variable_unsupported: 'a variable of the host is not supported',
    variable_unterminated: 'a reference has no closing brace',
  },
  dialect: {
    dialect_unknown: 'the named format does not exist',
    root_ambiguous: 'several formats match the file',
    root_invalid: 'the document is not an object',
    root_missing: 'the file contains no servers under a known key',
    root_unused: 'the file has servers under a second key, which is not read',
    field_conflict: 'two fields contradict each other',
    field_dropped: 'a field has no effect here',
    field_duplicate: 'a field is written twice',
    field_ignored_by_host: 'the host of this format ignores the field',
    field_invalid: 'the value of a field is invalid',
    field_missing: 'a required field is missing',
    field_restricts: 'an unknown field may restrict the server, so the server is not used',
    field_unknown: 'a field is unknown and ignored',
    field_unused: 'a field does not apply to this transport',
    field_widens: 'an unknown field would allow calls without asking and is ignored',
    name_invalid: 'the name of the server is invalid',
    pattern_unknown: 'a pattern of tools is not understood',
    secret_inline: 'the file contains a secret as text',
    server_duplicate: 'two entries have the same name',
    server_overridden: 'another file defines the server too and wins',
    server_refused_above: 'another file defines the server, and its entry cannot be used',
    server_turned_off: 'another entry disables the server',
    server_widened: 'the definition that wins restricts less than the one that it replaces',
    source_unused: 'a source of definitions is not used',
    timeout_ignored: 'a timeout is ignored',
    transport_mismatch: 'the transport does not match the other fields',
    transport_unknown: 'the transport is unknown',
    transport_unsupported: 'the transport is not supported',
    url_and_command: 'the entry has both a URL and a command',
    url_twice: 'the entry has two URLs',
    url_unsupported: 'the scheme of the URL is not supported',
    version_unknown: 'the version of the format is unknown',
  },
} as const

/** The stage that reports an issue. */
export function stageOfIssue(code: string): 'file' | 'dialect' | 'variables' {
  if (Object.hasOwn(issueCodes.file, code)) return 'file'
  return Object.hasOwn(issueCodes.variables, code) ? 'variables' : 'dialect'
}
