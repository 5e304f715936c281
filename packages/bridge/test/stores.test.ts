import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileTrustStore, memoryTrustStore } from '@toolbridge/bridge/config'
import {
  fileGrantStore,
  filePinStore,
  memoryGrantStore,
  memoryPinStore,
  type Pin,
} from '@toolbridge/bridge/permissions'
import { memoryCredentialStore } from '@toolbridge/bridge/questions'
import {
  describeGrantStore,
  describeInputStore,
  describePinStore,
  describeTrustStore,
} from '@toolbridge/testkit/contracts'
import { afterAll, beforeAll } from 'vitest'
import { pinOf } from '../src/permission/pins/pins.ts'

let root = ''
let folders = 0
const newFolder = (): string => join(root, String(++folders))

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'toolbridge-stores-'))
})
afterAll(() => rm(root, { recursive: true }))

const pin = (description: string): Pin =>
  pinOf({ name: 'write', description, inputSchema: { type: 'object' } })
const pins = [pin('Writes'), pin('Writes more')] as const

describeGrantStore('in memory', memoryGrantStore)
describeGrantStore('in files', () => fileGrantStore(newFolder()))
describePinStore('in memory', pins, memoryPinStore)
describePinStore('in files', pins, () => filePinStore(newFolder()))
describeTrustStore('in memory', memoryTrustStore)
describeTrustStore('in files', () => fileTrustStore(newFolder()))
describeInputStore('in memory', memoryCredentialStore)
