/** Name of the tasks extension, to be declared in `extensions`. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
