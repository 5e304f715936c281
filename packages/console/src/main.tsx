import './without-eval.ts'
import { createGatewayClient, createGatewayStore } from '@toolbridge/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { finishServerSignIn } from './sign-in/server-callback.ts'
import { SignInStore } from './sign-in/sign-in-store.ts'
import { FaultBoundary } from './ui/fault-boundary.tsx'
import { applyStoredTheme } from './ui/theme.tsx'

const signIn = new SignInStore(window)
const gateway = createGatewayClient({ token: signIn.token, fetch: signIn.watch(fetch) })
const store = createGatewayStore(gateway)
const root = document.getElementById('root')
if (root === null) throw new TypeError('the page has no element "root"')

applyStoredTheme()
const serverSignIn = finishServerSignIn(window, gateway)
signIn.start(createGatewayClient())
createRoot(root).render(
  <StrictMode>
    <FaultBoundary>
      <App signIn={signIn} gateway={gateway} store={store} serverSignIn={serverSignIn} />
    </FaultBoundary>
  </StrictMode>,
)
