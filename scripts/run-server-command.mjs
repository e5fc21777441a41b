import module from 'node:module';
import { join } from 'node:path';
import { isServerBuilt } from './build-server.mjs';
import { findNode, root } from './paths.mjs';

/**
 * `node scripts/run-server-command.mjs NAME ARGUMENTS…`: runs an operator command from the server's
 * bundle, which loads in a quarter of the time of its sources. A bundle that is older than its
 * sources is not built again here, because a server may be running from it.
 */
requireNode();
const [node, , name, ...args] = process.argv;
const program = isServerBuilt() ? `dist/server/${name}-command.mjs` : `src/cli/${name}-command.ts`;
const file = join(root, 'apps', 'server', program);
module.enableCompileCache(join(root, '.cache', 'compiled'));
process.argv = [node, file, ...args];
await import(file);

/** An earlier Node is one of the machine, used because nothing is installed here. */
function requireNode() {
  try {
    findNode();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
