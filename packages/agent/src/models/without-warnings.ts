import type { LanguageModelMiddleware } from 'ai'

type Stream = Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

/** Drops the warnings of a provider about settings it does not have: the AI SDK prints them on the console. */
export const withoutWarnings: LanguageModelMiddleware = {
  specificationVersion: 'v3',
  wrapGenerate: async ({ doGenerate }) => ({ ...(await doGenerate()), warnings: [] }),
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream()
    return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform: dropWarnings })) }
  },
}

function dropWarnings(part: StreamPart, controller: TransformStreamDefaultController<StreamPart>): void {
  controller.enqueue(part.type === 'stream-start' ? { ...part, warnings: [] } : part)
}
