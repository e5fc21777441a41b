import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts, FindingSeverity } from '@deviceportal/contract/findings';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listFindingsOfPeriod } from './data/findings-of-period-queries.ts';
import { withoutCommands } from './visible-facts.ts';

export interface FindingOfDevice {
  readonly deviceId: string;
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  readonly openedAt: string;
  /** Null if it still applies. */
  readonly closedAt: string | null;
}

/** Findings of devices that applied at any time of a time range. */
export async function listFindingsOfDevices(
  { database }: { readonly database: Database },
  viewer: Viewer,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly from: string;
    readonly to: string;
    readonly limit: number;
  },
): Promise<FindingOfDevice[]> {
  const found = await listFindingsOfPeriod(database.orm, viewer, {
    ...wanted,
    from: new Date(wanted.from),
    to: new Date(wanted.to),
  });
  return found.map(({ seesCommands, facts, ...row }) => ({
    ...row,
    facts: seesCommands ? facts : withoutCommands(row.rule, facts),
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
  }));
}
