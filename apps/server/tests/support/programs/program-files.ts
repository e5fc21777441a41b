import { join } from 'node:path';

const server = join(import.meta.dirname, '../../..');
/** Set by `npm test`, which has built the programs; a single test file runs their sources. */
const isBuilt = process.env['DEVICEPORTAL_TEST_BUILT'] === 'true';

export const serverFile = join(server, isBuilt ? 'dist/server/server.mjs' : 'src/main.ts');

/** The program behind `npm run <name>`. */
export function commandFile(name: string): string {
  return join(server, isBuilt ? `dist/server/${name}-command.mjs` : `src/cli/${name}-command.ts`);
}
