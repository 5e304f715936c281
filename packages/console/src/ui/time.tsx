import { useEffect, useState } from 'react'

/** Returns the current time and updates it at an interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A relative time; the tooltip shows the exact time. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow(15_000)
  const date = new Date(at)
  return (
    <time dateTime={at} title={date.toLocaleString()} className="whitespace-nowrap">
      {agoText(date.getTime() - now)}
    </time>
  )
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' })

function agoText(differenceMs: number): string {
  const seconds = Math.min(0, Math.round(differenceMs / 1_000))
  if (seconds > -10) return 'just now'
  if (seconds > -60) return relative.format(seconds, 'second')
  if (seconds > -3_600) return relative.format(Math.round(seconds / 60), 'minute')
  if (seconds > -86_400) return relative.format(Math.round(seconds / 3_600), 'hour')
  return relative.format(Math.round(seconds / 86_400), 'day')
}

/** Formats a duration with two or three digits, which is as exact as a person needs it. */
export function durationText(durationMs: number): string {
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`
  if (durationMs < 9_950) return `${Number((durationMs / 1_000).toFixed(1))} s`
  const seconds = Math.round(durationMs / 1_000)
  if (seconds < 60) return `${seconds} s`
  return [`${Math.floor(seconds / 60)} min`, ...(seconds % 60 === 0 ? [] : [`${seconds % 60} s`])].join(' ')
}
