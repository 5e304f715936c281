import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import type { ActivityBucket } from './activity-series.ts'

interface Line {
  readonly label: string
  /** Name of a colour variable of the style sheet. */
  readonly color: string
  readonly valueOf: (bucket: ActivityBucket) => number | null
}

/** Properties of `ActivityChart`. */
export interface ActivityChartProps {
  readonly label: string
  /** Formats a value of a line, and of the axis. */
  readonly text: (value: number) => string
  readonly buckets: readonly ActivityBucket[]
  readonly lines: readonly Line[]
}

const height = 160

/** A plot over time. The table below it has the same data for those who cannot see it. */
export function ActivityChart({ label, text, buckets, lines }: ActivityChartProps) {
  const parent = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = parent.current
    if (element === null) return
    const plot = new uPlot(optionsOf(lines, text, element), dataOf(buckets, lines), element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [buckets, lines, text])
  return (
    <figure>
      <figcaption className="eyebrow mb-1.5">{label}</figcaption>
      <div ref={parent} aria-hidden="true" className="min-w-0 overflow-hidden" />
    </figure>
  )
}

function dataOf(buckets: readonly ActivityBucket[], lines: readonly Line[]): uPlot.AlignedData {
  return [buckets.map(({ at }) => at), ...lines.map(({ valueOf }) => buckets.map(valueOf))]
}

function optionsOf(
  lines: readonly Line[],
  text: ActivityChartProps['text'],
  element: HTMLElement,
): uPlot.Options {
  const color = (name: string): string => getComputedStyle(element).getPropertyValue(`--${name}`)
  const line = { stroke: color('line'), width: 1 }
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: color('ink-faint'), font, grid: line, ticks: line }
  const yAxis = {
    ...axis,
    size: 52,
    incrs: wholeSteps,
    values: (_plot: uPlot, values: number[]) => values.map(text),
  }
  return {
    width: element.clientWidth,
    height,
    // The texts of the first and the last time are wider than half of their distance to the edge.
    padding: [8, 32, 0, 8],
    axes: [
      { ...axis, space: 64, values: (_plot, times, _axis, _space, step) => timeTexts(times, step) },
      yAxis,
    ],
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    series: [
      {
        label: '',
        value: (_plot, time: number | null) => (time === null ? '' : exactClock.format(time * 1_000)),
      },
      ...lines.map((each) => ({
        label: each.label,
        stroke: color(each.color),
        width: 1.5,
        value: (_plot: uPlot, value: number | null) => (value === null ? '' : text(value)),
      })),
    ],
  }
}

/** 1, 2, 5, 10, …: there is no half call. */
const wholeSteps = Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat()

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const exactClock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })

/** Texts for times of the axis, in seconds, which are `step` seconds apart. */
function timeTexts(times: readonly number[], step: number): string[] {
  return times.map((time) => {
    const date = new Date(time * 1_000)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0 && date.getSeconds() === 0
    if (step >= 86_400 || isMidnight) return day.format(date)
    return (step < 60 ? exactClock : clock).format(date)
  })
}
