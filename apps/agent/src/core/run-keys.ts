/** The keys whose signatures on commands count: pinned once, extended only by keys that vouch for the next. */

import {
  createStatementReader,
  findSignatureFault,
  type SignatureFault,
} from '@deviceportal/command-signing/check-command';
import { extendTrust, trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import type { TrustedKey } from '@deviceportal/command-signing/signed-statement';
import { runKeysMessageSchema, type CommandMessage } from '@deviceportal/device-protocol/messages';
import type { Identity } from '../store/identity-file.ts';

/** Shared by all agents of a process: a fleet of simulated devices verifies a run once. */
const readStatement = createStatementReader();

export interface RunKeysOptions {
  readonly identity: () => Identity;
  /** Resolves when the identity is on disk. */
  readonly save: (identity: Identity) => Promise<void>;
  /** Told the ids of the keys that are new. */
  readonly onPinned: (facts: {
    readonly first: boolean;
    readonly keyIds: readonly string[];
  }) => void;
}

export class RunKeys {
  readonly #options: RunKeysOptions;
  #pinned: readonly string[] | undefined;
  #trusted: readonly TrustedKey[] = [];

  constructor(options: RunKeysOptions) {
    this.#options = options;
  }

  /** Why a command must not begin; null where it may. An agent that has pinned no key yet takes any command. */
  faultOf(command: CommandMessage): SignatureFault | null {
    const { deviceId } = this.#options.identity();
    const trusted = this.#keys();
    if (trusted.length === 0) return null;
    return findSignatureFault(command, { deviceId, trusted, read: readStatement });
  }

  /** From `down/run-keys`. */
  async take(payload: unknown): Promise<void> {
    const parsed = runKeysMessageSchema.safeParse(payload);
    if (!parsed.success) return;
    const identity = this.#options.identity();
    const { runKeys } = identity;
    const extended = extendTrust('runs', runKeys, parsed.data.keys);
    if (extended === runKeys) return;
    await this.#options.save({ ...identity, runKeys: [...extended] });
    this.#options.onPinned({
      first: runKeys.length === 0,
      keyIds: extended.slice(runKeys.length).map((key) => trustedKeyOf(key).keyId),
    });
  }

  #keys(): readonly TrustedKey[] {
    const { runKeys } = this.#options.identity();
    if (this.#pinned !== runKeys) {
      this.#pinned = runKeys;
      this.#trusted = runKeys.map(trustedKeyOf);
    }
    return this.#trusted;
  }
}
