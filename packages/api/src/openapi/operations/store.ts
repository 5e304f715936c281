import { paths } from '../../paths.ts'
import { type Operation, topic } from '../operation.ts'

export const storeOperations: readonly Operation[] = topic('Store', [
  {
    method: 'get',
    path: paths.storeKeys,
    id: 'showStoreKeys',
    summary: 'Counts the keys and values of the store',
    access: 'owner',
    response: 'StoreKeysResponse',
  },
  {
    method: 'post',
    path: paths.rotation,
    id: 'rotateStoreKeys',
    summary: 'Replaces keys and streams the progress; ending the request stops it',
    access: 'owner',
    request: 'RotateRequest',
    response: 'RotationEvent',
    isStream: true,
  },
  {
    method: 'get',
    path: paths.audit,
    id: 'showAudit',
    summary: 'Returns the latest uses of the stored values of a person',
    access: 'owner',
    query: {
      limit: 'number of entries, from 1 to 10000',
      owner: 'id of the person instead of the local owner',
    },
    response: 'AuditResponse',
  },
  {
    method: 'post',
    path: paths.verification,
    id: 'verifyStore',
    summary: 'Finds audit entries and stored values that were changed, moved or removed',
    access: 'owner',
    request: 'VerificationRequest',
    response: 'VerificationResponse',
  },
])
