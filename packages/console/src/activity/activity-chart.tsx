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
  readonly unit: string
  readonly buckets: readonly ActivityBucket[]
  readonly lines: readonly Line[]
}

const height = 160

/** A plot over time. The table below it has the same data for those who cannot see it. */
export function ActivityChart({ label, unit, buckets, lines }: ActivityChartProps) {
  const parent = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = parent.current
    if (element === null) return
    const plot = new uPlot(optionsOf(lines, unit, element), dataOf(buckets, lines), element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [buckets, lines, unit])
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

function optionsOf(lines: readonly Line[], unit: string, element: HTMLElement): uPlot.Options {
  const color = (name: string): string => getComputedStyle(element).getPropertyValue(`--${name}`)
  const axis = {
    stroke: color('ink-faint'),
    grid: { stroke: color('line') },
    ticks: { stroke: color('line') },
  }
  return {
    width: element.clientWidth,
    height,
    axes: [axis, { ...axis, size: 60, values: (_plot, values) => values.map((value) => `${value}${unit}`) }],
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    series: [{}, ...lines.map((line) => ({ label: line.label, stroke: color(line.color), width: 1.5 }))],
  }
}
