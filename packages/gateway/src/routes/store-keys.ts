import { type RotationEvent, type RotationStep, rotateRequestSchema } from '@toolbridge/api'
import type { Handler } from 'hono'
import { loggedBug, problemOf } from '../errors/problems.ts'
import { eventStream } from '../http/event-stream.ts'
import type { GatewayEnv } from '../http/gateway-env.ts'
import { readBody } from '../http/read-body.ts'
import { storeKeysResponse, rotationResponse } from '../store/key-responses.ts'
import type { GatewayServices } from '../services.ts'

/** `GET /api/lockbox/keys`: returns the status of the keys, to commands of the local owner. */
export function showStoreKeys({ storeKeys }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => context.json(storeKeysResponse(await storeKeys.status()))
}

/** `POST /api/lockbox/keys/rotation`: rotates keys and streams the progress. Stops when the caller disconnects. */
export function rotateStoreKeys({ storeKeys, stopping, log }: GatewayServices): Handler<GatewayEnv> {
  return async (context) => {
    const { keys: which = 'all' } = await readBody(context, rotateRequestSchema)
    const finished = new AbortController()
    return eventStream([stopping, finished.signal], (send) => {
      const leaving = new AbortController()
      const sendUnlessLeft = (event: RotationEvent): void => {
        if (!leaving.signal.aborted) send(event)
      }
      const onProgress = (step: RotationStep): void => sendUnlessLeft({ type: 'progress', ...step })
      void storeKeys
        .rotate({ keys: which, onProgress, signal: leaving.signal })
        .then(
          (report) => sendUnlessLeft({ type: 'done', report: rotationResponse(report) }),
          (error: unknown) =>
            sendUnlessLeft({ type: 'failed', problem: problemOf(error) ?? loggedBug(error, log) }),
        )
        .finally(() => finished.abort())
      return () => leaving.abort()
    })
  }
}
