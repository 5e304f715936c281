import { type ModelApi, objectsIn, piecesOf, textOf, type WrittenAnswer } from './model-api.ts'
import type { StreamEvent } from './provider.ts'

/** https://ai.google.dev/api/generate-content */
export const googleContent: ModelApi = {
  basePath: '/v1beta',
  route: /^\/models\/[^/:]+:(?:generateContent|streamGenerateContent\?alt=sse)$/,
  isStream: ({ path }) => path.includes(':streamGenerateContent'),
  stream: (answer) => ({
    body: [...piecesOf(answer.text).map((text) => ({ text })), ...callParts(answer)].map((part) =>
      chunk(answer, [part]),
    ),
    closing: [chunk(answer, [{ text: '' }], finishReasons[answer.end])],
  }),
  whole: (answer) => {
    const text = answer.text === '' ? [] : [{ text: answer.text }]
    return responseOf(answer, [...text, ...callParts(answer)], finishReasons[answer.end])
  },
  failure: (message) => ({ error: { code: 400, message, status: 'SCRIPTED_ERROR' } }),
  tools: ({ tools }) =>
    objectsIn(tools)
      .flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations))
      .map(({ name }) => textOf(name)),
  results: ({ contents }) =>
    objectsIn(contents)
      .flatMap(({ parts }) => objectsIn(parts))
      .flatMap(({ functionResponse }) => objectsIn([functionResponse]))
      .map(({ response }) => textOf(response)),
}

const finishReasons = { stop: 'STOP', calls: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' } as const

function callParts({ calls }: WrittenAnswer): readonly object[] {
  return calls.map(({ tool, input }) => ({
    functionCall: { name: tool, args: JSON.parse(input) as unknown },
  }))
}

function chunk(answer: WrittenAnswer, parts: readonly object[], finishReason?: string): StreamEvent {
  return [undefined, responseOf(answer, parts, finishReason)]
}

function responseOf(
  { id, model, usage: { input, output } }: WrittenAnswer,
  parts: readonly object[],
  finishReason?: string,
): object {
  return {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
    },
    modelVersion: model,
    responseId: id,
  }
}
