import type { DataSource } from '@deviceportal/contract/data-sources';
import type { DataSourceConfig } from '../platform/config/config.ts';
import { faultText } from './fault-text.ts';

/** What this server last heard from an outside system. */
export interface Contact {
  readonly source: DataSource;
  readonly lastAnswerAt: Date | null;
  readonly failingSince: Date | null;
  readonly fault: string | null;
  readonly delayMs: number | null;
  readonly waiting: number | null;
  readonly calls: number;
  readonly failedCalls: number;
}

/** Records the outcome of calls to the outside systems of this server. */
export class ContactLog {
  readonly #contacts: Map<DataSource, Contact>;
  readonly #clock: () => Date;

  constructor(dataSources: readonly DataSourceConfig[], clock: () => Date) {
    const outside = dataSources.filter(({ place }) => place === 'outside');
    this.#contacts = new Map(outside.map(({ source }) => [source, { source, ...nothing }]));
    this.#clock = clock;
  }

  answered(source: DataSource): void {
    this.#change(source, ({ calls }) => ({
      ...{ calls: calls + 1, lastAnswerAt: this.#clock(), failingSince: null, fault: null },
    }));
  }

  failed(source: DataSource, error: unknown): void {
    this.#change(source, ({ calls, failedCalls, failingSince }) => ({
      ...{ calls: calls + 1, failedCalls: failedCalls + 1 },
      ...{ failingSince: failingSince ?? this.#clock(), fault: faultText(error) },
    }));
  }

  /** @param delayMs age of the oldest message of the latest answer */
  delayed(source: DataSource, delayMs: number): void {
    this.#change(source, () => ({ delayMs: Math.round(delayMs) }));
  }

  waiting(source: DataSource, waiting: number): void {
    this.#change(source, () => ({ waiting }));
  }

  /** Systems that were called at least once. */
  read(): readonly Contact[] {
    return [...this.#contacts.values()].filter(({ calls }) => calls > 0);
  }

  #change(source: DataSource, change: (contact: Contact) => Partial<Contact>): void {
    const contact = this.#contacts.get(source);
    if (contact !== undefined) this.#contacts.set(source, { ...contact, ...change(contact) });
  }
}

const nothing = {
  ...{ lastAnswerAt: null, failingSince: null, fault: null },
  ...{ delayMs: null, waiting: null, calls: 0, failedCalls: 0 },
} as const;
