import { GatewayError } from './gateway-error.ts'

const tickMs = 5_000
/** Three heartbeats of the gateway. */
const ticksUntilLost = 9

/** Notices when a connection delivers nothing any more, although it has not ended. */
export interface SilenceWatch {
  /** Aborted after 45 s of silence. The reason is a `GatewayError`. */
  readonly signal: AbortSignal
  /** Begins to wait, or starts the time again. */
  readonly restart: () => void
  readonly stop: () => void
}

/** Watches nothing until `restart` is called. Counts ticks instead of time: none happens while a computer sleeps. */
export function watchSilence(): SilenceWatch {
  const silence = new AbortController()
  let timer: ReturnType<typeof setInterval> | undefined
  let ticks = 0
  const stop = (): void => clearInterval(timer)
  const onTick = (): void => {
    ticks += 1
    if (ticks < ticksUntilLost) return
    stop()
    silence.abort(new GatewayError('timed_out', 'the gateway is silent; check that it is running'))
  }
  const restart = (): void => {
    stop()
    ticks = 0
    timer = setInterval(onTick, tickMs)
  }
  return { signal: silence.signal, restart, stop }
}
