import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  // The page finds its files wherever they are served from.
  base: './',
  plugins: [react(), tailwindcss()],
  resolve: { conditions: ['@toolbridge/source', 'module', 'browser', 'development|production'] },
  // No file becomes a data: address, which the gateway's content security policy would have to allow.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
})
