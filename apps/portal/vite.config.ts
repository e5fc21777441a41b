import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { checkSizeBudget } from './build/check-size-budget.ts';
import { compileMessages } from './build/compile-messages.ts';
import { extractFonts } from './build/extract-fonts.ts';
import { firstLoadChunks } from './build/first-load-chunks.ts';
import { importWithRetries, modulePreload } from './build/import-with-retries.ts';
import { inlineClassNames } from './build/inline-class-names.ts';
import { keepFileListsApart } from './build/keep-file-lists-apart.ts';
import { leaveOutUnusedEnums } from './build/leave-out-unused-enums.ts';
import { leaveOutUnusedFallbacks } from './build/leave-out-unused-fallbacks.ts';
import { leaveOutUnusedIcons } from './build/leave-out-unused-icons.ts';
import { leaveOutUnusedParts } from './build/leave-out-unused-parts.ts';
import { preloadFonts } from './build/preload-fonts.ts';
import { prepareBasemap } from './build/prepare-basemap.ts';
import { renderChangedCells } from './build/render-changed-cells.ts';
import { renderKnownSizes } from './build/render-known-sizes.ts';
import { writeComponentMessages } from './build/write-component-messages.ts';
import { writeSignInTokens } from './build/write-sign-in-tokens.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const webCrypto = fileURLToPath(new URL('build/web-crypto.ts', import.meta.url));
const cacheDirectory = fileURLToPath(new URL('.cache', import.meta.url));

export default defineConfig(async () => {
  const [globalStyles, basemap, signInTokens, componentMessages] = await Promise.all([
    extractFonts(cacheDirectory),
    prepareBasemap(cacheDirectory),
    writeSignInTokens(cacheDirectory),
    writeComponentMessages(cacheDirectory),
  ]);
  const server = process.env['DEVICEPORTAL_DEV_SERVER'] ?? 'http://127.0.0.1:8080';
  const toServer = { target: server, changeOrigin: false };
  return {
    root,
    plugins: [
      react(),
      leaveOutUnusedParts(),
      leaveOutUnusedIcons(`${root}src`),
      leaveOutUnusedEnums(),
      leaveOutUnusedFallbacks(),
      renderChangedCells(),
      renderKnownSizes(),
      inlineClassNames(),
      compileMessages(),
      preloadFonts(),
      importWithRetries(),
      keepFileListsApart(),
      checkSizeBudget(),
    ],
    resolve: {
      // Uses the sources of the client, which is published as a build.
      conditions: ['deviceportal-source', ...defaultClientConditions],
      alias: [
        { find: '@cloudscape-design/global-styles/index.css', replacement: globalStyles },
        { find: 'virtual:sign-in-tokens.css', replacement: signInTokens },
        { find: /^crypto$/, replacement: webCrypto },
        { find: /^virtual:basemap\//, replacement: `${basemap}/` },
        { find: /^virtual:component-messages\//, replacement: `${componentMessages}/` },
      ],
    },
    build: {
      target: 'es2022',
      manifest: true,
      // No data: URLs, because the content security policy allows only files of this origin.
      assetsInlineLimit: 0,
      modulePreload,
      chunkSizeWarningLimit: 1_200,
      rolldownOptions: { output: { codeSplitting: firstLoadChunks(root) } },
    },
    server: {
      proxy: {
        // With the slash, because /api-calls is a page.
        '/api/': toServer,
        '/identity': toServer,
        '/idp': toServer,
        '/oauth': toServer,
        '/outbox': toServer,
        '/files': toServer,
        '/mqtt': { ...toServer, ws: true },
      },
    },
  };
});
