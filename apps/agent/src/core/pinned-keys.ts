/**
 * The trusted keys for commands and updates: pinned once, and replaced only with a signature of a
 * pinned key.
 */

import {
  createStatementReader,
  findSignatureFault,
  type SignatureFault,
} from '@deviceportal/command-signing/check-command';
import { takeKeys, trustedKeyOf, type Trust } from '@deviceportal/command-signing/key-trust';
import {
  faultOfStatement,
  type SignedStatement,
  type StatementType,
  type TrustedKey,
} from '@deviceportal/command-signing/signed-statement';
import {
  keyRingMessageSchema,
  type CommandMessage,
  type KeyRingMessage,
} from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/** Shared by all agents of a process, so that a simulated fleet verifies each run once. */
const readStatement = createStatementReader();

export interface PinnedKeysChange {
  readonly ring: KeyRingMessage['ring'];
  /** Whether no key was pinned before. */
  readonly first: boolean;
  readonly pinned: readonly string[];
  readonly withdrawn: readonly string[];
}

export interface PinnedKeysOptions {
  readonly identity: () => Identity;
  /** Resolves when the identity is saved to disk. */
  readonly save: (identity: Identity) => Promise<void>;
  /** Called with the IDs of added and removed keys. */
  readonly onChanged: (change: PinnedKeysChange) => void;
}

export class PinnedKeys {
  readonly #options: PinnedKeysOptions;
  #read: Trust | undefined;
  #trusted: readonly TrustedKey[] = [];

  constructor(options: PinnedKeysOptions) {
    this.#options = options;
  }

  /**
   * Why a command must not start; null if it can. An agent without pinned keys accepts all
   * commands.
   */
  faultOf(command: CommandMessage): SignatureFault | null {
    const { deviceId, trust } = this.#options.identity();
    const trusted = this.#keysOf(trust.runs);
    // An agent whose keys have all been withdrawn accepts no commands.
    if (trusted.length === 0 && trust.runs.sequence === 0) return null;
    return findSignatureFault(command, { deviceId, trusted, read: readStatement });
  }

  /** Whether a pinned key of runs signed the statement. False without pinned keys. */
  isSigned(type: StatementType, statement: SignedStatement): boolean {
    const trusted = this.#keysOf(this.#options.identity().trust.runs);
    return faultOfStatement(type, statement, trusted) === null;
  }

  /** Handles `down/run-keys`. */
  async take(payload: unknown): Promise<void> {
    const parsed = keyRingMessageSchema.safeParse(payload);
    if (!parsed.success) return;
    const { ring } = parsed.data;
    const identity = this.#options.identity();
    const before = identity.trust[ring];
    const after = takeKeys(before, parsed.data);
    if (after === before) return;
    await this.#options.save({ ...identity, trust: { ...identity.trust, [ring]: after } });
    const [old, now] = [before, after].map(({ keys }) => keys.map(keyIdOf)) as [string[], string[]];
    this.#options.onChanged({
      ring,
      first: old.length === 0,
      pinned: now.filter((keyId) => !old.includes(keyId)),
      withdrawn: old.filter((keyId) => !now.includes(keyId)),
    });
  }

  #keysOf(trust: Trust): readonly TrustedKey[] {
    if (this.#read !== trust) {
      this.#read = trust;
      this.#trusted = trust.keys.map(trustedKeyOf);
    }
    return this.#trusted;
  }
}

const keyIdOf = (key: Trust['keys'][number]): string => trustedKeyOf(key).keyId;
