import { findFreePort } from '../../../apps/server/src/platform/http/find-free-port.ts';
import { openTempDir } from '../../device-fixture.ts';
import type { Product } from '../product.ts';
import { installGooseBit } from './install-goosebit.ts';
import { startGooseBit } from './start-goosebit.ts';

/** As in its container image, on PostgreSQL with the settings of Device Portal's own. */
export async function openGooseBit(resources: AsyncDisposableStack): Promise<Product> {
  const directory = await installGooseBit();
  const dataDir = await openTempDir(resources);
  const place = { directory, dataDir, port: await findFreePort('127.0.0.1') };
  return {
    name: 'gooseBit',
    // Its first user is created on its setup page.
    prepare: async () => {},
    start: () => startGooseBit(place),
  };
}
