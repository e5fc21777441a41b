import { holds, type Permission } from '@deviceportal/contract/permissions';
import type { LastCall } from '../api-calls/data/last-calls.ts';
import type { RequiredPermission } from '../platform/api.ts';

/** When each user last used a permission, by the journal of API calls. */
export class LastUsed {
  readonly #calls: ReadonlyMap<string, readonly LastCall[]>;
  readonly #permissions: ReadonlyMap<string, RequiredPermission>;

  constructor(
    calls: readonly LastCall[],
    permissionsByPath: ReadonlyMap<string, RequiredPermission>,
  ) {
    this.#calls = Map.groupBy(calls, ({ userId }) => userId);
    this.#permissions = permissionsByPath;
  }

  /** The last call of a user that requires one of these permissions; null if none is recorded. */
  of(userId: string, permissions: readonly Permission[]): Date | null {
    const times = (this.#calls.get(userId) ?? [])
      .filter(({ path }) => this.#isFor(path, permissions))
      .map(({ at }) => at.getTime());
    return times.length === 0 ? null : new Date(Math.max(...times));
  }

  #isFor(path: string, permissions: readonly Permission[]): boolean {
    const required = this.#permissions.get(path);
    if (required === undefined) return false;
    const names = typeof required === 'string' ? [required] : required;
    return names.some((name) =>
      name === 'commands:run'
        ? permissions.some((each) => each.startsWith('commands:run:'))
        : holds(
            [{ permissions, scope: { countries: [], models: [], labels: {} } }],
            name as Permission,
          ),
    );
  }
}
