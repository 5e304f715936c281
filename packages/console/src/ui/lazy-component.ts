import { paths } from '@toolbridge/api'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

const betweenTriesMs = 1_000

/**
 * Like `lazy`, but waits until the gateway responds, so that the page that is shown stays until then: a browser remembers
 * the failure of an import and does not try it again.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    while (!(await isReachable())) await new Promise((resolve) => setTimeout(resolve, betweenTriesMs))
    return { default: await load() }
  })
}

async function isReachable(): Promise<boolean> {
  return fetch(paths.health).then(
    () => true,
    () => false,
  )
}
