import type { FailingPart } from '@deviceportal/contract/devices';
import { DAY_MS, HOUR_MS, later, type DeviceFacts, type Rule } from './finding-rule.ts';

const DISK_WARNING_PERCENT = 90;
const DISK_ERROR_PERCENT = 97;

/** Agents renew after two thirds of 90 days: two weeks before expiry, several renewals have failed. */
const CERTIFICATE_WARNING_MS = 14 * DAY_MS;
const CERTIFICATE_ERROR_MS = 3 * DAY_MS;

const CRASHES = 3;
const CRASH_WINDOW_MS = HOUR_MS;
const keepsCrashing = /^(\S+) keeps crashing$/;

const partOf = ({ failing }: DeviceFacts, part: string): FailingPart | undefined =>
  failing.find((each) => each.part === part);

export const diskFull: Rule = {
  code: 'disk-full',
  evaluate(device) {
    const { diskUsedPercent } = device;
    const own = partOf(device, 'disk');
    const percent = diskUsedPercent ?? 0;
    if (own === undefined && percent < DISK_WARNING_PERCENT) return null;
    return {
      severity: percent < DISK_ERROR_PERCENT ? 'warning' : 'error',
      facts: {
        percent: diskUsedPercent === null ? null : Math.round(diskUsedPercent),
        fact: own?.fact ?? null,
      },
      since: null,
      remedy: { command: 'storage/clean', parameters: {} },
    };
  },
  changesAt: () => [],
};

export const clockWrong: Rule = {
  code: 'clock-wrong',
  evaluate(device) {
    const clock = partOf(device, 'clock');
    if (clock === undefined) return null;
    return {
      severity: 'warning',
      facts: { fact: clock.fact },
      since: null,
      remedy: { command: 'restart/service', parameters: { service: 'chronyd' } },
    };
  },
  changesAt: () => [],
};

export const certificateEnding: Rule = {
  code: 'certificate-ending',
  evaluate({ certificateEndsAt: endsAt }, now) {
    if (endsAt === null) return null;
    const leftMs = endsAt.getTime() - now.getTime();
    if (leftMs > CERTIFICATE_WARNING_MS) return null;
    return {
      severity: leftMs > CERTIFICATE_ERROR_MS ? 'warning' : 'error',
      facts: { endsAt: endsAt.toISOString() },
      since: later(endsAt, -CERTIFICATE_WARNING_MS),
      // The agent renews its certificate when it starts.
      remedy: { command: 'restart/agent', parameters: {} },
    };
  },
  changesAt: ({ certificateEndsAt: endsAt }) =>
    endsAt === null
      ? []
      : [later(endsAt, -CERTIFICATE_WARNING_MS), later(endsAt, -CERTIFICATE_ERROR_MS), endsAt],
};

export const crashLoop: Rule = {
  code: 'crash-loop',
  evaluate(device, now) {
    const { crashes } = device.rhythm;
    const recent = crashes.filter(({ at }) => now.getTime() - at.getTime() < CRASH_WINDOW_MS);
    const reportedService = keepsCrashing.exec(partOf(device, 'service')?.fact ?? '')?.[1];
    if (recent.length < CRASHES && reportedService === undefined) return null;
    const service = reportedService ?? recent.at(-1)?.service ?? '';
    return {
      severity: 'error',
      facts: { service, count: recent.length < CRASHES ? null : CRASHES },
      since: recent[0]?.at ?? null,
      remedy: { command: 'restart/service', parameters: service === '' ? {} : { service } },
    };
  },
  changesAt({ rhythm }) {
    const oldest = rhythm.crashes.at(-CRASHES);
    return oldest === undefined ? [] : [later(oldest.at, CRASH_WINDOW_MS)];
  },
};
