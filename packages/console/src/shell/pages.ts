import type { ComponentType } from 'react'
import type { IconName } from '../ui/icon.tsx'
import { lazyComponent } from '../ui/lazy-component.ts'

/** A page of the console. */
export interface ConsolePage {
  /** Path in the URL fragment, without parameters. */
  readonly path: string
  /** Parameters of the path. Default: none. */
  readonly parameters?: string
  readonly title: string
  readonly icon: IconName
  /** Whether narrow screens show it behind "More". Default: false. */
  readonly isSecondary?: boolean
  /** Whether the navigation leaves it out, because another page leads to it. Default: false. */
  readonly isUnlisted?: boolean
  /** Loaded when the page is opened. */
  readonly component: ComponentType
  /** The page of one item, at `/:name` below the path. Default: there is none. */
  readonly item?: ComponentType
}

/** The pages in the order of the navigation; the first is the start page. */
export const pages: readonly ConsolePage[] = [
  {
    path: '/servers',
    title: 'Servers',
    icon: 'servers',
    component: lazyComponent(async () => (await import('../servers/servers-page.tsx')).ServersPage),
    item: lazyComponent(async () => (await import('../servers/server-page.tsx')).ServerPage),
  },
  {
    path: '/tools',
    parameters: '/:name?',
    title: 'Tools',
    icon: 'tools',
    component: lazyComponent(async () => (await import('../tools/tools-page.tsx')).ToolsPage),
  },
  {
    path: '/resources',
    parameters: '/:server?/:uri?',
    title: 'Resources',
    icon: 'resources',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../resources/resources-page.tsx')).ResourcesPage),
  },
  {
    path: '/prompts',
    parameters: '/:server?/:name?',
    title: 'Prompts',
    icon: 'prompts',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../prompts/prompts-page.tsx')).PromptsPage),
  },
  {
    path: '/inbox',
    title: 'Inbox',
    icon: 'inbox',
    component: lazyComponent(async () => (await import('../inbox/inbox-page.tsx')).InboxPage),
  },
  {
    path: '/activity',
    parameters: '/:id?',
    title: 'Activity',
    icon: 'activity',
    component: lazyComponent(async () => (await import('../activity/activity-page.tsx')).ActivityPage),
  },
  {
    path: '/permissions',
    title: 'Permissions',
    icon: 'lock',
    isSecondary: true,
    component: lazyComponent(
      async () => (await import('../permissions/permissions-page.tsx')).PermissionsPage,
    ),
  },
  {
    path: '/connect',
    parameters: '/:host?',
    title: 'Connect',
    icon: 'connect',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../connect/connect-page.tsx')).ConnectPage),
  },
  {
    path: '/versions',
    title: 'Versions',
    icon: 'versions',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../versions/versions-page.tsx')).VersionsPage),
  },
  {
    path: '/audit',
    title: 'Audit',
    icon: 'audit',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../audit/audit-page.tsx')).AuditPage),
  },
  {
    path: '/keys',
    title: 'Keys',
    icon: 'key',
    isSecondary: true,
    component: lazyComponent(async () => (await import('../keys/keys-page.tsx')).KeysPage),
  },
  {
    path: '/add',
    title: 'Add a server',
    icon: 'plus',
    isUnlisted: true,
    component: lazyComponent(async () => (await import('../add/add-page.tsx')).AddPage),
  },
]
