import { canonicalSha256 } from '@deviceportal/command-signing/canonical-json';
import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import { effectDocument } from '../effect/effect-document.ts';
import { effectSubDocuments } from '../effect/planned-effect-of.ts';
import type { ParameterValues } from '../parameters/parameter-vault.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import type { AuthorizedFacts } from '../signing/authorization.ts';
import type { StoredSchedule } from '../data/schedule-queries.ts';

type Covered = Pick<
  StoredSchedule,
  | 'id'
  | 'name'
  | 'target'
  | 'frozenCount'
  | 'maxDevices'
  | 'maxConcurrency'
  | 'maxErrors'
  | 'timeoutSeconds'
  | 'comment'
  | 'times'
  | 'missed'
  | 'createdById'
  | 'createdBy'
  | 'createdBySubject'
  | 'bond'
>;

interface ScheduleFacts extends AuthorizedFacts {
  readonly facts: (blinding: string) => Readonly<Record<string, unknown>>;
}

/** All facts that determine what a schedule runs, when, on which devices, and with whose permissions. */
export function authorizedSchedule(
  schedule: Covered,
  resolved: ResolvedCommand,
  values: ParameterValues,
): ScheduleFacts {
  const { id, name, frozenCount, maxDevices, maxConcurrency, maxErrors, timeoutSeconds, comment } =
    schedule;
  return {
    type: statementTypes.schedule,
    id,
    facts: (blinding) => ({
      id,
      name,
      command: resolved.command,
      consequence: resolved.consequence,
      document: effectDocument(resolved.document),
      subDocuments: effectSubDocuments(resolved),
      parameters: canonicalSha256({ blinding, values }),
      target: canonicalSha256(schedule.target),
      frozenCount,
      maxDevices,
      maxConcurrency,
      maxErrors,
      timeoutSeconds,
      comment,
      times: schedule.times,
      missed: schedule.missed,
      createdBy: {
        id: schedule.createdById,
        name: schedule.createdBy,
        subject: schedule.createdBySubject,
      },
      elevationId: schedule.bond?.accessGrantId ?? null,
    }),
  };
}
