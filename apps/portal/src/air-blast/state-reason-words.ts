import type { Translate } from '../i18n/use-t.ts';

/** Reasons that the server gives; anything else is what a person wrote. */
const known = [
  'too-few-succeeded',
  'too-many-errors',
  'too-few-verified',
  'no-device-may-go',
  'command-refused',
  'rejected',
] as const;

/** Why a run is paused, aborted or failed. */
export function stateReasonWords(reason: string, t: Translate): string {
  const code = known.find((one) => one === reason);
  return code === undefined ? reason : t(`airBlast.because.${code}`);
}

/** The same behind the word of the state. */
export function stateDetail(reason: string, t: Translate): string | undefined {
  return reason === '' ? undefined : `· ${stateReasonWords(reason, t)}`;
}
