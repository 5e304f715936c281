const decades = 5

/** Shows a latency on a logarithmic scale from 1 ms to 100 s, with a tick per power of ten. */
export function LatencyGauge({ latencyMs }: { readonly latencyMs: number }) {
  const position = Math.min(1, Math.max(0, Math.log10(Math.max(1, latencyMs)) / decades))
  return (
    <svg viewBox="0 0 51 8" aria-hidden="true" className="h-2 w-12 shrink-0">
      {Array.from({ length: decades + 1 }, (_, tick) => (
        <line
          key={tick}
          x1={tick * 10 + 0.5}
          x2={tick * 10 + 0.5}
          y1="5"
          y2="8"
          className="stroke-ink-faint"
        />
      ))}
      <line x1="0" x2={position * 50} y1="2.5" y2="2.5" strokeWidth="3" className="stroke-accent" />
    </svg>
  )
}
