import { setTimeout as delay } from 'node:timers/promises';
import { BackOff } from './core/back-off.ts';
import { EnrolmentRefused } from './enrol.ts';
import { type Logger, reasonOf } from './logger.ts';
import type { Identity } from './store/identity-file.ts';

/** A server that is not up yet comes soon. */
const UNREACHABLE = { baseMs: 500, capMs: 15_000, random: Math.random };
/** A person takes their time, and the server limits refusals of one address: ten in ten minutes are half of what it takes. */
const UNDECIDED = { baseMs: 2_000, capMs: 120_000, random: Math.random };

export interface UntilEnrolledOptions {
  readonly serverUrl: string;
  readonly log: Logger;
  /** Whether to try again after this error. */
  readonly mayPass: (error: unknown) => boolean;
}

/** Tries to enrol until it is done, or refused for good. What is waited for is told once. */
export async function untilEnrolled(
  attempt: () => Promise<Identity>,
  { serverUrl, log, mayPass }: UntilEnrolledOptions,
): Promise<Identity> {
  const undecided = new BackOff(UNDECIDED);
  const unreachable = new BackOff(UNREACHABLE);
  let told = '';
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayPass(error)) throw error;
      const isOfPerson = isUndecided(error);
      if (!isOfPerson) log('warn', 'the server does not answer yet', { reason: reasonOf(error) });
      else if (error.message !== told) tellWaiting(error, serverUrl, log);
      if (isOfPerson) told = error.message;
      await delay((isOfPerson ? undecided : unreachable).next());
    }
  }
}

/** What a person has to compare, and where. */
function tellWaiting(error: EnrolmentRefused, serverUrl: string, log: Logger): void {
  const { reEnrolment } = error;
  if (reEnrolment === null) {
    log('warn', 'the server asks to try again later', { reason: error.message });
    return;
  }
  const { device, keyFingerprint, reason } = reEnrolment;
  const page = new URL(`/devices/${encodeURIComponent(device)}`, serverUrl).href;
  const message =
    reason === 're-enrolment-waiting'
      ? "waiting for approval: compare the key fingerprint on the device's page, and approve there"
      : "waiting: another machine asks to become this device; decide about it on the device's page";
  log('warn', message, { keyFingerprint, page });
}

export const isUndecided = (error: unknown): error is EnrolmentRefused =>
  error instanceof EnrolmentRefused && error.isUndecided;

export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof EnrolmentRefused && error.status >= 500);
