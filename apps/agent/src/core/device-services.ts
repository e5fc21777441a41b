import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { FileHost, type FileHostOptions } from '../files/file-host.ts';
import type { Logger } from '../logger.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { Identity } from '../store/identity-file.ts';
import type { TerminalHost } from '../terminal/terminal-host.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { openTerminals, type TerminalWays } from './open-terminals.ts';
import type { PinnedKeys } from './pinned-keys.ts';

export interface DeviceServiceWays {
  /** How terminals are opened; without it, this device has none. */
  readonly terminal?: TerminalWays;
  /** Which files can be reached; without it, this device offers none. */
  readonly files?: Pick<FileHostOptions, 'settings' | 'stateDirectory' | 'partMs'>;
}

interface ServiceOptions extends DeviceServiceWays {
  readonly store: AgentStore;
  readonly log: Logger;
  readonly fetch?: typeof fetch;
}

interface ServiceParts {
  readonly identity: () => Identity;
  readonly keys: Pick<PinnedKeys, 'isSigned'>;
  readonly connection: Pick<BrokerConnection, 'publish'>;
  readonly now: () => number;
  readonly serverNow: () => number;
}

/** What users reach on this device: its terminals and its files. */
export class DeviceServices {
  readonly #terminals: TerminalHost | undefined;
  readonly #files: FileHost | undefined;

  constructor(options: ServiceOptions, { identity, ...parts }: ServiceParts) {
    const { log, store, terminal, files, fetch: send = fetch } = options;
    const { keys, connection, now, serverNow } = parts;
    const deviceId = (): string => identity().deviceId;
    this.#terminals = openTerminals(terminal, { ...parts, log, identity });
    if (files === undefined) return;
    this.#files = new FileHost({
      ...{ ...files, log, store, now, serverNow, deviceId, fetch: send },
      serverUrl: () => identity().serverUrl,
      isSigned: (statement) => keys.isSigned(statementTypes.fileRequest, statement),
      // What is lost is sent again.
      send: (message) =>
        void connection.publish('files', JSON.stringify(message), 0).catch(() => {}),
    });
  }

  /** For the birth message. */
  offers(): Pick<StatusMessage, 'terminal' | 'terminalConsent' | 'files'> {
    return {
      ...this.#terminals?.offer(),
      ...(this.#files && { files: this.#files.offer() }),
    };
  }

  start(): void {
    this.#files?.start();
  }

  take(channel: 'terminal' | 'files', message: unknown): void {
    (channel === 'terminal' ? this.#terminals : this.#files)?.take(message);
  }

  /** The connection to the server is back. */
  attach(): void {
    this.#terminals?.attach();
    this.#files?.attach();
  }

  stop(): void {
    this.#terminals?.stop();
    this.#files?.stop();
  }
}
