import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles the script that defines `identityClient` in a page from the current sources. */
export async function bundleScript(): Promise<string> {
  const input = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
  await using bundle = await rolldown({ input });
  const { output } = await bundle.generate({
    ...{ format: 'iife', name: 'identityClient', codeSplitting: false },
  });
  return output[0].code;
}
