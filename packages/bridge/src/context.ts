/** The execution context of agents and the toolkits it carries. */

export {
  type EnteredContext,
  type ExecutionContext,
  type ExecutionContextInput,
  type ExecutionPrincipal,
  getExecutionContext,
  withExecutionContext,
} from './context/execution-context.ts'
export {
  type MCPToolkit,
  type MCPToolkitInput,
  type MCPToolkitMap,
  type MCPToolkitMapInput,
  type MCPToolkitTransport,
  type MCPTransportInput,
  type MCPTransportSpec,
  type MessageTransport,
  toolkitSpecs,
} from './context/toolkits/toolkits.ts'
