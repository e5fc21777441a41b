import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceDetail } from '@deviceportal/contract/devices';
import type { AccessFixture } from '../support/access-fixture.ts';
import { agentProgram } from '../support/programs/portal-programs.ts';
import { until } from '../support/until.ts';

export interface FileDevice extends AsyncDisposable {
  readonly serialNumber: string;
  /** A folder that the device allows. */
  readonly folder: string;
}

/** A real agent with a folder that can be reached. */
export async function startFileDevice(
  { url }: { readonly url: string },
  admin: AccessFixture,
  { country }: { readonly country: string },
): Promise<FileDevice> {
  await using cleanup = new AsyncDisposableStack();
  const root = await realpath(await mkdtemp(join(tmpdir(), 'dp-api-files-')));
  cleanup.defer(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, 'files');
  await mkdir(folder);
  const serialNumber = `FILES-${country}-01`;
  const device = { serialNumber, name: serialNumber, country };
  const { token } = await admin.done<{ token: string }>('devices.createClaim', { device });
  const agent = cleanup.use(
    agentProgram(['--server', url, '--state-dir', join(root, 'state'), '--files', folder]),
  );
  agent.start({ DEVICEPORTAL_AGENT_CLAIM: token });
  await until(async () => {
    const { data } = await admin.ask('devices.get', { device: serialNumber });
    return (data as DeviceDetail | undefined)?.connectivity === 'online';
  }, 60_000);
  const owned = cleanup.move();
  return { serialNumber, folder, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
