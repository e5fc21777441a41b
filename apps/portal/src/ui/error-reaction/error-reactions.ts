import type { ErrorName } from '@deviceportal/contract/errors';

/** Where an error shows: the whole page, an alert in place, a notification, a field, a dialog or the top banner. */
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
  | 'catalogue'
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
 * What a screen does about each of the 24 codes. The words are `app.error.<name>.title` and `.body` in the
 * catalogues; what only one screen can offer ("run again") that screen adds itself.
 */
export const errorReactions: Readonly<Record<ErrorName, ErrorReaction>> = {
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
  commandNotFound: react('page', 'warning', 'catalogue', 'go-back'),
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
