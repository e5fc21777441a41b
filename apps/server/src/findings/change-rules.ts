import { SUPPORTED_PROTOCOLS } from '@deviceportal/device-protocol/protocol-version';
import { DAY_MS, later, type CommandResult, type DeviceFacts, type Rule } from './finding-rule.ts';

const FAILURES_IN_A_ROW = 3;
/** Older failures are ignored. */
const FAILURES_COUNT_MS = 7 * DAY_MS;
const failedStates: readonly string[] = ['Failed', 'TimedOut'];

const hasFailed = (result: CommandResult): boolean => failedStates.includes(result.state);

function lastFailures({ results }: DeviceFacts): readonly CommandResult[] {
  const last = results.slice(0, FAILURES_IN_A_ROW);
  return last.length === FAILURES_IN_A_ROW && last.every(hasFailed) ? last : [];
}

export const repeatedFailures: Rule = {
  code: 'repeated-failures',
  evaluate(device, now) {
    const [newest, ...others] = lastFailures(device);
    if (newest === undefined) return null;
    if (now.getTime() - newest.endedAt.getTime() > FAILURES_COUNT_MS) return null;
    return {
      severity: 'warning',
      facts: {
        count: FAILURES_IN_A_ROW,
        command: newest.command,
        statusDetails: newest.statusDetails,
        responseCode: newest.responseCode,
        invocationId: newest.invocationId,
        endedAt: newest.endedAt.toISOString(),
      },
      since: others.at(-1)?.endedAt ?? newest.endedAt,
      remedy: { command: 'logs/tail', parameters: {} },
    };
  },
  changesAt(device) {
    const [newest] = lastFailures(device);
    return newest === undefined ? [] : [later(newest.endedAt, FAILURES_COUNT_MS)];
  },
};

export const behindApproved: Rule = {
  code: 'behind-approved',
  evaluate({ outdated }, now) {
    const late = outdated.filter(
      ({ state, mandatoryFrom }) =>
        state === 'blocked' || (mandatoryFrom !== null && mandatoryFrom <= now),
    );
    const worst = late.find(({ state }) => state === 'blocked') ?? late[0] ?? outdated[0];
    if (worst === undefined) return null;
    const { component, version, approved } = worst;
    return {
      severity: late.length > 0 ? 'error' : 'warning',
      facts: {
        component,
        version,
        approved,
        state: worst.state,
        mandatoryFrom: worst.mandatoryFrom?.toISOString() ?? null,
        components: outdated.length,
      },
      since: worst.approvedAt,
      remedy:
        approved === null
          ? null
          : { command: 'software/install', parameters: { component, version: approved } },
    };
  },
  changesAt: ({ outdated }) =>
    outdated.flatMap(({ mandatoryFrom }) => (mandatoryFrom === null ? [] : [mandatoryFrom])),
};

export const agentUnsupported: Rule = {
  code: 'agent-unsupported',
  evaluate({ agentVersion, protocol }) {
    if (protocol === null) return null;
    const { oldest, newest } = SUPPORTED_PROTOCOLS;
    if (protocol >= oldest && protocol <= newest) return null;
    const isOld = protocol < oldest;
    return {
      severity: 'warning',
      facts: { state: isOld ? 'old' : 'new', version: agentVersion, protocol },
      since: null,
      remedy: isOld ? { command: 'agent/update', parameters: {} } : null,
    };
  },
  changesAt: () => [],
};

export const outsideCountries: Rule = {
  code: 'outside-countries',
  evaluate({ placeCountry, placeAt, placeSource }, _now, { supportedCountries }) {
    if (placeCountry === null || supportedCountries.length === 0) return null;
    if (supportedCountries.includes(placeCountry)) return null;
    return {
      severity: 'warning',
      facts: {
        country: placeCountry,
        at: placeAt?.toISOString() ?? null,
        ...(placeSource === 'address' && { source: placeSource }),
      },
      since: null,
      remedy: { command: 'locate', parameters: {} },
    };
  },
  changesAt: () => [],
};
