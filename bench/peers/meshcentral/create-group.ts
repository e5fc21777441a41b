import type { ControlChannel } from './control-channel.ts';

const NAME = 'bench';

/** The ID of the device group of the benchmark, which is created if it does not exist. */
export async function createGroup(control: ControlChannel): Promise<string> {
  const found = await findGroup(control);
  if (found !== undefined) return found;
  await control.ask(
    { action: 'createmesh', meshname: NAME, meshtype: 2, responseid: 'group' },
    ({ responseid }) => responseid === 'group',
  );
  const created = await findGroup(control);
  if (created === undefined) throw new Error('MeshCentral did not create the device group');
  return created;
}

async function findGroup(control: ControlChannel): Promise<string | undefined> {
  const answer = await control.ask({ action: 'meshes' }, ({ action }) => action === 'meshes');
  const groups = answer['meshes'] as readonly { readonly _id: string; readonly name: string }[];
  return groups.find(({ name }) => name === NAME)?._id;
}

/** As agents send it: 48 bytes. */
export const groupBytes = (group: string): Buffer =>
  Buffer.from(
    group
      .slice(group.lastIndexOf('/') + 1)
      .replaceAll('@', '+')
      .replaceAll('$', '/'),
    'base64',
  );
