import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Permission } from '@deviceportal/contract/permissions';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Coverage } from './coverage.ts';
import type { HistoryUsers, SystemPerson } from './history-users.ts';
import type { Answer } from './system-server.ts';

/** A call that was permitted. */
export interface DoneCall {
  readonly person: SystemPerson;
  readonly path: string;
  /** One of these permissions is required for it. */
  readonly needs: readonly Permission[];
}

/** A request that was repeated until it succeeded, possibly on two servers at the same time. */
export interface MadeOnce {
  readonly path: string;
  /** The ids in the responses; must be one. */
  readonly ids: Set<string>;
  /** Of the devices that were shown to the user. */
  readonly targetSha256: string | null;
}

export interface ShownDevices {
  readonly targetSha256: string;
  readonly targetCount: number;
  readonly confirmation: string;
}

/** Sends a request to one of the servers, alternating. */
export type Ask = (subject: string, path: string, input: unknown) => Promise<Answer>;

/** Error codes that must not occur: unknown, and database conflicts. */
const FAULTS = new Set([-1, 2000]);
const ATTEMPTS = 4;

/** API calls of users and their results. */
export class UserCalls {
  /** Since the last check. */
  done: DoneCall[] = [];
  readonly faults: unknown[] = [];
  readonly made: MadeOnce[] = [];
  readonly cast: HistoryUsers;
  readonly #database: Pick<Database, 'orm'>;
  readonly #ask: Ask;
  readonly #coverage: Coverage;

  /** @param database to find items for actions */
  constructor(
    cast: HistoryUsers,
    database: Pick<Database, 'orm'>,
    { ask, coverage }: { readonly ask: Ask; readonly coverage: Coverage },
  ) {
    this.#coverage = coverage;
    this.cast = cast;
    this.#database = database;
    this.#ask = ask;
  }

  /** Creates something at most once, even if requested repeatedly: the request is repeated when a server was killed. */
  async once(
    person: SystemPerson,
    path: string,
    request: {
      readonly input: object;
      readonly shown: ShownDevices | undefined;
      readonly needs: readonly Permission[];
      readonly twice: boolean;
    },
  ): Promise<void> {
    const { shown, needs, twice } = request;
    const input = { ...request.input, ...shown, idempotencyKey: randomUUID() };
    const made: MadeOnce = { path, ids: new Set(), targetSha256: shown?.targetSha256 ?? null };
    const askOnce = async (): Promise<void> => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const answer = await this.ask(person, path, { input, needs });
        if (answer.kind === 'killed') continue;
        if (answer.kind === 'done') made.ids.add((answer.data as { id: string }).id);
        return;
      }
    };
    await Promise.all(twice ? [askOnce(), askOnce()] : [askOnce()]);
    this.made.push(made);
  }

  async ask(
    person: SystemPerson,
    path: string,
    { input, needs }: { input: unknown; needs: readonly Permission[] },
  ): Promise<Answer> {
    const answer = await this.#ask(person.subject, path, input);
    this.#note(person, path, { answer, needs });
    return answer;
  }

  async do<Data>(
    person: SystemPerson,
    path: string,
    { input, needs }: { input: unknown; needs: readonly Permission[] },
  ): Promise<Data | undefined> {
    const answer = await this.ask(person, path, { input, needs });
    return answer.kind === 'done' ? (answer.data as Data) : undefined;
  }

  #note(
    person: SystemPerson,
    path: string,
    { answer, needs }: { answer: Answer; needs: readonly Permission[] },
  ): void {
    const code = answer.kind === 'refused' ? ` ${answer.code}` : '';
    this.#coverage.note(`${path} ${answer.kind}${code}`);
    if (answer.kind === 'done') this.done.push({ person, path, needs });
    if (answer.kind === 'refused' && FAULTS.has(answer.code)) this.faults.push(answer.error);
  }

  async pick<Row>(pick: number, query: SQL): Promise<Row | undefined> {
    const { rows } = await this.#database.orm.execute(query);
    return rows[pick % rows.length] as Row | undefined;
  }

  async roleId(name: string): Promise<string | undefined> {
    return (await this.pick<{ id: string }>(0, sql`select id from role where name = ${name}`))?.id;
  }

  person(place: number): SystemPerson {
    return this.cast.people[place] as SystemPerson;
  }

  deviceIds(places: readonly number[]): string[] {
    return places.map((place) => this.cast.devices[place]?.deviceId ?? '');
  }

  deviceParam(): SQL {
    return sql`${sql.param(this.cast.devices.map(({ deviceId }) => deviceId))}::uuid[]`;
  }
}
