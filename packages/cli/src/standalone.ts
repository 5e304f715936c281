// The command in one file with the packages that it uses, except for commands that run a gateway.
export { callTool } from './actions/call.ts'
export { listTools } from './actions/tools.ts'
export { start } from './start.ts'
