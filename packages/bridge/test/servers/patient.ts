/** How long to wait for what a server does by itself: a busy machine starts programs slowly. */
export const patient: { readonly timeout: number } = { timeout: 20_000 }
