/** The execution context of agents and the toolkits it carries. */

export {
  type EnteredContext,
  type ExecutionContext,
  type ExecutionContextInput,
  type ExecutionPrincipal,
  executionContext,
  getExecutionContext,
  withExecutionContext,
} from './context/execution-context.ts'
export { readToolkits } from './context/toolkits/parse-toolkits.ts'
export {
  ExecutionMCPContextSchema,
  MCPToolkitMapSchema,
  MCPToolkitSchema,
  type StandardSchema,
  type StandardSchemaIssue,
} from './context/toolkits/toolkit-schemas.ts'
export {
  type MCPToolkit,
  type MCPToolkitInput,
  type MCPToolkitMap,
  type MCPToolkitMapInput,
  type MCPToolkitTransport,
  type MCPTransportInput,
  type MCPTransportSpec,
  type MessageTransport,
} from './context/toolkits/toolkits.ts'
