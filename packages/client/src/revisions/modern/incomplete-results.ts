import { isJsonObject, type JsonObject } from '../../jsonrpc/json.ts'
import { malformedError } from '../../jsonrpc/jsonrpc.ts'
import type { ClientCapabilities } from '../../model/capability.ts'
import { TASKS_EXTENSION } from '../../model/tasks-extension.ts'

const MAY_NEED_INPUT: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])

/** Checks a result that is not complete. Throws if its type was not requested. */
export function checkIncomplete(method: string, result: unknown, declared: ClientCapabilities): JsonObject {
  if (!isJsonObject(result)) throw malformedError(`the server's answer to ${method} is not an object`)
  const { resultType } = result
  if (resultType === 'input_required' && MAY_NEED_INPUT.has(method)) return checkInputRequired(method, result)
  const mayBeTask = method === 'tools/call' || method === 'tasks/get'
  if (resultType === 'task' && mayBeTask && declared.extensions?.[TASKS_EXTENSION] !== undefined)
    return result
  throw malformedError(
    `the server answered ${method} with a result of the type ${JSON.stringify(resultType)}`,
  )
}

function checkInputRequired(method: string, result: JsonObject): JsonObject {
  const { inputRequests, requestState } = result
  const hasQuestions = inputRequests === undefined || isJsonObject(inputRequests)
  const hasState = requestState === undefined || typeof requestState === 'string'
  const hasEither = inputRequests !== undefined || requestState !== undefined
  if (hasQuestions && hasState && hasEither) return result
  throw malformedError(`the server answered ${method} with a request for input that has none, or odd ones`)
}
