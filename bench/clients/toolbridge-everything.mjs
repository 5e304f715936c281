import { createAdapter } from './toolbridge.mjs'

// One signal for many calls, as in a turn of an agent.
const { signal } = new AbortController()

/** A deadline, a cancellation signal and a progress handler on every call, and every hook set. */
export const { connectStdio, connectHttp } = createAdapter(
  {
    onElicitation: async () => ({ action: 'decline' }),
    onNotification: () => {},
    onWarning: () => {},
    onClose: () => {},
    hooks: { onMcpConnect: () => {}, onMcpToolCall: () => {}, onMcpError: () => {} },
    server: 'bench',
  },
  { signal, timeoutMs: 30_000, maxTimeoutMs: 120_000, onProgress: () => {} },
)
