import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { signerOf, writeSeed } from '../../gateway/nats/nats-keys.ts';
import { StartError } from '../../platform/process/start-error.ts';
import type { AdminWork } from './admin-work.ts';

const SEED_BYTES = 32;

/** Creates the key with which gateways sign what devices may do at NATS, for operators without the tools of NATS. */
export const createNatsIssuer: AdminWork = {
  usage: 'FILE',
  words: [1],
  async run(_context, [name = '']) {
    const file = resolve(name);
    const secret = randomBytes(SEED_BYTES);
    const text = `${writeSeed(secret, 'account')}\n`;
    await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: Error) => {
      throw new StartError(`Cannot write ${file}: ${error.message}.`, { cause: error });
    });
    return [
      `Key written to ${file}. Copy it to every server with a gateway, and set DEVICEPORTAL_NATS_ISSUER_FILE.`,
      `NATS_ISSUER=${signerOf(secret, 'account').name}`,
    ].join('\n');
  },
};
