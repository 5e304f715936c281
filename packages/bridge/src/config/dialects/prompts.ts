import {
  type DocumentLocation,
  fieldOf,
  fieldsOf,
  itemsOf,
  type Report,
} from '../documents/config-document.ts'
import type { JsonValue } from '../documents/json-value.ts'
import type { InputSpec } from '../spec/input-spec.ts'

/** Reads the `inputs` of a document. */
export function inputsOf(root: DocumentLocation, report: Report): readonly InputSpec[] {
  const inputs = fieldOf(root, 'inputs')
  if (inputs === undefined) return []
  const read = itemsOf(inputs).map(inputOf)
  if (inputs.node.type !== 'array' || read.some((input) => input.length === 0)) {
    report(inputs, {
      code: 'field_invalid',
      severity: 'warning',
      message: '"inputs" must be an array of objects with an "id"; other items were ignored',
      fix: 'correct the value',
    })
  }
  for (const input of itemsOf(inputs)) reportCommand(input, report)
  return read.flat()
}

/** Inputs that an editor fills by a command are asked for instead. */
function reportCommand(input: DocumentLocation, report: Report): void {
  const type = fieldOf(input, 'type')
  if (type?.node.value !== 'command') return
  report(type, {
    code: 'field_dropped',
    severity: 'warning',
    message: `the input "${String(fieldOf(input, 'id')?.node.value)}" is provided by an editor command; it is asked for instead`,
    fix: 'answer the question, or write ${env:NAME} instead',
  })
}

function inputOf(location: DocumentLocation): readonly InputSpec[] {
  const values = new Map(fieldsOf(location).map(({ key, node }) => [key, node.value]))
  const id = values.get('id')
  const options = fieldOf(location, 'options')
  if (typeof id !== 'string') return []
  const choices =
    options === undefined
      ? []
      : itemsOf(options).map((item) => String(item.node.value ?? fieldOf(item, 'value')?.node.value))
  const description = values.get('description')
  const initial = values.get('default')
  return [
    {
      id,
      ...(typeof description === 'string' ? { description } : {}),
      ...(values.get('password') === true ? { isSecret: true } : {}),
      ...(typeof initial === 'string' ? { default: initial } : {}),
      ...(choices.length === 0 ? {} : { options: choices }),
    },
  ]
}

/** The `inputs` field of a document; omitted if there are none. */
export function writtenInputs(inputs: readonly InputSpec[]): Readonly<Record<string, JsonValue>> {
  return inputs.length === 0 ? {} : { inputs: inputs.map(writtenInput) }
}

function writtenInput({ id, description, isSecret, default: initial, options }: InputSpec): JsonValue {
  return {
    type: options === undefined ? 'promptString' : 'pickString',
    id,
    ...(description === undefined ? {} : { description }),
    ...(isSecret === true ? { password: true } : {}),
    ...(initial === undefined ? {} : { default: initial }),
    ...(options === undefined ? {} : { options }),
  }
}
