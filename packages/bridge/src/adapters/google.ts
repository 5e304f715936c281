import {
  type CallableTool,
  type Content,
  type FunctionCall,
  type Part,
  type Schema,
  Type,
} from '@google/genai'
import type { CallToolResult, GetPromptResult, JsonSchema } from '@toolbridge/client'
import type { Bridge } from '../bridge.ts'
import { stringList } from '../catalog/schema/schema.ts'
import { isJsonObject, type ResultPart, resultParts } from '@toolbridge/client/internal'
import { type ModelToolsOptions, modelSurface, type SurfaceTool } from './model-surface.ts'

/**
 * Returns the current tools of the bridge for the `tools` of a request. The SDK calls them itself; to call them manually,
 * pass the function calls to `callTool` and send back the parts it resolves with.
 */
export function googleTool(bridge: Bridge, options: ModelToolsOptions = {}): CallableTool {
  const surface = modelSurface(bridge, 'google', options)
  return {
    tool: () => Promise.resolve({ functionDeclarations: surface.tools.map(functionDeclaration) }),
    callTool: (calls) =>
      Promise.all(
        calls.map(async (call): Promise<Part> => {
          const result = await surface.answer(call.name ?? '', call.args ?? {})
          return functionResponse(call, result, bridge)
        }),
      ),
  }
}

/** Converts the messages of a prompt to contents of a request. */
export function googleContents({ messages }: GetPromptResult): Content[] {
  return messages.map(({ role, content }) => ({
    role: role === 'assistant' ? 'model' : 'user',
    parts: resultParts({ content: [content] }).map(partOf),
  }))
}

function functionDeclaration({ name, description, parameters }: SurfaceTool): {
  name: string
  description: string
  parameters?: Schema
} {
  const hasParameters = isJsonObject(parameters['properties'])
  return { name, description, ...(hasParameters ? { parameters: googleSchema(parameters) } : {}) }
}

const types: Readonly<Record<string, Type>> = {
  string: Type.STRING,
  number: Type.NUMBER,
  integer: Type.INTEGER,
  boolean: Type.BOOLEAN,
  array: Type.ARRAY,
  object: Type.OBJECT,
}
/** Integers that the API expects as strings. */
const lengths = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']
const asTheyAre = ['description', 'format', 'pattern', 'minimum', 'maximum', 'nullable', 'required']

function googleSchema(schema: JsonSchema): Schema {
  const type = typeof schema['type'] === 'string' ? types[schema['type']] : undefined
  const { anyOf, items, properties } = schema
  const texts = stringList(schema['enum'])
  return {
    ...(type === undefined ? {} : { type }),
    ...Object.fromEntries(
      Object.entries(schema).flatMap(([keyword, value]) => {
        if (asTheyAre.includes(keyword)) return [[keyword, value]]
        return lengths.includes(keyword) ? [[keyword, String(value)]] : []
      }),
    ),
    ...(texts.length === 0 ? {} : { enum: [...texts] }),
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.filter(isJsonObject).map(googleSchema) } : {}),
    ...(isJsonObject(items) ? { items: googleSchema(items) } : {}),
    ...(isJsonObject(properties) ? { properties: googleSchemas(properties) } : {}),
  }
}

function googleSchemas(schemas: Readonly<Record<string, unknown>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, googleSchema(isJsonObject(schema) ? schema : {})]),
  )
}

function functionResponse({ id, name }: FunctionCall, result: CallToolResult, { results }: Bridge): Part {
  const parts = resultParts(result, results.policyOf(result))
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((said) => said !== '')
    .join('\n')
  const media = parts.flatMap((part) =>
    part.type === 'media' ? [{ inlineData: { data: part.data, mimeType: part.mimeType } }] : [],
  )
  return {
    functionResponse: {
      ...(id === undefined ? {} : { id }),
      ...(name === undefined ? {} : { name }),
      response: result.isError === true ? { error: text || 'the tool failed' } : { output: text },
      ...(media.length === 0 ? {} : { parts: media }),
    },
  }
}

function partOf(part: ResultPart): Part {
  if (part.type === 'text') return { text: part.text }
  return { inlineData: { data: part.data, mimeType: part.mimeType } }
}
