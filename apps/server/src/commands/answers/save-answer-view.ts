import type { z } from 'zod';
import type { keepAnswerInput, KeptAnswer } from '@deviceportal/contract/run-answers';
import { PortalError } from '@deviceportal/contract/errors';
import { scopesOf } from '@deviceportal/contract/permissions';
import { createTargetList } from '../../devices/list/target-lists.ts';
import { saveView } from '../../devices/list/saved-views.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { findAnsweringDevices } from '../data/answer-queries.ts';

/**
 * Saves the devices with a distinct output as a view of the device list, so that they can be compared and used as a
 * target. Devices without a serial number cannot be in the list of the view and are counted instead.
 *
 * @throws PortalError 5000 if there is no such output in the viewer's scope; 2004 if none of the devices has a serial
 * number
 */
export async function saveAnswerView(
  deps: CommandsDeps,
  caller: Caller,
  { runId, sha256, name }: z.infer<typeof keepAnswerInput>,
): Promise<KeptAnswer> {
  const { viewer } = caller;
  const rows = await findAnsweringDevices(
    deps.database.orm,
    [scopesOf(viewer.grants, ['commands:read']), scopesOf(viewer.grants, ['devices:read'])],
    { runId, sha256 },
  );
  if (rows.length === 0)
    throw new PortalError('invocationNotFound', { facts: { runId, answer: sha256 } });
  const serialNumbers = rows.flatMap(({ serialNumber }) =>
    serialNumber === null ? [] : [serialNumber],
  );
  const list = await createTargetList(deps, viewer, { name, text: serialNumbers.join('\n') });
  const view = await saveView(deps, caller, {
    name,
    screen: 'devices',
    search: { targets: list.id },
    sharedWithRole: null,
  });
  return {
    viewId: view.id,
    targetListId: list.id,
    devices: serialNumbers.length,
    withoutSerialNumber: rows.length - serialNumbers.length,
  };
}
