import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const visibleJsx = fileURLToPath(new URL('src/visible-jsx.ts', import.meta.url))

export default defineConfig({
  // The page finds its files wherever they are served from.
  base: './',
  // Texts of servers are shown without hidden characters: see the file.
  plugins: [react({ jsxImportSource: 'visible' }), tailwindcss()],
  resolve: {
    alias: [{ find: /^visible(\/jsx-runtime)?$/, replacement: visibleJsx }],
    conditions: ['@toolbridge/source', 'module', 'browser', 'development|production'],
  },
  // No file becomes a data: address, which the gateway's content security policy would have to allow.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})
