import type { AlertPhase } from '@deviceportal/contract/alerts';

export interface AlertState {
  readonly phase: AlertPhase;
  /** Since when `pending` or `recovering` has lasted. */
  readonly since: Date;
}

export interface AlertLimits {
  readonly above: number;
  readonly resolveAt: number;
  readonly holdMinutes: number;
  readonly resolveMinutes: number;
}

export interface AlertStep extends AlertState {
  /** A state change that is recorded and delivered. */
  readonly change: 'fire' | 'resolve' | null;
}

const MINUTE_MS = 60_000;

/**
 * The next state of a rule. It fires when the value has been above the threshold for long enough, and resolves when it
 * has been at or below the lower limit for long enough. A value between the limits changes nothing. A muted rule does
 * not fire, but a firing one resolves.
 */
export function nextAlertState(
  state: AlertState,
  limits: AlertLimits,
  measured: { readonly value: number; readonly at: Date; readonly isMuted: boolean },
): AlertStep {
  const { value, at, isMuted } = measured;
  const stay: AlertStep = { ...state, change: null };
  const enter = (phase: AlertPhase, change: AlertStep['change'] = null): AlertStep => ({
    ...{ phase, since: at, change },
  });
  const lasted = (minutes: number): boolean =>
    at.getTime() - state.since.getTime() >= minutes * MINUTE_MS;
  switch (state.phase) {
    case 'ok':
      if (isMuted || value <= limits.above) return stay;
      return limits.holdMinutes === 0 ? enter('firing', 'fire') : enter('pending');
    case 'pending':
      if (isMuted || value <= limits.above) return enter('ok');
      return lasted(limits.holdMinutes) ? enter('firing', 'fire') : stay;
    case 'firing':
      if (value > limits.resolveAt) return stay;
      return limits.resolveMinutes === 0 ? enter('ok', 'resolve') : enter('recovering');
    case 'recovering':
      if (value > limits.resolveAt) return enter('firing');
      return lasted(limits.resolveMinutes) ? enter('ok', 'resolve') : stay;
  }
}

/** Whether an alert of the rule is open. */
export const isOpen = (phase: AlertPhase): boolean => phase === 'firing' || phase === 'recovering';
