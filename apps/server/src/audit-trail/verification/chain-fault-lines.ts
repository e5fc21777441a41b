import type { AuditVerification } from './verify-audit-trail.ts';

const FAULTS = {
  changed: 'its content is not what was sealed',
  missing:
    'the event or its seal is gone, and no sealed event says that it was deleted at the end of its retention',
  unlinked: 'its block does not follow from the one before',
  resealed: 'its block is not what its hash says',
  unsigned:
    'its block is not signed by a key of this installation or of --keys FILE. Where an earlier installation sealed it, name a file with its key',
  'out-of-turn':
    'its block is signed by a key that was retired before it, or that no sealed event had announced',
} as const;

/** What does not hold, for the operator; empty where all does. */
export function chainFaultLines(found: AuditVerification): string[] {
  const { broken, strays, overdue, unnamedFiles, holdsKept } = found;
  return [
    ...(broken === null ? [] : [`Fault at event ${broken.sequence}: ${FAULTS[broken.reason]}.`]),
    ...(strays > 0 ? [`Fault: ${strays} events have no seal and are not queued for it.`] : []),
    ...(overdue > 0
      ? [
          `Fault: ${overdue} events have been queued for their seal for more than 15 minutes. Is a server with the role worker running?`,
        ]
      : []),
    ...unnamedFiles.map((file) => `Fault: no sealed event names the archived month ${file}.`),
    ...(holdsKept === false
      ? [
          'Fault: the block of the checkpoint is not in the chain: the trail was cut off or made anew.',
        ]
      : []),
  ];
}
