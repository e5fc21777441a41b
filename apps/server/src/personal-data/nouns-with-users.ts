import { accessReviewsUserTables } from '../access-reviews/data/access-reviews-user-data.ts';
import { accessUserTables } from '../access/data/access-user-data.ts';
import { airBlastUserTables } from '../air-blast/data/air-blast-user-data.ts';
import { alertsUserTables } from '../alerts/data/alerts-user-data.ts';
import { apiCallsUserTables } from '../api-calls/data/api-calls-user-data.ts';
import { apiTokensUserTables } from '../api-tokens/data/api-tokens-user-data.ts';
import { casesUserTables } from '../cases/data/cases-user-data.ts';
import { commandsUserTables } from '../commands/data/commands-user-data.ts';
import { devicesUserTables } from '../devices/data/devices-user-data.ts';
import { documentsUserTables } from '../documents/data/documents-user-data.ts';
import { importsUserTables } from '../imports/data/imports-user-data.ts';
import { legalHoldsUserTables } from '../legal-holds/data/legal-holds-user-data.ts';
import { locationsUserTables } from '../locations/data/locations-user-data.ts';
import { notificationsUserTables } from '../notifications/data/notifications-user-data.ts';
import { presenceUserTables } from '../presence/data/presence-user-data.ts';
import { deviceFilesUserTables } from '../device-files/data/device-file-user-data.ts';
import { reportsUserTables } from '../reports/data/reports-user-data.ts';
import { stepUpUserTables } from '../step-up/data/step-up-user-data.ts';
import { sessionUserTables } from '../session/data/session-user-data.ts';
import { terminalsUserTables } from '../terminals/data/terminal-user-data.ts';
import { versionsUserTables } from '../versions/data/versions-user-data.ts';
import { webPagesUserTables } from '../web-pages/data/web-page-user-data.ts';
import { webhooksUserTables } from '../webhooks/data/webhooks-user-data.ts';
import type { UserTables } from './tables-of-users.ts';

/** Slices that store data about users, with the tables. */
export const nounsWithUsers: Readonly<Record<string, UserTables>> = {
  access: accessUserTables,
  accessReviews: accessReviewsUserTables,
  airBlast: airBlastUserTables,
  alerts: alertsUserTables,
  apiCalls: apiCallsUserTables,
  apiTokens: apiTokensUserTables,
  cases: casesUserTables,
  commands: commandsUserTables,
  deviceFiles: deviceFilesUserTables,
  devices: devicesUserTables,
  documents: documentsUserTables,
  imports: importsUserTables,
  legalHolds: legalHoldsUserTables,
  locations: locationsUserTables,
  notifications: notificationsUserTables,
  presence: presenceUserTables,
  reports: reportsUserTables,
  session: sessionUserTables,
  stepUp: stepUpUserTables,
  terminals: terminalsUserTables,
  versions: versionsUserTables,
  webPages: webPagesUserTables,
  webhooks: webhooksUserTables,
};
