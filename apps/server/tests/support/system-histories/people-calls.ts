import { randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { Permission } from '@deviceportal/contract/permissions';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Reached } from './reached.ts';
import type { SystemCast, SystemPerson } from './system-cast.ts';
import type { Answer } from './system-server.ts';

/** Something a person was allowed to do. */
export interface DoneCall {
  readonly person: SystemPerson;
  readonly path: string;
  /** One of these is needed for it. */
  readonly needs: readonly Permission[];
}

/** A request that was made until it was answered, perhaps by two servers at once. */
export interface MadeOnce {
  readonly path: string;
  /** What the answers named: one, however many there were. */
  readonly ids: Set<string>;
  /** Of the devices that the person was shown. */
  readonly targetSha256: string | null;
}

export interface ShownDevices {
  readonly targetSha256: string;
  readonly targetCount: number;
  readonly confirmation: string;
}

/** Asks one of the servers, in turn. */
export type Ask = (subject: string, path: string, input: unknown) => Promise<Answer>;

/** Codes of refusals that nobody should get: unknown, and a database that two transactions fought over. */
const FAULTS = new Set([-1, 2000]);
const ATTEMPTS = 4;

/** Calls of the API in the name of people, and what came of them. */
export class PeopleCalls {
  /** Since they were last looked at. */
  done: DoneCall[] = [];
  readonly faults: unknown[] = [];
  readonly made: MadeOnce[] = [];
  readonly cast: SystemCast;
  readonly #database: Pick<Database, 'orm'>;
  readonly #ask: Ask;
  readonly #reached: Reached;

  /** @param database for finding out what there is to act on */
  constructor(
    cast: SystemCast,
    database: Pick<Database, 'orm'>,
    { ask, reached }: { readonly ask: Ask; readonly reached: Reached },
  ) {
    this.#reached = reached;
    this.cast = cast;
    this.#database = database;
    this.#ask = ask;
  }

  /** Makes something at most once, however often it is asked for: the request is made again where a server died. */
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
    this.#reached.note(`${path} ${answer.kind}${code}`);
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
