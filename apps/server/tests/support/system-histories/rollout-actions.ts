import { sql } from 'drizzle-orm';
import type { AirBlastDetail, AirBlastTargetRow } from '@deviceportal/contract/air-blast';
import type { Page } from '@deviceportal/contract/pages';
import { parametersOf } from './command-parameters.ts';
import type { UserAction } from './history.ts';
import type { UserCalls } from './user-calls.ts';
import type { SystemPerson } from './history-users.ts';

/** What a second person has seen of a rollout before the decision. */
export interface SeenPlan {
  readonly planSha256: string;
  readonly document: string;
  readonly parameters: string;
  readonly deviceIds: ReadonlySet<string>;
}

export interface GivenApproval {
  readonly airBlastId: string;
  readonly byId: string;
  readonly plan: SeenPlan;
}

interface Rollout {
  readonly id: string;
  readonly revision: number;
  readonly options: object;
  readonly operatorId: string;
}

/** Actions of users on rollouts, and what second persons have seen of them. */
export class RolloutActions {
  readonly approvals: GivenApproval[] = [];
  readonly #calls: UserCalls;
  readonly #seen = new Map<string, SeenPlan>();

  constructor(calls: UserCalls) {
    this.#calls = calls;
  }

  async plan(
    person: SystemPerson,
    action: UserAction & { kind: 'plan' | 'edit-plan' },
  ): Promise<void> {
    const input = {
      name: 'a rollout',
      change: {
        kind: 'document',
        document: `DevicePortal-${action.command.replaceAll('/', '-')}`,
        parameters: parametersOf[action.command],
      },
      target: { kind: 'devices', deviceIds: this.#calls.deviceIds(action.devices) },
    };
    if (action.kind === 'plan') {
      const { canaryPercent, maxErrors, soakSeconds } = action;
      const options = {
        ...{ canaryPercent, maxErrors, soakSeconds },
        wavePercents: [50, 50],
        successPercent: 50,
        timeoutSeconds: 600,
      };
      await this.#calls.once(person, 'airBlast.plan', {
        shown: undefined,
        twice: false,
        needs: ['air-blast:run'],
        input: { ...input, options },
      });
      return;
    }
    const rollout = await this.#pickRollout(action.pick);
    if (rollout === undefined) return;
    await this.#calls.do(person, 'airBlast.edit', {
      needs: ['air-blast:run'],
      input: { ...input, id: rollout.id, revision: rollout.revision, options: rollout.options },
    });
  }

  /** Assumes the role and starts the next step. */
  async nextStep(chosen: SystemPerson, action: UserAction & { kind: 'next-step' }): Promise<void> {
    const rollout = await this.#pickRollout(action.pick);
    if (rollout === undefined) return;
    const person = action.byOperator ? this.#operatorOf(rollout, chosen) : chosen;
    const needs = ['air-blast:run'] as const;
    const { id } = rollout;
    const assumed = await this.#calls.do<AirBlastDetail>(person, 'airBlast.assumeRole', {
      needs,
      input: { id },
    });
    if (assumed === undefined || assumed.nextStep === null) return;
    // A rollout that has ended is replaced by a new one.
    const ready =
      assumed.nextStep.token === null
        ? await this.#calls.do<AirBlastDetail>(person, 'airBlast.renewToken', {
            needs,
            input: { id },
          })
        : assumed;
    const { step, token, devices } = ready?.nextStep ?? {};
    if (step === undefined || token === null) return;
    const input = { id, step, token, confirmation: String(devices) };
    const start = () => this.#calls.do(person, 'airBlast.startStep', { needs, input });
    await Promise.all(action.twice ? [start(), start()] : [start()]);
  }

  async review(
    person: SystemPerson,
    action: UserAction & { kind: 'look' | 'approve' | 'approve-as-seen' | 'reject' },
  ): Promise<void> {
    const rollout = await this.#pickRollout(action.pick);
    if (rollout === undefined) return;
    const { id } = rollout;
    const known = action.kind === 'approve-as-seen' ? this.#seen.get(id) : undefined;
    const plan = known ?? (await this.#look(person, id));
    if (plan === undefined || action.kind === 'look') return;
    const { planSha256 } = plan;
    if (action.kind === 'reject') {
      await this.#calls.do(person, 'airBlast.reject', {
        needs: ['air-blast:approve'],
        input: { id, planSha256 },
      });
      return;
    }
    const answer = await this.#calls.ask(person, 'airBlast.approve', {
      input: { id, planSha256 },
      needs: ['air-blast:approve'],
    });
    // If the server was killed, the decision may be in effect.
    if (answer.kind !== 'refused') this.approvals.push({ airBlastId: id, byId: person.id, plan });
  }

  /** What the user sees, unless it changed in the meantime. */
  async #look(person: SystemPerson, id: string): Promise<SeenPlan | undefined> {
    const before = await this.#read<AirBlastDetail>(person, 'airBlast.get', { id });
    const targets = await this.#read<Page<AirBlastTargetRow>>(person, 'airBlast.listTargets', {
      id,
    });
    const after = await this.#read<AirBlastDetail>(person, 'airBlast.get', { id });
    if (before === undefined || targets === undefined) return undefined;
    if (before.planSha256 !== after?.planSha256) return undefined;
    const plan: SeenPlan = {
      planSha256: before.planSha256,
      document: `${before.documentName}:${before.documentVersion}`,
      parameters: JSON.stringify(before.parameters),
      deviceIds: new Set(
        targets.rows.filter(({ exclusion }) => exclusion === null).map(({ deviceId }) => deviceId),
      ),
    };
    this.#seen.set(id, plan);
    return plan;
  }

  async operate(chosen: SystemPerson, action: UserAction & { kind: 'operate' }): Promise<void> {
    const rollout = await this.#pickRollout(action.pick);
    if (rollout === undefined) return;
    const person = action.byOperator ? this.#operatorOf(rollout, chosen) : chosen;
    const needs = ['air-blast:run'] as const;
    const { id } = rollout;
    if (action.action !== 'takeOver')
      await this.#calls.do(person, 'airBlast.assumeRole', { needs, input: { id } });
    await this.#calls.do(person, `airBlast.${action.action}`, { needs, input: { id } });
  }

  #read<Data>(person: SystemPerson, path: string, input: unknown): Promise<Data | undefined> {
    return this.#calls.do<Data>(person, path, {
      input,
      needs: ['air-blast:run', 'air-blast:approve'],
    });
  }

  async #pickRollout(pick: number): Promise<Rollout | undefined> {
    return this.#calls.pick(
      pick,
      sql`select id, revision, options, operator_id as "operatorId" from air_blast
        where created_by_id = any(${sql.param(this.#calls.cast.people.map(({ id }) => id))}::uuid[]) order by id desc limit 2`,
    );
  }

  #operatorOf({ operatorId }: Rollout, otherwise: SystemPerson): SystemPerson {
    return this.#calls.cast.people.find(({ id }) => id === operatorId) ?? otherwise;
  }
}
