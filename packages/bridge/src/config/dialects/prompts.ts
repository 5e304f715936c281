import { fieldOf, fieldsOf, itemsOf, type Place } from '../document.ts'
import type { Plain } from '../fields/rule.ts'
import type { InputSpec } from '../inputs.ts'

/** What a document says about how to ask for its inputs. */
export function inputsOf(root: Place): readonly InputSpec[] {
  const inputs = fieldOf(root, 'inputs')
  return inputs === undefined ? [] : itemsOf(inputs).flatMap(inputOf)
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
