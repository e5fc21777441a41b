import type { RefusalReason } from '@deviceportal/contract/refusals';
import type access from '../access/messages/en.json';
import type alerts from '../alerts/messages/en.json';
import type airBlast from '../air-blast/messages/en.json';
import type apiCalls from '../api-calls/messages/en.json';
import type apiTokens from '../api-tokens/messages/en.json';
import type auditTrail from '../audit-trail/messages/en.json';
import type backups from '../backups/messages/en.json';
import type cases from '../cases/messages/en.json';
import type commands from '../commands/messages/en.json';
import type dataSources from '../data-sources/messages/en.json';
import type deviceFiles from '../device-files/messages/en.json';
import type devices from '../devices/messages/en.json';
import type deviceList from '../devices/list/messages/en.json';
import type documents from '../documents/messages/en.json';
import type explanations from '../explanations/messages/en.json';
import type glossary from '../glossary/messages/en.json';
import type help from '../help/messages/en.json';
import type home from '../home/messages/en.json';
import type identityProvider from '../identity-provider/messages/en.json';
import type imports from '../imports/messages/en.json';
import type legalHolds from '../legal-holds/messages/en.json';
import type locations from '../locations/messages/en.json';
import type metrics from '../metrics/messages/en.json';
import type notifications from '../notifications/messages/en.json';
import type people from '../people/messages/en.json';
import type profile from '../profile/messages/en.json';
import type reports from '../reports/messages/en.json';
import type session from '../sign-in/messages/en.json';
import type palette from '../app/command-palette/messages/en.json';
import type shortcuts from '../app/shortcuts/messages/en.json';
import type shell from '../app/messages/en.json';
import type stepUp from '../step-up/messages/en.json';
import type terminals from '../terminals/messages/en.json';
import type tickets from '../tickets/messages/en.json';
import type webhooks from '../webhooks/messages/en.json';
import type versions from '../versions/messages/en.json';
import type webPages from '../web-pages/messages/en.json';

/** All message keys of the product, from the English catalogs and the reasons of refusals. */
export type MessageKey =
  | `refusal.${RefusalReason}`
  | Extract<
      | keyof typeof access
      | keyof typeof alerts
      | keyof typeof airBlast
      | keyof typeof apiCalls
      | keyof typeof apiTokens
      | keyof typeof auditTrail
      | keyof typeof backups
      | keyof typeof cases
      | keyof typeof commands
      | keyof typeof dataSources
      | keyof typeof deviceFiles
      | keyof typeof devices
      | keyof typeof deviceList
      | keyof typeof documents
      | keyof typeof explanations
      | keyof typeof glossary
      | keyof typeof help
      | keyof typeof home
      | keyof typeof identityProvider
      | keyof typeof imports
      | keyof typeof legalHolds
      | keyof typeof locations
      | keyof typeof metrics
      | keyof typeof notifications
      | keyof typeof people
      | keyof typeof profile
      | keyof typeof reports
      | keyof typeof session
      | keyof typeof palette
      | keyof typeof shell
      | keyof typeof shortcuts
      | keyof typeof stepUp
      | keyof typeof terminals
      | keyof typeof tickets
      | keyof typeof versions
      | keyof typeof webPages
      | keyof typeof webhooks,
      string
    >;

/** The keys of the sign-in page. */
export type SessionMessageKey = Extract<keyof typeof session, string>;

export type MessageArguments = Readonly<Record<string, string | number | boolean | Date | null>>;
