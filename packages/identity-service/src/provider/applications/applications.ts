import type pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { Application } from './application.ts';
import {
  findApplication,
  listApplications,
  upsertApplication,
  type StoredApplication,
} from './application-store.ts';

/** The programs that this provider knows. */
export interface Applications {
  find(appId: string): Promise<Application | undefined>;
  list(): Promise<Application[]>;
  /** Makes or replaces one. */
  save(application: Application): Promise<void>;
  /** Origins of all redirect addresses; a change counts after some seconds. */
  origins(): Promise<ReadonlySet<string>>;
}

const ORIGINS_COUNT_MS = 5_000;

export function createApplications({
  db,
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
    async find(appId) {
      const stored = await findApplication(db, appId);
      return stored && open(stored);
    },
    list: async () => (await listApplications(db)).map(open),
    async save({ secret, ...rest }) {
      const secretBox = box.seal(secret, rest.appId);
      await upsertApplication(db, { ...rest, secretBox }, new Date(clock.now()));
      known = { ...known, untilMs: 0 };
    },
    async origins() {
      if (clock.now() < known.untilMs) return known.origins;
      const origins = listApplications(db).then(originsOf);
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
      .flatMap(({ redirectUris, logoutRedirectUris }) => [...redirectUris, ...logoutRedirectUris])
      .map((uri) => new URL(uri).origin),
  );
}
