import { setTimeout as delay } from 'node:timers/promises';
import { BackOff } from './core/back-off.ts';
import { EnrollmentRefused } from './enroll.ts';
import { type Logger, reasonOf } from './logger.ts';
import type { Identity } from './store/identity-file.ts';

/** A server that is starting is available soon. */
const UNREACHABLE = { baseMs: 500, capMs: 15_000, random: Math.random };
/**
 * A decision takes time, and the server limits rejections per address. These delays use half of the
 * limit: ten in ten minutes.
 */
const UNDECIDED = { baseMs: 2_000, capMs: 120_000, random: Math.random };

export interface UntilEnrolledOptions {
  readonly serverUrl: string;
  readonly log: Logger;
  /** Whether a retry can succeed after this error. */
  readonly mayPass: (error: unknown) => boolean;
}

/** Retries the enrollment until it succeeds or is rejected. Each waiting reason is logged once. */
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
      if (!isOfPerson) log('warn', 'server not available yet', { reason: reasonOf(error) });
      else if (error.message !== told) tellWaiting(error, serverUrl, log);
      if (isOfPerson) told = error.message;
      await delay((isOfPerson ? undecided : unreachable).next());
    }
  }
}

/** Logs what a user must compare, and where. */
function tellWaiting(error: EnrollmentRefused, serverUrl: string, log: Logger): void {
  const { reEnrollment } = error;
  if (reEnrollment === null) {
    log('warn', 'server requested a later retry', { reason: error.message });
    return;
  }
  const { device, keyFingerprint, reason } = reEnrollment;
  const page = new URL(`/devices/${encodeURIComponent(device)}`, serverUrl).href;
  const message =
    reason === 're-enrolment-waiting'
      ? "waiting for approval: compare the key fingerprint on the device's page, and approve there"
      : "waiting: another machine requested to become this device; approve or reject it on the device's page";
  log('warn', message, { keyFingerprint, page });
}

export const isUndecided = (error: unknown): error is EnrollmentRefused =>
  error instanceof EnrollmentRefused && error.isUndecided;

export const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof EnrollmentRefused && error.status >= 500);
