import type { AlertsDeps } from '../../alerts/alerts-deps.ts';
import { createAlertRound } from '../../alerts/evaluate-alerts.ts';
import { deliverAlerts } from '../../alerts/sending/deliver-alerts.ts';
import { internalHostsOf } from '../../platform/outside/internal-hosts.ts';
import { createTextVault } from '../../commands/output/text-vault.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { keyPurposes } from '../../platform/secrets/key-purposes.ts';
import type { IdentityParts } from '../compose-identity.ts';
import type { Composition } from '../composition.ts';
import { findScheduleCreator } from '../find-schedule-creator.ts';

const EVALUATE_EVERY_MS = 1_000;
const DELIVER_EVERY_MS = 1_000;

/** What is needed to send alerts, for servers that test destinations and servers that deliver. */
export const composeAlertSending = ({ platform, secrets }: Composition): AlertsDeps['alerts'] => ({
  vault: createTextVault(secrets.keysFor(keyPurposes.alerts)),
  internalHosts: internalHostsOf(platform.config.alertInternalHosts),
});

/** Evaluates alert rules and sends their deliveries in the background. */
export function composeAlerts(
  composition: Composition,
  { directory, notices }: Pick<IdentityParts, 'directory' | 'notices'>,
): void {
  const { platform, resources, clock } = composition;
  const { database, logger, publicUrl } = platform;
  const evaluate = createAlertRound({
    database,
    clock,
    findOwner: (createdBySubject) =>
      findScheduleCreator({ database, directory, clock }, { createdBySubject }),
    onError: (error, ruleId) => logger.warn({ err: error, ruleId }, 'alert rule evaluation failed'),
  });
  const sending = { database, clock, publicUrl, notices, alerts: composeAlertSending(composition) };
  resources.use(
    repeat(evaluate, {
      everyMs: EVALUATE_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'alert evaluation failed'),
    }),
  );
  resources.use(
    repeat(async () => void (await deliverAlerts(sending)), {
      everyMs: DELIVER_EVERY_MS,
      onError: (error) => logger.warn({ err: error }, 'alert delivery failed'),
    }),
  );
}
