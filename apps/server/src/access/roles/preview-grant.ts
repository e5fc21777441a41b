import type { GrantPreview } from '@deviceportal/contract/access';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import type { Grant } from '@deviceportal/contract/permissions';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import { listCommands } from '../../commands/catalog/list-commands.ts';
import { countDevices } from '../../devices/list/count-devices.ts';
import { listDevices } from '../../devices/list/list-devices.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';

const SAMPLE = 5;

/**
 * What a user with a grant could see and run, evaluated by the use-cases that authorize each request. Only devices that
 * the viewer can see are shown.
 */
export async function previewGrant(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
  grant: Grant,
): Promise<GrantPreview> {
  const somebody: Viewer = { ...viewer, roles: [], grants: [grant] };
  const commands = await listCommands(deps, somebody);
  const preview = {
    commands: commands.map(({ command, consequence, allowed }) => ({
      command,
      consequence,
      allowed,
    })),
  };
  if (!grant.permissions.includes('devices:read')) {
    return { ...preview, devices: { count: 0, exact: true }, sample: [] };
  }
  const seen = { permissions: ['devices:read' as const], scope: grant.scope };
  if (permissionsBeyond(viewer.grants, seen).length > 0) {
    return { ...preview, devices: null, sample: [] };
  }
  const filter = deviceFilterSchema.parse({});
  const page = { sort: 'serialNumber' as const, descending: false, pageSize: SAMPLE, cursor: null };
  const [devices, { rows }] = await Promise.all([
    countDevices(deps, somebody, filter),
    listDevices(deps, somebody, { filter, ...page }),
  ]);
  const sample = rows.map(({ id, name, serialNumber, country, model }) => ({
    id,
    name,
    serialNumber,
    country,
    model,
  }));
  return { ...preview, devices, sample };
}
