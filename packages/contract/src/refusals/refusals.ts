import { accessRefusals } from '../access/access-refusals.ts';
import { apiTokenRefusals } from '../access/api-token-refusals.ts';
import { passkeyRefusals } from '../access/passkey-refusals.ts';
import { stepUpRefusals } from '../access/step-up-refusals.ts';
import { providerRefusals } from '../access/provider-refusals.ts';
import { airBlastRefusals } from '../air-blast/air-blast-refusals.ts';
import { alertRefusals } from '../alerts/alert-refusals.ts';
import { auditTrailRefusals } from '../audit-trail/audit-trail-refusals.ts';
import { commandRefusals } from '../commands/command-refusals.ts';
import { scheduleRefusals } from '../commands/schedule-refusals.ts';
import { deviceFileRefusals } from '../devices/device-file-refusals.ts';
import { deviceRefusals } from '../devices/device-refusals.ts';
import { terminalRefusals } from '../devices/terminal-refusals.ts';
import { webPageRefusals } from '../devices/web-page-refusals.ts';
import { documentRefusals } from '../documents/document-refusals.ts';
import { importRefusals } from '../imports/import-refusals.ts';
import { caseRefusals } from '../people/case-refusals.ts';
import { personalDataRefusals } from '../people/personal-data-refusals.ts';
import { reportRefusals } from '../reports/report-refusals.ts';
import { versionRefusals } from '../versions/version-refusals.ts';
import type { FactsFrom } from './refusal.ts';
import { requestRefusals } from './request-refusals.ts';

/** All reasons for rejecting a call, by wire name: `reason` of the error's data. */
export const refusals = {
  ...accessRefusals,
  ...airBlastRefusals,
  ...alertRefusals,
  ...apiTokenRefusals,
  ...auditTrailRefusals,
  ...caseRefusals,
  ...commandRefusals,
  ...deviceFileRefusals,
  ...deviceRefusals,
  ...documentRefusals,
  ...importRefusals,
  ...passkeyRefusals,
  ...providerRefusals,
  ...reportRefusals,
  ...personalDataRefusals,
  ...requestRefusals,
  ...scheduleRefusals,
  ...stepUpRefusals,
  ...terminalRefusals,
  ...webPageRefusals,
  ...versionRefusals,
} as const;

export type RefusalReason = keyof typeof refusals;

export type FactsOf<Reason extends RefusalReason> = FactsFrom<(typeof refusals)[Reason]['facts']>;
