import { join } from 'node:path';
import { build } from 'rolldown';
import { root } from './paths.mjs';

/** Bundles the checker of proofs into one file for Node 20 or newer. */
const server = join(root, 'apps', 'server');
await build({
  input: join(server, 'src', 'evidence', 'checker', 'checker-program.ts'),
  platform: 'node',
  output: { file: join(server, 'dist', 'checker.mjs'), format: 'esm', minify: false },
  logLevel: 'warn',
});
