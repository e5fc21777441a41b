import type { Explanation, ExplainInput } from '@deviceportal/contract/explanations';
import { PortalError } from '@deviceportal/contract/errors';
import { holds, type Permission } from '@deviceportal/contract/permissions';
import { getAirBlast } from '../air-blast/get-air-blast.ts';
import { getSchedule } from '../commands/schedules/list-schedules.ts';
import { getDocument } from '../documents/get-document.ts';
import type { Viewer } from '../platform/viewer.ts';
import { airBlastReasons } from './air-blast-reasons.ts';
import { documentReasons } from './document-reasons.ts';
import { settle, type ExplainDeps } from './explain-deps.ts';
import { explainCommandTarget } from './explain-command-target.ts';
import { explainInvocation } from './explain-invocation.ts';
import { explainPermission } from './explain-permission.ts';
import { explainRun } from './explain-run.ts';
import { explainTarget } from './explain-target.ts';
import { explainVersions } from './explain-versions.ts';
import type { ReasonDraft } from './reason-draft.ts';
import { scheduleReasons } from './schedule-reasons.ts';

/** Permissions that reading the thing requires. An explanation of a rejected call requires none. */
const readBy: Readonly<Record<ExplainInput['kind'], readonly Permission[]>> = {
  run: ['commands:read'],
  invocation: ['commands:read'],
  'device-versions': ['versions:read'],
  'air-blast': ['air-blast:run', 'air-blast:approve'],
  'air-blast-target': ['air-blast:run', 'air-blast:approve'],
  schedule: ['commands:read'],
  'document-version': ['documents:read'],
  'command-target': ['commands:read'],
  permission: [],
};

/**
 * Why something has not ended or was rejected: all reasons that apply now, most immediate first, from the same facts as
 * the screens of the domain. Each domain provides its facts; the rules are pure functions in this folder.
 *
 * @throws PortalError 1000 without permission to read the thing; errors of reading it if it is out of scope
 */
export async function explain(
  deps: ExplainDeps,
  viewer: Viewer,
  input: ExplainInput,
): Promise<readonly Explanation[]> {
  const needed = readBy[input.kind];
  if (needed.length > 0 && !needed.some((permission) => holds(viewer.grants, permission))) {
    throw new PortalError('noPermission', { facts: { permission: needed.join(' | ') } });
  }
  switch (input.kind) {
    case 'run':
      return [await explainRun(deps, viewer, input.id)];
    case 'invocation':
      return [await explainInvocation(deps, viewer, input.id)];
    case 'device-versions':
      return explainVersions(deps, viewer, input.id);
    case 'air-blast-target':
      return [await explainTarget(deps, viewer, input)];
    case 'command-target':
      return [await explainCommandTarget(deps, viewer, input)];
    case 'permission':
      return [await explainPermission(deps, viewer, input)];
    default:
      return [
        { about: null, reasons: await settle(deps, viewer, await sketch(deps, viewer, input)) },
      ];
  }
}

/** Kinds whose details contain all facts. */
async function sketch(
  deps: ExplainDeps,
  viewer: Viewer,
  input: Extract<ExplainInput, { kind: 'air-blast' | 'schedule' | 'document-version' }>,
): Promise<ReasonDraft[]> {
  if (input.kind === 'air-blast') {
    return airBlastReasons(await getAirBlast(deps, viewer, input.id), deps.clock());
  }
  if (input.kind === 'schedule') {
    return scheduleReasons(await getSchedule(deps, viewer, input.id), deps.clock());
  }
  const document = await getDocument(deps, viewer, input.name);
  const version = document.versions.find((one) => one.version === input.version);
  if (version === undefined) {
    throw new PortalError('notFound', {
      facts: { document: input.name, version: input.version },
    });
  }
  return documentReasons(document, version);
}
