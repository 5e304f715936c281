import './without-eval.ts'
import { createGatewayClient } from '@toolbridge/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api.ts'
import { App } from './app.tsx'
import { SignInStore } from './sign-in/sign-in-store.ts'
import { CallStore } from './tools/call-store.ts'
import { FaultBoundary } from './ui/fault-boundary.tsx'

const signIn = new SignInStore(window)
const gateway = createGatewayClient({ token: signIn.token, fetch: signIn.watch(fetch) })
const queryClient = createQueryClient()
const calls = new CallStore(gateway)
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no element "root"')

signIn.start(createGatewayClient())
createRoot(root).render(
  <StrictMode>
    <FaultBoundary>
      <App signIn={signIn} gateway={gateway} queryClient={queryClient} calls={calls} />
    </FaultBoundary>
  </StrictMode>,
)
