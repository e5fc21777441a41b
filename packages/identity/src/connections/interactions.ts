import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { relaySchema, wishesSchema } from './wishes.ts';
import { connectionRefusals } from './connection-refusals.ts';

const personSchema = z.object({
  subject: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean(),
  name: z.string().optional(),
  nickname: z.string().optional(),
  photo: z.string().optional(),
});

const interactionSchema = z.object({
  identifier: z.string(),
  appId: z.string(),
  language: z.enum(['zh-CN', 'en-US']),
  /** Origin of the page that gets the result; undefined for any page of the application. */
  targetOrigin: z.string().optional(),
  /** Whether the client chose the state and gets it back. */
  tellsState: z.boolean().default(false),
  memory: z
    .object({
      nonce: z.string().optional(),
      codeVerifier: z.string().optional(),
      requestId: z.string().optional(),
    })
    .optional(),
  /** The page of the application that the person left, where that is known. */
  returnUrl: z.string().optional(),
  relay: relaySchema.optional(),
  wishes: wishesSchema.optional(),
  /** The hosted page that sent the browser, to which it returns. */
  hosted: z
    .object({
      kind: z.string(),
      uid: z.string(),
      /** Perhaps no application waits there: the client made the id up. */
      isUnsure: z.boolean().optional(),
    })
    .optional(),
  /** The returning user, if known before the browser is. */
  person: personSchema.optional(),
});

/** A sign-in at an external provider in progress. */
export type Interaction = z.output<typeof interactionSchema>;

/** Sign-ins at other providers, each under its state: of the state only a hash is kept, the rest is sealed. */
export interface Interactions {
  /** @returns false when there is one with this state already */
  open(state: string, interaction: Interaction): Promise<boolean>;
  /** @throws ProviderError interactionHasEnded */
  read(state: string): Promise<Interaction>;
  /** Changes an interaction in progress; `browser` binds it to the browser with this text. */
  change(state: string, interaction: Interaction, browser?: string): Promise<void>;
  /** Ends it without an outcome. */
  end(state: string): Promise<void>;
  /**
   * Ends it; of concurrent calls with the same state, one succeeds.
   * @throws ProviderError interactionHasEnded, otherBrowser
   */
  spend(state: string, browser: string): Promise<Interaction>;
}

/** Time for a sign-in at an external provider, including a second factor. */
export const INTERACTION_MS = 15 * 60_000;

export function createInteractions(options: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
}): Interactions {
  const { db, clock, hash, box } = options;
  const key = (state: string): Buffer => hash('provider-ticket', 'interaction', state);
  const browserHash = (browser: string): Buffer =>
    hash('provider-ticket', 'interaction-browser', browser);
  const seal = (state: string, interaction: Interaction): Buffer =>
    box.seal(JSON.stringify(interaction), key(state).toString('hex'));
  const open = (state: string, sealed: Uint8Array): Interaction =>
    interactionSchema.parse(JSON.parse(box.open(sealed, key(state).toString('hex'))));
  const ended = (): never => {
    throw new ProviderError(connectionRefusals.interactionHasEnded);
  };
  return {
    async open(state, interaction) {
      const nowMs = clock.now();
      // Those that ended long ago go with the next that begins.
      await db.query('delete from identity.provider_interaction where expires_at < $1', [
        new Date(nowMs - INTERACTION_MS),
      ]);
      const { rowCount } = await db.query(
        `insert into identity.provider_interaction (state_hash, sealed, created_at, expires_at)
         values ($1, $2, $3, $4) on conflict do nothing`,
        [key(state), seal(state, interaction), new Date(nowMs), new Date(nowMs + INTERACTION_MS)],
      );
      return rowCount === 1;
    },
    async read(state) {
      const { rows } = await db.query<{ sealed: Buffer }>(
        `select sealed from identity.provider_interaction
          where state_hash = $1 and used_at is null and expires_at > $2`,
        [key(state), new Date(clock.now())],
      );
      return rows[0] === undefined ? ended() : open(state, rows[0].sealed);
    },
    async change(state, interaction, browser) {
      const { rowCount } = await db.query(
        `update identity.provider_interaction
            set sealed = $2, browser_hash = coalesce($3, browser_hash)
          where state_hash = $1 and used_at is null and expires_at > $4`,
        [
          key(state),
          seal(state, interaction),
          browser === undefined ? null : browserHash(browser),
          new Date(clock.now()),
        ],
      );
      if (rowCount !== 1) ended();
    },
    async end(state) {
      await db.query(
        'update identity.provider_interaction set used_at = $2 where state_hash = $1 and used_at is null',
        [key(state), new Date(clock.now())],
      );
    },
    async spend(state, browser) {
      const now = new Date(clock.now());
      const { rows } = await db.query<{ sealed: Buffer; browser_hash: Buffer | null }>(
        `update identity.provider_interaction set used_at = $2
          where state_hash = $1 and used_at is null and expires_at > $2
          returning sealed, browser_hash`,
        [key(state), now],
      );
      const found = rows[0] ?? ended();
      if (found.browser_hash === null || !sameBytes(found.browser_hash, browserHash(browser))) {
        throw new ProviderError(connectionRefusals.otherBrowser);
      }
      return open(state, found.sealed);
    },
  };
}
