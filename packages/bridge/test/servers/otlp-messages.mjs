/** Reads what OpenTelemetry's exporters send, by the field numbers of opentelemetry-proto 1.x. */
import reading from '@opentelemetry/otlp-transformer/build/src/common/protobuf/protobuf-reader.js'

const { ProtobufReader } = reading

/** A message is read field by field: what each number means, and whether there may be several of it. */
const text = (reader) => reader.readString()
const bytes = (reader) => Buffer.from(reader.readBytes()).toString('hex')
const number = (reader) => reader.readVarint()
const message = (fields) => (reader) => read(reader.readBytes(), fields)
const wide = (take) => (reader, view) => {
  const value = take(view, reader.pos)
  reader.skip(1)
  return value
}
const double = wide((view, at) => view.getFloat64(at, true))
const long = wide((view, at) => Number(view.getBigUint64(at, true)))

const one = (name, take) => ({ name, take, isList: false })
const many = (name, take) => ({ name, take, isList: true })

const anyValue = {
  1: one('value', text),
  2: one('value', number),
  3: one('value', number),
  4: one('value', double),
}
const keyValue = { 1: one('key', text), 2: one('value', message(anyValue)) }
const attributes = many('attributes', message(keyValue))
const scope = one('scope', message({ 1: one('name', text), 2: one('version', text) }))
const resource = one('resource', message({ 1: attributes }))

const span = {
  1: one('traceId', bytes),
  2: one('spanId', bytes),
  3: one('traceState', text),
  4: one('parentSpanId', bytes),
  5: one('name', text),
  6: one('kind', number),
  9: attributes,
  15: one('status', message({ 2: one('message', text), 3: one('code', number) })),
}
const numberPoint = { 4: one('value', double), 6: one('value', long), 7: attributes }
const histogramPoint = { 4: one('count', long), 5: one('sum', double), 9: attributes }
const metric = {
  1: one('name', text),
  3: one('unit', text),
  5: one('gauge', message({ 1: many('points', message(numberPoint)) })),
  7: one('sum', message({ 1: many('points', message(numberPoint)) })),
  9: one('histogram', message({ 1: many('points', message(histogramPoint)) })),
}
const scoped = (name, item) => message({ 1: scope, 2: many(name, message(item)) })

/** By path: what a request to it holds. */
export const requests = {
  '/v1/traces': { 1: many('resources', message({ 1: resource, 2: many('scopes', scoped('spans', span)) })) },
  '/v1/metrics': {
    1: many('resources', message({ 1: resource, 2: many('scopes', scoped('metrics', metric)) })),
  },
}

export function read(buffer, fields) {
  const reader = new ProtobufReader(buffer)
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  const result = {}
  while (!reader.isAtEnd()) {
    const { fieldNumber, wireType } = reader.readTag()
    const field = fields[fieldNumber]
    if (field === undefined) reader.skip(wireType)
    else if (field.isList) (result[field.name] ??= []).push(field.take(reader, view))
    else result[field.name] = field.take(reader, view)
  }
  return result
}
