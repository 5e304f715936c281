import type { CreateKeyRequest, CreateKeyResponse, KeyScope } from '@toolbridge/api'
import { useGateway } from '@toolbridge/react'
import { SchemaForm } from '../forms/schema-form.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/code.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { useAction } from '../state/use-action.ts'

const mcpOnly: readonly KeyScope[] = ['mcp']
const apiOnly: readonly KeyScope[] = ['api']
const both: readonly KeyScope[] = ['api', 'mcp']

const schema = {
  type: 'object',
  properties: {
    name: {
      type: 'string',
      title: 'Name',
      description: 'The program that will use it.',
      minLength: 1,
      maxLength: 100,
    },
    scopes: {
      title: 'Opens',
      oneOf: [
        { const: mcpOnly, title: 'The MCP endpoint' },
        { const: apiOnly, title: 'The HTTP API' },
        { const: both, title: 'Both' },
      ],
      default: mcpOnly,
    },
    expiresInDays: {
      title: 'Expires after',
      oneOf: [7, 30, 90, 366].map((days) => ({
        const: days,
        title: days === 366 ? 'A year' : `${days} days`,
      })),
      default: 90,
    },
  },
  required: ['name', 'scopes', 'expiresInDays'],
}

/** Properties of `CreateKeyDialog`. */
export interface CreateKeyDialogProps {
  readonly onCreated: () => void
  readonly onClose: () => void
}

/** Creates an API key and shows its token, once. */
export function CreateKeyDialog({ onCreated, onClose }: CreateKeyDialogProps) {
  const gateway = useGateway()
  const create = useAction((key: CreateKeyRequest) => gateway.createKey(key))
  return (
    <Dialog
      title="Create a key"
      description="The program gets your access to what the key opens. It cannot create other keys."
      onClose={onClose}
    >
      {create.data !== undefined ? (
        <CreatedKey created={create.data} onClose={onClose} />
      ) : (
        <SchemaForm
          label="Key"
          schema={schema}
          textEntry="line"
          isDisabled={create.isRunning}
          onSubmit={(values) => create.run(requestOf(values), { onSuccess: onCreated })}
        >
          {create.error !== null && (
            <div className="mt-4">
              <ErrorNotice title="The key was not created" error={create.error} />
            </div>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button tone="primary" type="submit" disabled={create.isRunning}>
              {create.isRunning ? 'Creating…' : 'Create'}
            </Button>
          </div>
        </SchemaForm>
      )}
    </Dialog>
  )
}

/** The form has validated the values; the gateway validates them again. */
function requestOf(values: Readonly<Record<string, unknown>>): CreateKeyRequest {
  return values as unknown as CreateKeyRequest
}

interface CreatedKeyProps {
  readonly created: CreateKeyResponse
  readonly onClose: () => void
}

function CreatedKey({ created: { key, token }, onClose }: CreatedKeyProps) {
  return (
    <>
      <p className="mb-3 text-sm">
        Copy the key of <span className="font-medium wrap-anywhere">{key.name}</span> now. It is not shown
        again.
      </p>
      <Code text={token} label="Key" />
      <div className="mt-5 flex justify-end">
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  )
}
