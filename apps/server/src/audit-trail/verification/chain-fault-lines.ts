import type { AuditVerification } from './verify-audit-trail.ts';

const FAULTS = {
  changed: 'its content was changed after it was sealed',
  missing:
    'the event or its seal is missing, and no sealed event records its deletion at the end of its retention',
  unlinked: 'its block is not linked to the previous block',
  resealed: 'its block does not match its hash',
  unsigned:
    'its block is not signed by a key of this installation or of --keys FILE. If an earlier installation sealed it, use --keys with a file that contains its key',
  'out-of-turn':
    'its block is signed by a key that was already retired, or that no sealed event announced',
} as const;

/** What does not hold, for the operator; empty where all does. */
export function chainFaultLines(found: AuditVerification): string[] {
  const { broken, strays, overdue, unnamedFiles, holdsKept } = found;
  return [
    ...(broken === null ? [] : [`Fault at event ${broken.sequence}: ${FAULTS[broken.reason]}.`]),
    ...(strays > 0 ? [`Fault: ${strays} events are neither sealed nor queued for sealing.`] : []),
    ...(overdue > 0
      ? [
          `Fault: ${overdue} events have been queued for sealing for more than 15 minutes. Is a server with the role worker running?`,
        ]
      : []),
    ...unnamedFiles.map((file) => `Fault: no sealed event names the archived month ${file}.`),
    ...(holdsKept === false
      ? [
          'Fault: the block of the checkpoint is not in the chain: the trail was truncated or rebuilt.',
        ]
      : []),
  ];
}
