import { fieldOf, fieldsOf, itemsOf, type Place, type Report } from '../document.ts'
import type { Plain } from '../fields/rule.ts'
import type { InputSpec } from '../inputs.ts'

/** What a document says about how to ask for its inputs. */
export function inputsOf(root: Place, report: Report): readonly InputSpec[] {
  const inputs = fieldOf(root, 'inputs')
  if (inputs === undefined) return []
  const read = itemsOf(inputs).map(inputOf)
  if (inputs.node.type !== 'array' || read.some((input) => input.length === 0)) {
    report(inputs, {
      code: 'field_invalid',
      severity: 'warning',
      message: '"inputs" must be an array of objects with an "id" each, and what is not was dropped',
      fix: 'correct the value',
    })
  }
  return read.flat()
}

function inputOf(place: Place): readonly InputSpec[] {
  const values = new Map(fieldsOf(place).map(({ key, node }) => [key, node.value]))
  const id = values.get('id')
  const options = fieldOf(place, 'options')
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

/** The same as a field of a document, left out when there is nothing to ask for. */
export function writtenInputs(inputs: readonly InputSpec[]): Readonly<Record<string, Plain>> {
  return inputs.length === 0 ? {} : { inputs: inputs.map(writtenInput) }
}

function writtenInput({ id, description, isSecret, default: initial, options }: InputSpec): Plain {
  return {
    type: options === undefined ? 'promptString' : 'pickString',
    id,
    ...(description === undefined ? {} : { description }),
    ...(isSecret === true ? { password: true } : {}),
    ...(initial === undefined ? {} : { default: initial }),
    ...(options === undefined ? {} : { options }),
  }
}
