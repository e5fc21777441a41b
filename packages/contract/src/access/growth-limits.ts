/** Limits on what users can create and start. Requests beyond a limit are rejected with 2004. */

export interface GrowthLimit {
  readonly most: number;
  /** The unit that a limit applies to. With `day`: created in the last 24 hours. */
  readonly per:
    | 'person'
    | 'person and day'
    | 'address and day'
    | 'device'
    | 'case'
    | 'document'
    | 'report'
    | 'portal';
}

const limit = (most: number, per: GrowthLimit['per']): GrowthLimit => ({ most, per });

export const growthLimits = {
  savedViews: limit(200, 'person'),
  /**
   * Serial numbers in the pasted lists of views, schedules, and rollouts. Unused lists are deleted
   * to free space.
   */
  targetListEntries: limit(1_000_000, 'person'),
  deviceNotes: limit(500, 'device'),
  deviceWaits: limit(500, 'person'),
  openClaims: limit(500, 'person'),
  /** Pending requests to replace a device's instance. A device has at most one. */
  openReEnrollments: limit(500, 'portal'),
  /** Waves of rollouts and undo runs count, but are never rejected. */
  openRuns: limit(500, 'person'),
  openRollouts: limit(20, 'person'),
  schedules: limit(200, 'person'),
  openCases: limit(100, 'person'),
  cases: limit(1_000, 'person and day'),
  caseNotes: limit(1_000, 'case'),
  caseUpdates: limit(1_000, 'case'),
  /** A case can be closed once more than it can be reopened. */
  caseReopenings: limit(100, 'case'),
  accessRequests: limit(20, 'person and day'),
  openReports: limit(5, 'person'),
  openReportsOfAll: limit(100, 'portal'),
  reports: limit(100, 'person and day'),
  openShares: limit(20, 'report'),
  auditExports: limit(50, 'person and day'),
  evidenceFiles: limit(300, 'person and day'),
  personRecords: limit(20, 'person and day'),
  roles: limit(500, 'portal'),
  invitations: limit(200, 'person and day'),
  scimConnections: limit(20, 'portal'),
  /** Active ones, and those of the last day. */
  apiTokens: limit(20, 'person'),
  serviceTokens: limit(200, 'portal'),
  /** Files that are not confirmed yet, or are being applied or undone. */
  openImports: limit(5, 'person'),
  imports: limit(100, 'person and day'),
  alertRules: limit(50, 'person'),
  /** Tests of destinations, and deliveries that are sent again, for each address. */
  alertTests: limit(60, 'person and day'),
  /** From all users. */
  alertTestsOfAddress: limit(10, 'address and day'),
  webhooks: limit(10, 'person'),
  webhooksOfAll: limit(50, 'portal'),
  legalHolds: limit(200, 'portal'),
  documents: limit(5_000, 'portal'),
  documentVersions: limit(1_000, 'document'),
  softwareVersions: limit(20_000, 'portal'),
  versionApprovals: limit(20_000, 'portal'),
} as const satisfies Record<string, GrowthLimit>;

export type GrowthLimitName = keyof typeof growthLimits;
export const growthLimitNames = Object.keys(growthLimits) as readonly GrowthLimitName[];

/** The reason in the facts of a 2004 caused by a limit. */
export const LIMIT_REACHED = 'limitReached';

export interface LimitReachedFacts {
  readonly reason: typeof LIMIT_REACHED;
  readonly limit: GrowthLimitName;
  readonly most: number;
}
