import { statementTypes } from '@deviceportal/command-signing/signed-statement';
import { webPageConsentText } from '@deviceportal/device-protocol/web-page-message';
import { FileHost, type FileHostOptions } from '../files/file-host.ts';
import type { Logger } from '../logger.ts';
import type { AgentStore } from '../store/agent-store.ts';
import type { Identity } from '../store/identity-file.ts';
import type { TerminalHost } from '../terminal/terminal-host.ts';
import { signConsent } from '../terminal/sign-consent.ts';
import { WebPageHost, type WebPageHostOptions } from '../web-pages/web-page-host.ts';
import type { BrokerConnection } from './broker-connection.ts';
import { openTerminals, type TerminalWays } from './open-terminals.ts';
import type { PinnedKeys } from './pinned-keys.ts';
import type { ServiceChannel, ServiceOffers } from './service-offers.ts';

export interface DeviceServiceWays {
  /** How terminals are opened; without it, this device has none. */
  readonly terminal?: TerminalWays;
  /** Which files can be reached; without it, this device offers none. */
  readonly files?: Pick<FileHostOptions, 'settings' | 'stateDirectory' | 'partMs'>;
  /** Which web pages can be opened; without it, this device has none. */
  readonly webPages?: Pick<WebPageHostOptions, 'pages' | 'consentProgram'>;
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

/** What users reach on this device: its terminals, its files, and its web pages. */
export class DeviceServices {
  readonly #terminals: TerminalHost | undefined;
  readonly #files: FileHost | undefined;
  readonly #webPages: WebPageHost | undefined;

  constructor(options: ServiceOptions, { identity, ...parts }: ServiceParts) {
    const { log, store, terminal, files, webPages, fetch: send = fetch } = options;
    const { keys, connection, now, serverNow } = parts;
    const deviceId = (): string => identity().deviceId;
    this.#terminals = openTerminals(terminal, { ...parts, log, identity });
    this.#webPages =
      webPages &&
      new WebPageHost({
        ...{ ...webPages, log, serverNow, deviceId },
        now: () => performance.now(),
        signConsent: (consent) => signConsent(consent, identity(), webPageConsentText),
        isSigned: (statement) => keys.isSigned(statementTypes.webPage, statement),
        // What is lost is sent again.
        send: (message) =>
          void connection.publish('web-page', JSON.stringify(message), 0).catch(() => {}),
      });
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
  offers(): ServiceOffers {
    return {
      ...this.#terminals?.offer(),
      ...(this.#files && { files: this.#files.offer() }),
      ...this.#webPages?.offer(),
    };
  }

  start(): void {
    this.#files?.start();
  }

  take(channel: ServiceChannel, message: unknown): void {
    const hosts = { terminal: this.#terminals, files: this.#files, 'web-page': this.#webPages };
    hosts[channel]?.take(message);
  }

  /** The connection to the server is back. */
  attach(): void {
    this.#terminals?.attach();
    this.#files?.attach();
    this.#webPages?.attach();
  }

  stop(): void {
    this.#terminals?.stop();
    this.#files?.stop();
    this.#webPages?.stop();
  }
}
