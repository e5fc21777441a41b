/** The keys whose signatures on commands and updates count: pinned once, changed only by keys that are pinned. */

import {
  createStatementReader,
  findSignatureFault,
  type SignatureFault,
} from '@deviceportal/command-signing/check-command';
import { takeKeys, trustedKeyOf, type Trust } from '@deviceportal/command-signing/key-trust';
import type { TrustedKey } from '@deviceportal/command-signing/signed-statement';
import {
  keyRingMessageSchema,
  type CommandMessage,
  type KeyRingMessage,
} from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/** Shared by all agents of a process: a fleet of simulated devices verifies a run once. */
const readStatement = createStatementReader();

export interface PinnedKeysChange {
  readonly ring: KeyRingMessage['ring'];
  /** None was pinned before. */
  readonly first: boolean;
  readonly pinned: readonly string[];
  readonly withdrawn: readonly string[];
}

export interface PinnedKeysOptions {
  readonly identity: () => Identity;
  /** Resolves when the identity is on disk. */
  readonly save: (identity: Identity) => Promise<void>;
  /** Told the ids of the keys that are new or count no more. */
  readonly onChanged: (change: PinnedKeysChange) => void;
}

export class PinnedKeys {
  readonly #options: PinnedKeysOptions;
  #read: Trust | undefined;
  #trusted: readonly TrustedKey[] = [];

  constructor(options: PinnedKeysOptions) {
    this.#options = options;
  }

  /** Why a command must not begin; null where it may. An agent that has pinned no key yet takes any command. */
  faultOf(command: CommandMessage): SignatureFault | null {
    const { deviceId, trust } = this.#options.identity();
    const trusted = this.#keysOf(trust.runs);
    // One whose keys have all been withdrawn takes none.
    if (trusted.length === 0 && trust.runs.sequence === 0) return null;
    return findSignatureFault(command, { deviceId, trusted, read: readStatement });
  }

  /** From `down/run-keys`. */
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
