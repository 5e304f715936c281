import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

/** What the servers provide. */
export const useOperations: readonly Operation[] = [
  ...topic('Tools', [
    {
      method: 'get',
      path: paths.tools,
      id: 'listTools',
      summary: 'Lists the tools of the servers that are ready, except those that rules deny',
      response: 'ToolsResponse',
    },
    {
      method: 'post',
      path: paths.call,
      id: 'callTool',
      summary: 'Calls a tool; aborting the request cancels the call',
      request: 'CallToolRequest',
      response: 'CallToolResponse',
    },
    {
      method: 'post',
      path: paths.invoke,
      id: 'invokeWorkflow',
      summary: 'Runs tool and agent nodes in order with the saved servers',
      request: 'WorkflowInvokeRequest',
      response: 'WorkflowInvokeResponse',
    },
  ]),
  ...topic('Resources and prompts', [
    {
      method: 'get',
      path: paths.resources,
      id: 'listResources',
      summary: 'Lists the resources and templates of the servers, except those that rules deny',
      response: 'ResourcesResponse',
    },
    {
      method: 'post',
      path: paths.readResource,
      id: 'readResource',
      summary: 'Reads a resource',
      request: 'ReadResourceRequest',
      response: 'ReadResourceResponse',
    },
    {
      method: 'get',
      path: paths.prompts,
      id: 'listPrompts',
      summary: 'Lists the prompts of the servers, except those that rules deny',
      response: 'PromptsResponse',
    },
    {
      method: 'post',
      path: paths.getPrompt,
      id: 'getPrompt',
      summary: 'Gets the messages of a prompt',
      request: 'GetPromptRequest',
      response: 'GetPromptResponse',
    },
    {
      method: 'post',
      path: paths.complete,
      id: 'completeArgument',
      summary: 'Suggests values for an argument of a prompt or of a template',
      request: 'CompleteArgumentRequest',
      response: 'CompleteArgumentResponse',
    },
  ]),
  ...topic('Inbox', [
    {
      method: 'get',
      path: paths.inbox,
      id: 'listQuestions',
      summary: 'Lists the open questions, oldest first',
      response: 'InboxResponse',
    },
    {
      method: 'post',
      path: `${paths.inbox}/{id}/answer`,
      id: 'answerQuestion',
      summary: 'Answers a question; it stays open if the answer is invalid',
      request: 'AnswerRequest',
      response: 'Success',
    },
  ]),
]
