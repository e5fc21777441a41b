import type { AirBlastChange, AirBlastPlan } from '@deviceportal/contract/air-blast';
import { commandTargetSchema } from '@deviceportal/contract/command-targets';
import { SEALED } from '../../commands/parameters/parameter-vault.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { requireAirBlast } from '../change-progress.ts';

/** The plan as it was requested, for editing. @throws PortalError 2003 */
export async function getPlan(
  { database }: Pick<AirBlastDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<AirBlastPlan> {
  const run = await requireAirBlast(database.orm, viewer, id);
  const target = commandTargetSchema.safeParse(run.target);
  return {
    id,
    revision: run.revision,
    name: run.name,
    reason: run.reason,
    change: changeOf(run),
    target: target.success ? target.data : null,
    options: run.options,
    secretParameters: secretNames(run),
  };
}

export const secretNames = ({ parameters }: Pick<AirBlastRecord, 'parameters'>): string[] =>
  Object.keys((parameters[SEALED] ?? {}) as Record<string, string>);

function changeOf(run: AirBlastRecord): AirBlastChange {
  const { [SEALED]: _sealed, ...parameters } = run.parameters;
  const { component, version, documentName, documentVersion } = run;
  if (component === null || version === null) {
    return { kind: 'document', document: `${documentName}:${documentVersion}`, parameters };
  }
  const textOf = (name: string): string => {
    const value = parameters[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    kind: 'version',
    component,
    version,
    source: textOf('source'),
    sha256: textOf('sha256'),
  };
}
