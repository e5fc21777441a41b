import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import type { Logger } from '../logger.ts';
import type { Identity } from '../store/identity-file.ts';
import { signConsent } from '../terminal/sign-consent.ts';
import { TerminalHost, type TerminalHostOptions } from '../terminal/terminal-host.ts';
import type { BrokerConnection } from './broker-connection.ts';
import type { PinnedKeys } from './pinned-keys.ts';

/** How terminals of a device are opened. */
export type TerminalWays = Pick<
  TerminalHostOptions,
  'isOn' | 'account' | 'openPty' | 'limits' | 'consentProgram'
>;

interface TerminalParts {
  readonly identity: () => Pick<Identity, 'deviceId' | 'certificate' | 'privateKey'>;
  readonly serverNow: () => number;
  readonly keys: Pick<PinnedKeys, 'isSigned'>;
  readonly connection: Pick<BrokerConnection, 'publish'>;
  readonly log: Logger;
}

/** The terminals of a device; undefined if it has none. */
export function openTerminals(
  ways: TerminalWays | undefined,
  { keys, connection, identity, ...parts }: TerminalParts,
): TerminalHost | undefined {
  if (ways === undefined) return undefined;
  return new TerminalHost({
    ...ways,
    ...parts,
    deviceId: () => identity().deviceId,
    signConsent: (consent) => signConsent(consent, identity()),
    isSigned: (statement) => keys.isSigned(statementTypes.terminal, statement),
    // What is lost is sent again.
    send: (payload) => void connection.publish('terminal', payload, 0).catch(() => {}),
    now: () => performance.now(),
  });
}
