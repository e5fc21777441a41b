import { holds, type Permission } from '@deviceportal/contract/permissions';
import { webhookObjectSchemas, type WebhookObject } from '@deviceportal/contract/webhook-events';
import { listAlertsById } from '../../../alerts/data/alert-queries.ts';
import { casesById } from '../../../cases/cases-by-id.ts';
import type { CommandsDeps } from '../../../commands/commands-deps.ts';
import { invocationsById } from '../../../commands/invocations/invocations-by-id.ts';
import { runsById } from '../../../commands/runs-by-id.ts';
import { getDeviceRows } from '../../../devices/list/get-device-rows.ts';
import { importsById } from '../../../imports/imports-by-id.ts';
import { maskUser } from '../../../people/mask-person.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { alertOf } from './alert-of.ts';
import { caseOf } from './case-of.ts';
import { deviceOf } from './device-of.ts';
import { importOf } from './import-of.ts';
import { invocationOf } from './invocation-of.ts';
import { runOf } from './run-of.ts';

export interface ReadObjectsDeps extends Pick<CommandsDeps, 'database' | 'vault' | 'clock'> {
  /** What callers are shown of outputs. */
  readonly shown: (output: unknown) => unknown;
}

type Identified = { readonly id: string };
type Reader = (
  deps: ReadObjectsDeps,
  viewer: Viewer,
  ids: readonly string[],
) => Promise<readonly Identified[]>;

const readers: Readonly<Record<WebhookObject, Reader>> = {
  device: async (deps, viewer, ids) => (await getDeviceRows(deps, viewer, ids)).map(deviceOf),
  invocation: async (deps, viewer, ids) =>
    (await invocationsById(deps, viewer, ids)).map(invocationOf),
  run: async (deps, viewer, ids) =>
    (await runsById(deps, viewer, ids)).map(({ run }) =>
      runOf({ ...run, createdBy: maskUser(run.createdBy, viewer) }),
    ),
  case: async (deps, viewer, ids) => (await casesById(deps, viewer, ids)).map(caseOf),
  alert: async ({ database }, viewer, ids) =>
    (await listAlertsById(database.orm, viewer, ids)).map(alertOf),
  import: async (deps, viewer, ids) => (await importsById(deps, viewer, ids)).map(importOf),
};

/** As for the operations of `/api/v1` that return these objects. */
const needed: Readonly<Record<WebhookObject, readonly Permission[]>> = {
  device: ['devices:read'],
  invocation: ['commands:read'],
  run: ['commands:read'],
  case: ['cases:read', 'cases:manage'],
  alert: ['alerts:read'],
  import: ['devices:manage', 'people:manage'],
};

/**
 * Current objects of `/api/v1` by their IDs, as a viewer sees them; others are omitted. One read for each kind, whatever
 * the number of objects.
 */
export async function readObjects(
  deps: ReadObjectsDeps,
  viewer: Viewer,
  wanted: ReadonlyMap<WebhookObject, readonly string[]>,
): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const [object, ids] of wanted) {
    if (!needed[object].some((permission) => holds(viewer.grants, permission))) continue;
    for (const one of await readers[object](deps, viewer, [...new Set(ids)])) {
      // The schema leaves out what it does not declare.
      found.set(one.id, deps.shown(webhookObjectSchemas[object].parse(one)));
    }
  }
  return found;
}
