import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { Application, SavedApplication } from './application.ts';
import {
  findApplication,
  listApplications,
  upsertApplication,
  type StoredApplication,
} from './application-store.ts';

/** The applications of this provider. */
export interface Applications {
  find(appId: string, db?: Queryable): Promise<Application | undefined>;
  list(): Promise<Application[]>;
  /** Makes or replaces one. */
  save(application: SavedApplication, db?: Queryable): Promise<void>;
  /** Origins of all redirect URIs and additional origins; cached for a few seconds. */
  origins(): Promise<ReadonlySet<string>>;
}

const ORIGINS_COUNT_MS = 5_000;

const undecided = {
  protocols: ['oidc', 'cas', 'saml'],
  secondStep: 'as-provider',
  registration: 'as-provider',
  allowedOrigins: [],
} as const satisfies Partial<Application>;

export function createApplications({
  db: pool,
  clock,
  box,
}: {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly box: SecretBox;
}): Applications {
  const open = ({ secretBox, ...rest }: StoredApplication): Application => ({
    ...rest,
    secret: box.open(secretBox, rest.appId),
  });
  let known: { readonly origins: Promise<ReadonlySet<string>>; readonly untilMs: number };
  known = { origins: Promise.resolve(new Set<string>()), untilMs: 0 };
  return {
    async find(appId, db = pool) {
      // No text of PostgreSQL has this character, so no application has such an id.
      if (appId.includes('\0')) return undefined;
      const stored = await findApplication(db, appId);
      return stored && open(stored);
    },
    list: async () => (await listApplications(pool)).map(open),
    async save({ secret, ...rest }, db = pool) {
      const secretBox = box.seal(secret, rest.appId);
      await upsertApplication(db, { ...undecided, ...rest, secretBox }, new Date(clock.now()));
      known = { ...known, untilMs: 0 };
    },
    async origins() {
      if (clock.now() < known.untilMs) return known.origins;
      const origins = listApplications(pool).then(originsOf);
      known = { origins, untilMs: clock.now() + ORIGINS_COUNT_MS };
      return origins.catch((error: unknown) => {
        known = { ...known, untilMs: 0 };
        throw error;
      });
    },
  };
}

function originsOf(applications: readonly StoredApplication[]): ReadonlySet<string> {
  return new Set(
    applications
      .flatMap(({ redirectUris, logoutRedirectUris, allowedOrigins }) => [
        ...redirectUris,
        ...logoutRedirectUris,
        ...allowedOrigins,
      ])
      .map((uri) => new URL(uri).origin),
  );
}
