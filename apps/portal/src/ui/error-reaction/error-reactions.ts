import type { ErrorName } from '@deviceportal/contract/errors';
import type { RefusalReason } from '@deviceportal/contract/refusals';

/**
 * Where an error is shown: the whole page, an inline alert, a notification, a field, a dialog, or
 * the top banner.
 */
export type ErrorPlace = 'page' | 'alert' | 'flash' | 'field' | 'modal' | 'banner' | 'result';

export type ErrorAction =
  | 'retry'
  | 'copy-details'
  | 'request-access'
  | 'go-back'
  | 'go-home'
  | 'sign-in'
  | 'sign-out'
  | 'search'
  | 'catalog'
  | 'devices';

export interface ErrorReaction {
  readonly place: ErrorPlace;
  readonly severity: 'error' | 'warning' | 'info';
  readonly actions: readonly ErrorAction[];
}

const react = (
  place: ErrorPlace,
  severity: ErrorReaction['severity'],
  ...actions: ErrorAction[]
): ErrorReaction => ({ place, severity, actions });

/**
 * The reaction of screens to each of the 24 codes. Texts are `app.error.<name>.title` and `.body`
 * in the catalogs. A screen adds the actions that only it can offer ("run again").
 */
const ofCodes: Readonly<Record<ErrorName, ErrorReaction>> = {
  unknown: react('alert', 'error', 'retry', 'copy-details'),
  noPermission: react('page', 'warning', 'request-access', 'go-back', 'go-home'),
  httpUnknown: react('alert', 'error', 'retry', 'copy-details'),
  invalidSession: react('modal', 'warning', 'sign-in', 'sign-out'),
  noConnection: react('banner', 'warning', 'retry'),
  notFound: react('page', 'warning', 'search', 'go-back', 'go-home'),
  invalidParameters: react('field', 'error', 'copy-details'),
  loginUserDoesNotExist: react('field', 'error'),
  invalidLoginCode: react('field', 'error'),
  loginUserNotAuthorized: react('alert', 'error'),
  loginInvalidSession: react('alert', 'warning'),
  commandFailed: react('result', 'error', 'copy-details'),
  commandHasNoDevice: react('alert', 'warning', 'devices'),
  commandNotFound: react('page', 'warning', 'catalog', 'go-back'),
  commandHasNoSerialNumber: react('alert', 'error', 'copy-details'),
  invocationNotFound: react('result', 'warning', 'go-back', 'copy-details'),
  invocationWaitFailed: react('result', 'warning', 'retry'),
  deviceNotFound: react('page', 'warning', 'search', 'devices'),
  deviceInstanceNotFound: react('alert', 'warning', 'retry'),
  roleAlreadyExists: react('field', 'error'),
  userAlreadyExists: react('field', 'error'),
  airBlastTokenExpired: react('alert', 'warning', 'retry'),
  airBlastStepAlreadyDone: react('flash', 'info'),
  airBlastStepFailed: react('alert', 'error', 'retry', 'copy-details'),
};

/** The user has the permission, but another rule rejects, so an access request would not help. */
const rule = react('page', 'warning', 'go-back', 'go-home');
/** Concurrent change of another user: can be retried with the current data. */
const changed = react('field', 'warning', 'retry', 'copy-details');
/** Temporary: can be retried. */
const later = react('alert', 'warning', 'retry');

/** Responses to an enrolling device, which no screen shows. */
const machine = react('result', 'warning');

/** The reaction to a reason that differs from that of its code. */
const ofReasons: Readonly<Partial<Record<RefusalReason, ErrorReaction>>> = {
  'api-token-elsewhere': rule,
  'not-by-api-token': rule,
  'step-up-not-by-token': rule,
  'approver-cannot-operate': rule,
  'cloud-role-refused': rule,
  'own-access': rule,
  'own-access-lost': rule,
  'own-release': rule,
  'own-role': rule,
  'own-version': rule,
  'outlasts-temporary-access': rule,
  'permission-not-held': rule,
  'file-not-as-reported': rule,
  'file-of-inactive-device': rule,
  'link-ended': rule,
  'reach-gained': rule,
  'rollout-needs-second-person': rule,
  'rollout-not-offered': rule,
  'rollout-of-other-operator': rule,
  'run-needs-second-person': rule,
  'token-of-other-user': rule,
  'user-code-locked': later,
  'claim-creator-without-right': machine,
  'claim-not-covering': machine,
  'claim-not-covering-device': machine,
  'claim-not-in-force': machine,
  'claim-of-managed-instance': machine,
  'claim-of-other-device': machine,
  'claim-of-other-serial-number': machine,
  'claim-without-device': machine,
  'enrolling-device-retired': machine,
  'enrolling-device-suspended': machine,
  'approval-changed': changed,
  'changed-meanwhile': changed,
  'document-changed': changed,
  'plan-changed': changed,
  'role-changed': changed,
  'schedule-changed': changed,
  'target-changed': changed,
  'passkey-sign-in-old': later,
  'step-up-required': later,
  'step-up-method-unavailable': later,
  'step-up-code-not-sent': later,
  'step-up-too-many': later,
  'step-up-locked': rule,
  'cursor-invalid': later,
  'lock-held': later,
  'request-too-slow': later,
  'rollout-step-running': later,
  'server-disk-full': later,
};

/** The reaction to an error: by its reason if defined, otherwise by its code. */
export function reactionTo({
  name,
  reason,
}: {
  readonly name: ErrorName;
  readonly reason: RefusalReason | null;
}): ErrorReaction {
  return (reason === null ? undefined : ofReasons[reason]) ?? ofCodes[name];
}
