import { parentPort } from 'node:worker_threads';
import { createRenderings } from './create-renderings.ts';
import type { RenderingQuestion } from './render-report.ts';

const pieces: Uint8Array[] = [];

parentPort?.on('message', async (piece: RenderingQuestion) => {
  if (piece !== null) return void pieces.push(piece);
  const { contents, downloads } = await createRenderings(Buffer.concat(pieces));
  const own = contents.map(([kind, content]) => [kind, new Uint8Array(content)] as const);
  // Moved, not copied.
  const moved = own.map(([, content]) => content.buffer);
  parentPort?.postMessage({ contents: own, downloads }, moved);
});
