/** The name under which client and server declare tasks where they are an extension. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
