import type { AuditVerification } from './verify-audit-trail.ts';

const FAULTS = {
  changed: 'its content is not what was sealed',
  missing: 'the event or its seal is gone',
  unlinked: 'its block does not follow from the one before',
  resealed: 'its block is not what its hash says',
  unsigned:
    'its block is not signed by a key of this installation or of the checkpoint. Where an earlier installation sealed it, name a checkpoint that has its key',
} as const;

/** What does not hold, for the operator; empty where all does. */
export function chainFaultLines({ broken, strays, holdsKept }: AuditVerification): string[] {
  return [
    ...(broken === null ? [] : [`Fault at event ${broken.sequence}: ${FAULTS[broken.reason]}.`]),
    ...(strays > 0 ? [`Fault: ${strays} events have no seal and wait for none.`] : []),
    ...(holdsKept === false
      ? [
          'Fault: the block of the checkpoint is not in the chain: the trail was cut off or made anew.',
        ]
      : []),
  ];
}
