import type { ReasonAct } from '@deviceportal/contract/explanations';
import { commandHref } from '../commands/command-href.ts';

/** The page of an action. Null for an action that is performed immediately. */
export function actHref({ kind, on }: ReasonAct): string | null {
  const of = (name: string): string => String(on[name] ?? '');
  switch (kind) {
    case 'open-device':
      return withSearch(`/devices/${of('deviceId')}`, { tab: of('tab') });
    case 'enroll-device':
      return `/devices/${of('deviceId')}?tab=instances`;
    case 'open-run':
      return commandHref(of('command'), { run: of('runId') });
    case 'open-invocation':
      return commandHref(of('command'), {
        device: of('deviceId'),
        invocation: of('invocationId'),
      });
    case 'run-command':
      return commandHref(of('command'), { device: of('deviceId') });
    case 'run-now':
      return commandHref(of('command'), { document: of('document') });
    case 'approve-version':
    case 'upload-artifact':
      return withSearch('/tavs', { component: of('component') });
    case 'roll-out':
      return withSearch('/air-blast', {
        plan: '1',
        devices: of('deviceId'),
        component: of('component'),
        version: of('version'),
      });
    case 'open-document':
    case 'review-document':
      return withSearch(`/documents/${of('name')}`, { v: of('version') });
    case 'edit-document':
      return `/documents/${of('name')}?edit=1`;
    case 'open-air-blast':
    case 'approve-air-blast':
    case 'edit-air-blast':
      return `/air-blast/${of('airBlastId')}`;
    case 'open-roles':
      return `/uam/roles/${of('roleId')}`;
    default:
      return null;
  }
}

function withSearch(path: string, values: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ''));
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}
