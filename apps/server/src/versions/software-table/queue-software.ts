import type { SoftwareReference } from '@deviceportal/contract/versions';
import { queueOutgoing } from '../../data-sources/queue-outgoing.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Queues changed versions for the software version table. */
export const queueSoftware = (
  tx: Transaction,
  changed: readonly SoftwareReference[],
): Promise<void> =>
  queueOutgoing(
    tx,
    'software-versions',
    changed.map(({ component, version }) => ({ key: component, sortKey: version })),
  );
