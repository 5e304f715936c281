import { type StoreKeysResponse, paths, type RotationEvent, type RotationResponse } from '@toolbridge/api'
import { refusedByGateway, requestFromStore, runningOwner } from './running-store.ts'
import type { OwnerFile } from '../sign-in/owner-file.ts'
import type { RotateStoreOptions, StoreKeys } from './store-keys.ts'

const answerTimeoutMs = 5_000

/** Returns the keys of the store that a running gateway of this user has open. Undefined if none runs on the data folder. */
export async function runningKeys(dataFolder: string): Promise<StoreKeys | undefined> {
  const owner = await runningOwner(dataFolder)
  return owner && keysOf(owner)
}

function keysOf(owner: OwnerFile): StoreKeys {
  return {
    via: 'gateway',
    async status() {
      const response = await requestFromStore(owner, paths.storeKeys, {
        signal: AbortSignal.timeout(answerTimeoutMs),
      })
      return (await response.json()) as StoreKeysResponse
    },
    async rotate({ keys, onProgress, signal }) {
      const response = await requestFromStore(owner, paths.rotation, {
        method: 'POST',
        body: JSON.stringify({ keys }),
        ...(signal === undefined ? {} : { signal }),
      })
      return readRotation(response, onProgress)
    },
    close: async () => {},
  }
}

/** Reads the events of a rotation. The gateway stops it when this side disconnects. */
async function readRotation(
  response: Response,
  onProgress: RotateStoreOptions['onProgress'],
): Promise<RotationResponse> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    const frames = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = frames.pop() ?? ''
    for (const event of frames.flatMap(eventIn)) {
      if (event.type === 'done') return event.report
      if (event.type === 'failed') throw refusedByGateway(event.problem.detail ?? event.problem.title)
      onProgress?.({ step: event.step, done: event.done, total: event.total })
    }
  }
  throw refusedByGateway('it stopped; the next rotation continues')
}

function eventIn(frame: string): readonly RotationEvent[] {
  return frame.startsWith('data: ') ? [JSON.parse(frame.slice('data: '.length)) as RotationEvent] : []
}
