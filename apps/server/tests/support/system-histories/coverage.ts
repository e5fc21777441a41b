import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/platform/database/database.ts';

/** Counts the states that histories reached: a simulation that reaches nothing finds nothing. */
export class Coverage {
  readonly #counts = new Map<string, number>();

  note(what: string, times = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + times);
  }

  /** Records the final states of everything that can end. */
  async noteEnds({ orm }: Pick<Database, 'orm'>): Promise<void> {
    const { rows } = await orm.execute(sql`
      select 'invocation ' || status_details as what, count(*)::int as times from invocation group by 1
      union all select 'undo ' || state, count(*)::int from command_run where undoes_run_id is not null group by 1
      union all select 'rollout ' || state || ' in ' || step || case when state_reason = '' then '' else ': ' || state_reason end,
        count(*)::int from air_blast group by 1
      union all select 'change that ' || consequence || ' sent by a rollout', count(w.run_id)::int
        from air_blast a join air_blast_wave w on w.air_blast_id = a.id group by 1
      union all select 'no-go ' || reason, count(*)::int from air_blast_target, unnest(no_go) as reason group by 1
      union all select 'excluded ' || exclusion, count(*)::int from air_blast_target where exclusion is not null group by 1
      union all select 'role for a time ' || state || coalesce(' by ' || end_reason, ''), count(*)::int
        from access_grant group by 1
      union all select 'month of the trail in a file', count(*)::int from audit_cold_file`);
    for (const { what, times } of rows as unknown as { what: string; times: number }[])
      if (times > 0) this.note(what, times);
  }

  get all(): readonly string[] {
    return [...this.#counts.keys()].toSorted();
  }

  toString(): string {
    return [...this.#counts]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([what, times]) => `${times} ${what}`)
      .join('\n');
  }
}
