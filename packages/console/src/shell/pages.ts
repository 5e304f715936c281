import { type ComponentType, lazy } from 'react'
import type { IconName } from '../ui/icon.tsx'

/** A page of the console. */
export interface ConsolePage {
  /** Path in the URL fragment, without parameters. */
  readonly path: string
  /** Parameters of the path. Default: none. */
  readonly parameters?: string
  readonly title: string
  readonly icon: IconName
  /** Loaded when the page is opened. */
  readonly component: ComponentType
}

/** The pages in the order of the navigation; the first is the start page. */
export const pages: readonly ConsolePage[] = [
  {
    path: '/servers',
    title: 'Servers',
    icon: 'servers',
    component: lazy(async () => ({ default: (await import('../servers/servers-page.tsx')).ServersPage })),
  },
  {
    path: '/tools',
    parameters: '/:name?',
    title: 'Tools',
    icon: 'tools',
    component: lazy(async () => ({ default: (await import('../tools/tools-page.tsx')).ToolsPage })),
  },
  {
    path: '/inbox',
    title: 'Inbox',
    icon: 'inbox',
    component: lazy(async () => ({ default: (await import('../inbox/inbox-page.tsx')).InboxPage })),
  },
  {
    path: '/activity',
    title: 'Activity',
    icon: 'activity',
    component: lazy(async () => ({ default: (await import('../activity/activity-page.tsx')).ActivityPage })),
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: 'key',
    component: lazy(async () => ({ default: (await import('../keys/keys-page.tsx')).KeysPage })),
  },
]
