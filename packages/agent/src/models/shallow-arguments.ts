import { isTooDeep, MAX_DEPTH } from '@toolbridge/client/internal'
import type { LanguageModelMiddleware } from 'ai'

/** Replaces arguments that are nested too deep by a text that no tool takes: they could not be shown, kept or sent again. */
export const shallowArguments: LanguageModelMiddleware = {
  specificationVersion: 'v3',
  wrapGenerate: async ({ doGenerate }) => {
    const { content, ...rest } = await doGenerate()
    return { ...rest, content: content.map(withShallowInput) }
  },
  wrapStream: async ({ doStream }) => {
    const { stream, ...rest } = await doStream()
    return { ...rest, stream: stream.pipeThrough(new TransformStream({ transform })) }
  },
}

interface Part {
  readonly type: string
  readonly input?: unknown
}

function transform<P extends Part>(part: P, controller: TransformStreamDefaultController<P>): void {
  controller.enqueue(withShallowInput(part))
}

function withShallowInput<P extends Part>(part: P): P {
  const { type, input } = part
  if (type !== 'tool-call' || typeof input !== 'string' || !isDeep(input)) return part
  return { ...part, input: `arguments that are nested deeper than ${MAX_DEPTH} levels` }
}

function isDeep(text: string): boolean {
  try {
    return isTooDeep(JSON.parse(text))
  } catch {
    return false
  }
}
