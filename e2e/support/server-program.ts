import { dirname, join } from 'node:path';

/** The server as `npm start` runs it, built by `npm run build`. */
export const serverProgram = join(import.meta.dirname, '../../apps/server/dist/server/server.mjs');

/** `npm run admin`. */
export const adminProgram = join(dirname(serverProgram), 'admin-command.mjs');
